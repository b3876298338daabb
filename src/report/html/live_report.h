#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "http/http.h"
#include "report/words/words.h"

namespace trainmark {

/// The HTML report of a folder of results as a server gives it out: the page, newer data when the
/// journal has grown, and the logs of the runs. Nothing else is answered, nothing outside of the
/// folder, and nothing is ever written.
class LiveReport {
 public:
  /// `loopback`: only this machine can ask, so only its own names are taken for ours.
  LiveReport(std::filesystem::path folder, Language language, bool loopback);

  HttpResponse answer(const HttpRequest& request);

 private:
  bool knows(const std::string& host) const;
  HttpResponse page();
  HttpResponse data(const std::string& query);
  HttpResponse file(const std::string& path) const;
  void refresh();

  std::filesystem::path folder_;
  Language language_;
  bool loopback_;
  std::string version_;                      // of the journal that `data_` was made from
  std::shared_ptr<const std::string> data_;  // the page's JSON object
  double made_at_ = 0;                       // when, and how long it took
  double made_in_ = 0;
};

}  // namespace trainmark
