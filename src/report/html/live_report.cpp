#include "report/html/live_report.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <sstream>

#include "base/error.h"
#include "base/open_below.h"
#include "base/text.h"
#include "base/time.h"
#include "journal/journal.h"
#include "report/html/data.h"
#include "report/html/page.h"

namespace trainmark {

namespace {

namespace fs = std::filesystem;

// Making the data of a large journal takes seconds: it may take this share of the time at most.
constexpr double busy_share = 0.2;

/// Which state of a journal this is; it changes with every record.
std::string state_of(const fs::path& folder) {
  struct stat status {};
  if (::stat((folder / "journal.jsonl").c_str(), &status) != 0) return "0";
  return fmt::format("{}.{}.{}", status.st_ino, status.st_size, status.st_mtim.tv_nsec);
}

bool is_address(const std::string& host) {
  in6_addr ignored{};
  if (host.starts_with('[') && host.ends_with(']'))
    return inet_pton(AF_INET6, host.substr(1, host.size() - 2).c_str(), &ignored) == 1;
  return inet_pton(AF_INET, host.c_str(), &ignored) == 1;
}

std::string machine_name() {
  char name[256] = {};
  return gethostname(name, sizeof name - 1) == 0 ? name : "";
}

}  // namespace

LiveReport::LiveReport(fs::path folder, Language language, bool loopback)
    : folder_(std::move(folder)), language_(language), loopback_(loopback) {
  read_journal(folder_);  // throws where there is none, or one that cannot be read
}

HttpResponse LiveReport::answer(const HttpRequest& request) {
  if (!knows(request.host())) {
    return http_text(421,
                     "this is not a name of this server; open the address that trainmark "
                     "serve has printed");
  }
  try {
    if (request.path == "/") return page();
    if (request.path == "/data") return data(request.query);
    return file(request.path);
  } catch (const std::exception& error) {
    return http_text(503, printable(error.what(), 400));
  }
}

/// A page elsewhere could have its own name point to this machine and read what is served here (DNS
/// rebinding). That needs a name: addresses are what they are, and our own names are known.
bool LiveReport::knows(const std::string& host) const {
  if (host == "localhost" || host == "127.0.0.1" || host == "[::1]") return true;
  return !loopback_ && (is_address(host) || (!host.empty() && host == machine_name()));
}

void LiveReport::refresh() {
  const std::string state = state_of(folder_);
  const double now = monotonic_seconds();
  if (data_ && (state == version_ || now < made_at_ + made_in_ / busy_share)) return;
  const JournalContents contents = read_journal(folder_);
  const std::vector<Result> results = results_of(contents);
  ReportInput input{contents, results, language_, {}};
  input.options.live_version = state;
  std::ostringstream text;
  write_html_data(input, text);
  data_ = std::make_shared<const std::string>(text.str());
  version_ = state;
  made_at_ = monotonic_seconds();
  made_in_ = made_at_ - now;
}

HttpResponse LiveReport::page() {
  refresh();
  std::ostringstream text;
  write_html_page(
      text, [&](std::ostream& out) { out << *data_; }, PageKind::served);
  HttpResponse response;
  response.type = "text/html; charset=utf-8";
  response.body = std::make_shared<const std::string>(text.str());
  response.headers["Content-Security-Policy"] = html_policy(PageKind::served);
  return response;
}

HttpResponse LiveReport::data(const std::string& query) {
  refresh();
  HttpResponse response;
  response.type = "application/json";
  if (query == "after=" + version_) {
    response.status = 204;
  } else {
    response.body = data_;
  }
  return response;
}

/// The journal and what lies under runs/, as plain text whatever it says of itself.
HttpResponse LiveReport::file(const std::string& path) const {
  const std::string relative = path.substr(1);
  const bool served = relative == "journal.jsonl" || relative.starts_with("runs/");
  const int file = served ? open_below(folder_, relative) : -1;
  if (file < 0) return http_text(404, "there is no such log");
  HttpResponse response;
  response.file = file;
  return response;
}

}  // namespace trainmark
