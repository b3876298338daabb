#include "base/secrets.h"

#include <algorithm>
#include <array>

namespace trainmark {

namespace {

// A shorter value may be a part of any text: it is hidden beside its name, and nowhere else.
constexpr std::size_t shortest_value = 6;

bool is_lower(char letter) {
  return letter >= 'a' && letter <= 'z';
}
bool is_upper(char letter) {
  return letter >= 'A' && letter <= 'Z';
}
bool is_number(char letter) {
  return letter >= '0' && letter <= '9';
}
bool is_word(char letter) {
  return is_lower(letter) || is_upper(letter) || is_number(letter) || letter == '_' ||
         letter == '-';
}
bool is_of_name(char letter) {
  return is_word(letter) || letter == '.';
}
bool is_space(char letter) {
  return letter == ' ' || letter == '\t' || letter == '\n' || letter == '\r';
}
bool is_quote(char letter) {
  return letter == '"' || letter == '\'';
}

template <std::size_t size>
bool is_one_of(std::string_view word, const std::array<std::string_view, size>& words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

template <std::size_t size>
bool ends_with_one_of(std::string_view word, const std::array<std::string_view, size>& words) {
  return std::any_of(words.begin(), words.end(),
                     [&](std::string_view ending) { return word.ends_with(ending); });
}

// Whoever names something so means a secret, also in one word with others: PGPASSWORD.
constexpr auto strong_words = std::to_array<std::string_view>(
    {"password", "passwords", "passwd", "passphrase", "pwd", "secret", "secrets", "credential",
     "credentials", "cookie", "apikey", "accesskey", "authtoken", "accesstoken", "authorization"});
// These have other meanings, too: a key to sort by, a token to pad with, the second pass.
constexpr auto weak_words = std::to_array<std::string_view>({"key", "token", "pass", "auth"});
constexpr auto place_words = std::to_array<std::string_view>({"file", "path", "dir", "folder"});
constexpr auto ending_words = std::to_array<std::string_view>({"id", "value", "base64"});

/// "WANDB_API_KEY", "wandb.apiKey" and "--wandb-api-key" have the words wandb, api and key.
std::vector<std::string> words_of_name(std::string_view name) {
  std::vector<std::string> words(1);
  for (std::size_t i = 0; i < name.size(); ++i) {
    const char letter = name[i];
    const bool hump = i > 0 && is_upper(letter) && is_lower(name[i - 1]);
    if ((hump || !(is_lower(letter) || is_upper(letter) || is_number(letter))) &&
        !words.back().empty())
      words.emplace_back();
    if (is_upper(letter)) {
      words.back() += static_cast<char>(letter + 32);
    } else if (is_lower(letter) || is_number(letter)) {
      words.back() += letter;
    }
  }
  if (words.back().empty()) words.pop_back();
  return words;
}

enum class Smell { none, weak, strong };

Smell smell_of(std::string_view name) {
  if (name == "PWD" || name == "OLDPWD") return Smell::none;  // every shell's folders
  const std::vector<std::string> words = words_of_name(name);
  if (words.empty() || is_one_of(words.back(), place_words)) return Smell::none;
  for (const std::string& word : words)
    if (ends_with_one_of(word, strong_words)) return Smell::strong;
  const std::size_t count = words.size();
  if (is_one_of(words.back(), weak_words)) return Smell::weak;
  if (count > 1 && is_one_of(words.back(), ending_words) && is_one_of(words[count - 2], weak_words))
    return Smell::weak;
  return Smell::none;
}

/// A switch, a small number, a token such as <pad>, or a name that stands for something else.
bool is_harmless(std::string_view value, Smell smell) {
  if (value.empty() || value == redacted || value.front() == '$' || value.front() == '{')
    return true;
  if (smell == Smell::strong) return false;
  constexpr auto switches = std::to_array<std::string_view>(
      {"true", "false", "yes", "no", "none", "null", "auto", "True", "False", "None"});
  const bool small = value.size() <= 5 && std::all_of(value.begin(), value.end(), [](char c) {
                       return is_number(c) || c == '.' || c == '-';
                     });
  return small || is_one_of(value, switches) || value.front() == '<' || value.front() == '[';
}

struct Shape {
  std::string_view front;
  std::size_t least;  // letters in all
};

// Of well-known services. What comes behind is letters, digits, '_' and '-'.
constexpr auto shapes = std::to_array<Shape>(
    {{"ghp_", 20},        {"gho_", 20},   {"ghu_", 20},  {"ghs_", 20},  {"ghr_", 20},
     {"github_pat_", 30}, {"glpat-", 20}, {"hf_", 20},   {"sk-", 24},   {"xoxb-", 20},
     {"xoxp-", 20},       {"xoxa-", 20},  {"xoxs-", 20}, {"AKIA", 20},  {"ASIA", 20},
     {"AIza", 35},        {"ya29.", 20},  {"npm_", 30},  {"pypi-", 30}, {"dop_v1_", 40},
     {"eyJ", 40}});

/// Letters of both cases and digits without any order: names of things are not like that.
bool is_random(std::string_view word) {
  if (word.size() < 32) return false;
  const auto count = [&](bool (*is)(char)) { return std::count_if(word.begin(), word.end(), is); };
  const auto others = static_cast<std::ptrdiff_t>(word.size()) - count(is_lower) - count(is_upper) -
                      count(is_number);
  return others == 0 && count(is_lower) >= 5 && count(is_upper) >= 5 && count(is_number) >= 3;
}

bool is_secret_shape(std::string_view word) {
  return is_random(word) || std::any_of(shapes.begin(), shapes.end(), [&](const Shape& shape) {
           return word.starts_with(shape.front) && word.size() >= shape.least;
         });
}

/// Looks through a text for secrets, and writes it again without them.
class TextScan {
 public:
  explicit TextScan(std::string_view text) : text_(text) {}

  std::string run() {
    while (at_ < text_.size()) {
      if (private_key() || url_password()) continue;
      if (is_of_name(text_[at_])) {
        take_name();
      } else {
        result_ += text_[at_++];
      }
    }
    return std::move(result_);
  }

 private:
  void keep_to(std::size_t end) {
    result_ += text_.substr(at_, end - at_);
    at_ = end;
  }

  void replace_to(std::size_t end) {
    result_ += redacted;
    at_ = end;
  }

  template <class Is>
  std::size_t end_of(std::size_t from, Is is) const {
    while (from < text_.size() && is(text_[from])) ++from;
    return from;
  }

  bool private_key() {
    constexpr std::string_view begin = "-----BEGIN ", kind = "PRIVATE KEY-----", end = "-----END ";
    if (text_.compare(at_, begin.size(), begin) != 0) return false;
    const std::size_t head = text_.find(kind, at_);
    if (head == std::string_view::npos || head > at_ + 60) return false;
    keep_to(head + kind.size());
    replace_to(std::min(text_.find(end, at_), text_.size()));
    return true;
  }

  /// scheme://user:PASSWORD@host, from its "://" on.
  bool url_password() {
    if (text_.compare(at_, 3, "://") != 0) return false;
    const auto inside = [](char letter) {
      return !is_space(letter) && !is_quote(letter) && letter != '/' && letter != '@' &&
             letter != ':';
    };
    const std::size_t user = end_of(at_ + 3, inside);
    if (user >= text_.size() || text_[user] != ':') return false;
    const std::size_t end = end_of(user + 1, [&](char c) { return inside(c) || c == ':'; });
    if (end == user + 1 || end >= text_.size() || text_[end] != '@') return false;
    keep_to(user + 1);
    replace_to(end);
    return true;
  }

  /// A word, and the value behind it where it is the name of a secret.
  void take_name() {
    const std::size_t end = end_of(at_, is_of_name);
    const std::string_view name = text_.substr(at_, end - at_);
    const Smell smell = smell_of(name);
    if (smell == Smell::none || !take_value(name, end, smell)) take_word(name, end);
  }

  void take_word(std::string_view name, std::size_t end) {
    if (is_secret_shape(name)) {
      replace_to(end);
    } else {
      keep_to(end);
    }
  }

  bool take_value(std::string_view name, std::size_t end, Smell smell) {
    const std::size_t begin = value_begin(name, end, smell);
    if (begin == std::string_view::npos) return false;
    std::size_t last = value_end(begin);
    for (const std::string_view scheme : {"Bearer ", "bearer ", "Basic ", "Token "})
      if (text_.substr(begin).starts_with(scheme)) last = value_end(begin + scheme.size());
    if (is_harmless(text_.substr(begin, last - begin), smell)) return false;
    keep_to(begin);
    replace_to(last);
    return true;
  }

  /// Where the value of a name begins; npos where it has none. Between both: '=' or ':', in an
  /// argument vector also what parts its words.
  std::size_t value_begin(std::string_view name, std::size_t end, Smell smell) const {
    std::size_t at = end;
    if (at < text_.size() && is_quote(text_[at])) ++at;
    const bool is_option = name.starts_with("-");
    const std::size_t sign = end_of(at, is_space);
    // "unexpected token: x" is a sentence.
    const bool colon = smell == Smell::strong || words_of_name(name).size() > 1;
    if (sign < text_.size() && (text_[sign] == '=' || (text_[sign] == ':' && colon))) {
      at = end_of(sign + 1, [](char c) { return c == ' ' || c == '\t'; });
    } else if (is_option) {
      const std::size_t next = end_of(at, [](char c) { return is_space(c) || c == ','; });
      if (next == at) return std::string_view::npos;
      at = next;
      if (text_.substr(at).starts_with("- ")) at = end_of(at + 1, is_space);  // a list in YAML
    } else {
      return std::string_view::npos;
    }
    if (at < text_.size() && is_quote(text_[at])) ++at;
    if (is_option && text_.substr(at).starts_with("--")) return std::string_view::npos;
    return at;
  }

  std::size_t value_end(std::size_t begin) const {
    const char quote = begin > 0 && is_quote(text_[begin - 1]) ? text_[begin - 1] : '\0';
    std::size_t at = begin;
    while (at < text_.size()) {
      const char letter = text_[at];
      if (letter == '\\' && at + 1 < text_.size()) {
        at += 2;
        continue;
      }
      const bool ends =
          quote != '\0' ? letter == quote
                        : is_space(letter) || is_quote(letter) ||
                              std::string_view(",;&|)}]").find(letter) != std::string_view::npos;
      if (ends) break;
      ++at;
    }
    return at;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::string result_;
};

void replace_all(std::string& text, const std::string& value) {
  for (std::size_t at = 0; (at = text.find(value, at)) != std::string::npos; at += redacted.size())
    text.replace(at, value.size(), redacted);
}

}  // namespace

bool is_secret_name(std::string_view name) {
  return smell_of(name) != Smell::none;
}

std::string Secrets::remember(std::string value) {
  if (value.size() >= shortest_value) values_.insert(std::move(value));
  return std::string(redacted);
}

std::vector<std::string> Secrets::hide(const std::vector<std::string>& command) {
  if (keep_) return command;
  std::vector<std::string> hidden;
  Smell before = Smell::none;  // of an option whose value comes next
  for (const std::string& word : command) {
    const Smell of_option = before;
    before = Smell::none;
    if (of_option != Smell::none && !word.starts_with("--")) {
      hidden.push_back(is_harmless(word, of_option) ? word : remember(word));
      continue;
    }
    const std::size_t equals = word.find('=');
    const std::string name = word.substr(0, equals);
    const bool is_name = std::all_of(name.begin(), name.end(), is_of_name);
    const Smell smell = is_name ? smell_of(name) : Smell::none;
    if (smell != Smell::none && equals != std::string::npos &&
        !is_harmless(word.substr(equals + 1), smell)) {
      hidden.push_back(name + "=" + remember(word.substr(equals + 1)));
      continue;
    }
    if (equals == std::string::npos && word.starts_with("-")) before = smell;
    hidden.push_back(hide(std::string_view(word)));
  }
  return hidden;
}

std::map<std::string, std::string> Secrets::hide(
    const std::map<std::string, std::string>& variables) {
  if (keep_) return variables;
  std::map<std::string, std::string> hidden;
  for (const auto& [name, value] : variables) {
    const Smell smell = smell_of(name);
    const bool secret = smell != Smell::none && !is_harmless(value, smell);
    hidden[name] = secret ? remember(value) : hide(std::string_view(value));
  }
  return hidden;
}

std::string Secrets::hide(std::string_view text) const {
  if (keep_) return std::string(text);
  std::string known(text);
  // The longest first: one may be a part of another.
  std::vector<std::string> values(values_.begin(), values_.end());
  std::sort(values.begin(), values.end(), [](const std::string& a, const std::string& b) {
    return a.size() != b.size() ? a.size() > b.size() : a < b;
  });
  for (const std::string& value : values) replace_all(known, value);
  return TextScan(known).run();
}

}  // namespace trainmark
