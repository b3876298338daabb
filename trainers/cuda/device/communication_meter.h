#pragma once

#include "distributed/communication_meter.h"

namespace trainmark::train {

/// Of NCCL's collectives, by events on the streams that do them. A step that is recorded into a
/// graph, or replayed from one, has no times: its events are none that could be asked.
std::unique_ptr<CommunicationMeter> make_event_meter();

}  // namespace trainmark::train
