#include "suite/hosts.h"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "base/text.h"

namespace trainmark {

namespace {

constexpr std::int64_t most_slots = 99999;

/// Names become arguments of ssh and mpirun: one that begins with a dash would be an option there.
void check_host_name(const Placed<std::string>& name) {
  const auto allowed = [](unsigned char c) {
    return std::isalnum(c) != 0 || c == '.' || c == '-' || c == '_';
  };
  const bool good = !name.value.empty() && name.value.size() <= 253 && name.value[0] != '-' &&
                    std::all_of(name.value.begin(), name.value.end(), allowed);
  if (good) return;
  fail_at(name.place,
          fmt::format("'{}' is not a host name; write names or addresses such as gpu07 "
                      "or 10.0.0.7, each with its slots where they are limited: gpu07:8",
                      printable(name.value)));
}

int slots_of(const std::string& text, const Place& place) {
  const auto slots = parse_integer(text);
  if (!slots || *slots < 1 || *slots > most_slots) {
    fail_at(place, fmt::format("the slots of a host must be a whole number from 1 to {}, not '{}'",
                               most_slots, printable(text)));
  }
  return static_cast<int>(*slots);
}

std::vector<Host>::iterator find_host(std::vector<Host>& hosts, const std::string& name) {
  return std::find_if(hosts.begin(), hosts.end(),
                      [&](const Host& host) { return host.name == name; });
}

/// The words of a line, without its comment.
std::vector<std::string> words_of_line(const std::string& line) {
  std::istringstream stream(line.substr(0, line.find('#')));
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

/// Open MPI counts a line without `slots=` as one slot.
int slots_in_words(const std::vector<std::string>& words, const Place& place) {
  int slots = 1;
  for (std::size_t i = 1; i < words.size(); ++i) {
    const auto equals = words[i].find('=');
    const std::string name = words[i].substr(0, equals);
    if (equals == std::string::npos || (name != "slots" && name != "max_slots")) {
      fail_at(place, fmt::format("'{}' is not known; write a line of a hostfile like gpu07 "
                                 "slots=8",
                                 printable(words[i])));
    }
    const int value = slots_of(words[i].substr(equals + 1), place);
    if (name == "slots") slots = value;
  }
  return slots;
}

}  // namespace

std::vector<Host> parse_hosts(const std::vector<Placed<std::string>>& words) {
  std::vector<Host> hosts;
  for (const auto& word : words) {
    const auto colon = word.value.find(':');
    Host host{word.value.substr(0, colon)};
    check_host_name({host.name, word.place});
    if (colon != std::string::npos) host.slots = slots_of(word.value.substr(colon + 1), word.place);
    if (find_host(hosts, host.name) != hosts.end()) {
      fail_at(word.place, fmt::format("the host {} is listed twice; write {}:2 for two slots",
                                      host.name, host.name));
    }
    hosts.push_back(std::move(host));
  }
  return hosts;
}

std::vector<Host> parse_hostfile(const std::string& text, const std::string& file) {
  std::vector<Host> hosts;
  int number = 0;
  for (const auto& line : split(without_byte_order_mark(text), '\n')) {
    const Place place{file, ++number};
    const auto words = words_of_line(line);
    if (words.empty()) continue;
    check_host_name({words.front(), place});
    const int slots = slots_in_words(words, place);
    const auto known = find_host(hosts, words.front());
    if (known == hosts.end()) {
      hosts.push_back({words.front(), slots});
    } else {
      known->slots += slots;
    }
  }
  if (hosts.empty()) {
    fail_at({file, 1}, "the hostfile names no host; write one per line, such as gpu07 slots=8");
  }
  return hosts;
}

}  // namespace trainmark
