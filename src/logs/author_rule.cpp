#include "logs/author_rule.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <functional>
#include <map>

#include "base/error.h"
#include "base/text.h"
#include "measure/statistics.h"

namespace trainmark {

namespace {

// DLPerf's scripts do 150 iterations and drop 50.
constexpr std::int64_t dlperf_skip = 50;
constexpr std::int64_t dlperf_last = 150;

[[noreturn]] void wrong(const std::string& word, const std::string& instead) {
  throw UserError(fmt::format("--rule: cannot read '{}'; write {}", printable(word), instead));
}

std::size_t whole(const std::string& word, const std::string& text) {
  std::size_t value = 0;
  const char* end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || rest != end || value > 1'000'000'000)
    wrong(word, "a whole number after '='");
  return value;
}

template <class Value>
Value one_of(const std::string& word, const std::string& text,
             const std::map<std::string, Value>& values) {
  const auto found = values.find(text);
  if (found != values.end()) return found->second;
  std::vector<std::string> names;
  for (const auto& [name, value] : values) names.push_back(name);
  wrong(word, "one of " + join(names, ", "));
}

/// `5or5%`: at least 5, or 5 % of them.
AuthorRule::Trim trim_of(const std::string& word, const std::string& text) {
  const std::size_t middle = text.find("or");
  if (middle == std::string::npos || !text.ends_with('%')) wrong(word, "trim=5or5%");
  const std::size_t percent = whole(word, text.substr(middle + 2, text.size() - middle - 3));
  if (percent >= 50) wrong(word, "less than 50 %: that much is dropped at each end");
  return {whole(word, text.substr(0, middle)), static_cast<double>(percent) / 100};
}

using Setter = std::function<void(AuthorRule&, const std::string& word, const std::string& text)>;

const std::map<std::string, Setter>& setters() {
  using Rule = AuthorRule;
  static const std::map<std::string, Setter> all = {
      {"dialect", [](Rule& rule, const auto&, const auto& text) { rule.dialect = text; }},
      {"records",
       [](Rule& rule, const auto& word, const auto& text) {
         rule.records = one_of<RecordKind>(word, text,
                                           {{"step", RecordKind::step},
                                            {"epoch", RecordKind::epoch},
                                            {"summary", RecordKind::summary},
                                            {"table", RecordKind::table}});
       }},
      {"field", [](Rule& rule, const auto&, const auto& text) { rule.field = text; }},
      {"run",
       [](Rule& rule, const auto& word, const auto& text) {
         rule.run = whole(word, text);
         if (*rule.run == 0) wrong(word, "run=1 for the first");
       }},
      {"row", [](Rule& rule, const auto& word,
                 const auto& text) { rule.row = static_cast<int>(whole(word, text)); }},
      {"skip",
       [](Rule& rule, const auto& word, const auto& text) { rule.skip = whole(word, text); }},
      {"take",
       [](Rule& rule, const auto& word, const auto& text) { rule.take = whole(word, text); }},
      {"trim",
       [](Rule& rule, const auto& word, const auto& text) { rule.trim = trim_of(word, text); }},
      {"agg",
       [](Rule& rule, const auto& word, const auto& text) {
         rule.aggregate = one_of<Rule::Aggregate>(word, text,
                                                  {{"mean", Rule::Aggregate::mean},
                                                   {"median", Rule::Aggregate::median},
                                                   {"last", Rule::Aggregate::last},
                                                   {"min", Rule::Aggregate::min}});
       }},
      {"scale", [](Rule& rule, const auto& word, const auto& text) {
         rule.factor = one_of<Rule::Factor>(word, text,
                                            {{"1", Rule::Factor::one},
                                             {"gpus", Rule::Factor::gpus},
                                             {"nodes", Rule::Factor::nodes},
                                             {"bs*gpus/x", Rule::Factor::batch_over}});
       }}};
  return all;
}

/// The records of the N-th run, as authors count them: a new one starts where (epoch, step) does
/// not increase.
std::vector<Record> run_of(const std::vector<Record>& records, std::size_t wanted) {
  std::vector<Record> result;
  std::size_t run = 1;
  for (std::size_t i = 0; i < records.size(); ++i) {
    const auto place = [&](std::size_t at) {
      return std::pair(records[at].epoch, records[at].step);
    };
    if (i > 0 && place(i) <= place(i - 1)) ++run;
    if (run == wanted) result.push_back(records[i]);
  }
  return result;
}

std::vector<Record> chosen(const AuthorRule& rule, const std::vector<Record>& all) {
  std::vector<Record> records;
  for (const Record& record : all) {
    if (record.kind != rule.records || (rule.row && record.row != *rule.row)) continue;
    if (rule.from_stamps ? std::isnan(record.stamp) : std::isnan(record.value)) continue;
    records.push_back(record);
  }
  if (rule.run) records = run_of(records, *rule.run);
  if (rule.dlperf_window && !records.empty()) {
    // Some count iterations from 0.
    const std::int64_t first = records.front().step == 0 ? 0 : 1;
    std::erase_if(records, [&](const Record& record) {
      return record.step < dlperf_skip + first || record.step >= dlperf_last + first;
    });
  }
  records.erase(records.begin(),
                records.begin() + static_cast<std::ptrdiff_t>(std::min(rule.skip, records.size())));
  if (rule.take && *rule.take < records.size()) records.resize(*rule.take);
  return records;
}

double needed(int number, const char* what) {
  if (number > 0) return number;
  throw UserError(
      fmt::format("the rule needs the number of {}, and the log does not say it; "
                  "write --{} N",
                  what, what));
}

double scaled(const AuthorRule& rule, double value, Scope scope, const JobSize& job) {
  switch (rule.factor) {
    case AuthorRule::Factor::one:
      return value;
    case AuthorRule::Factor::gpus:
      return value * needed(job.gpus, "gpus");
    case AuthorRule::Factor::nodes:
      return value * needed(job.nodes, "nodes");
    case AuthorRule::Factor::batch_over:
      return needed(job.batch, "batch") * needed(job.gpus, "gpus") / value;
    case AuthorRule::Factor::as_scope:
      if (scope == Scope::rank) return value * needed(job.gpus, "gpus");
      return scope == Scope::node ? value * needed(job.nodes, "nodes") : value;
  }
  return value;
}

double aggregate(const AuthorRule& rule, std::vector<double> values) {
  if (rule.trim) {
    std::sort(values.begin(), values.end());
    const auto share =
        static_cast<std::size_t>(std::floor(rule.trim->share * static_cast<double>(values.size())));
    const std::size_t cut = std::max(rule.trim->count, share);
    if (2 * cut >= values.size()) {
      throw UserError(fmt::format("the rule trims {} records at each end, and there are only {}",
                                  cut, values.size()));
    }
    values = {values.begin() + static_cast<std::ptrdiff_t>(cut),
              values.end() - static_cast<std::ptrdiff_t>(cut)};
  }
  switch (rule.aggregate) {
    case AuthorRule::Aggregate::mean:
      return mean(values);
    case AuthorRule::Aggregate::median:
      return median(values);
    case AuthorRule::Aggregate::last:
      return values.back();
    case AuthorRule::Aggregate::min:
      return *std::min_element(values.begin(), values.end());
  }
  return 0;
}

/// Items ÷ difference of time stamps between the first and the last of the records.
double rate_from_stamps(const std::vector<Record>& records, const JobSize& job) {
  const double seconds = records.back().stamp - records.front().stamp;
  const auto steps = static_cast<double>(records.back().step - records.front().step);
  if (!(seconds > 0) || !(steps > 0))
    throw UserError("the rule needs time stamps that advance from step to step");
  return steps * needed(job.batch, "batch") * needed(job.gpus, "gpus") / seconds;
}

}  // namespace

AuthorRule parse_author_rule(const std::string& words) {
  AuthorRule rule;
  if (words == "printed" || words == "time") {
    rule.dlperf_window = true;
    rule.from_stamps = words == "time";
    return rule;
  }
  std::vector<std::string> names = {"printed", "time"};
  for (const auto& [name, setter] : setters()) names.push_back(name);
  for (const auto& word : split(words, ' ')) {
    if (word.empty()) continue;
    const std::size_t middle = word.find('=');
    const std::string name = word.substr(0, middle);
    const auto found = setters().find(name);
    if (found == setters().end()) {
      throw UserError(
          fmt::format("--rule: unknown term '{}'; {}", printable(name), suggest(name, names)));
    }
    if (middle == std::string::npos) wrong(word, name + "=VALUE");
    found->second(rule, word, word.substr(middle + 1));
  }
  return rule;
}

RuleFigure apply_rule(const AuthorRule& rule, const LogContents& contents, Scope scope,
                      const JobSize& job) {
  const std::vector<Record> records = chosen(rule, contents.records);
  if (records.empty()) {
    throw UserError(fmt::format("the rule leaves none of the {} records of {}",
                                contents.records.size(), contents.dialect));
  }
  if (rule.from_stamps) return {rate_from_stamps(records, job), records.size()};
  std::vector<double> values;
  for (const Record& record : records) values.push_back(record.value);
  const double value = aggregate(rule, values);
  return {scaled(rule, value, scope, job), values.size()};
}

}  // namespace trainmark
