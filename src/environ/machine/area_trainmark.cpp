// The program itself: a result says which Trainmark made it.

#include "base/json_fields.h"
#include "base/version.h"
#include "environ/machine/area.h"

namespace trainmark {

using nlohmann::json;

namespace {

json collect(const Machine&) {
  return {{"version", version()}, {"commit", commit()}};
}

AreaLines describe(const json& trainmark) {
  return {{"version", json_string(trainmark, "version")},
          {"commit", json_string(trainmark, "commit")}};
}

const AreaRegistration registered("trainmark", {90, "Trainmark", collect, describe});

}  // namespace

}  // namespace trainmark
