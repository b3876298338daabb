#include "report/history/history.h"

namespace trainmark {

HistoryJournal history_journal(const std::string& name, const JournalContents& contents,
                               const std::vector<Result>& results) {
  HistoryJournal journal{name, "", "", &contents, &results};
  if (!contents.suites.empty()) {
    journal.started = contents.suites.front().started;
    journal.trainmark = contents.suites.front().trainmark;
  } else if (!contents.runs.empty()) {
    journal.started = contents.runs.front().started;
  }
  return journal;
}

}  // namespace trainmark
