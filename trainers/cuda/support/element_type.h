#pragma once

namespace trainmark::train {

enum class ElementType { Float, Half, BFloat16 };

}  // namespace trainmark::train
