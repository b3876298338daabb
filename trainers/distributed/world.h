#pragma once

#include <memory>

namespace trainmark::train {

class World;

// For who only hands a world on: distributed.h brings LibTorch's headers along.

/// One rank, with nobody to talk to yet.
std::shared_ptr<World> make_world();
bool has_group(const World& world);

}  // namespace trainmark::train
