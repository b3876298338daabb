#include "logs/grammar/record.h"

namespace trainmark {

const char* text(Scope scope) {
  switch (scope) {
    case Scope::rank:
      return "rank";
    case Scope::node:
      return "node";
    case Scope::job:
      return "job";
  }
  return "";
}

const char* text(RecordKind kind) {
  switch (kind) {
    case RecordKind::step:
      return "step";
    case RecordKind::epoch:
      return "epoch";
    case RecordKind::summary:
      return "summary";
    case RecordKind::table:
      return "table";
  }
  return "";
}

}  // namespace trainmark
