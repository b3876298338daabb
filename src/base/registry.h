#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace trainmark {

/// Named things that register themselves from their own source file, so that adding one edits no
/// list: `const Registration<Format> registered("csv", {...});` at namespace scope.
template <class Thing>
class Registry {
 public:
  static std::map<std::string, Thing, std::less<>>& all() {
    static std::map<std::string, Thing, std::less<>> things;
    return things;
  }

  static const Thing* find(std::string_view name) {
    const auto found = all().find(name);
    return found == all().end() ? nullptr : &found->second;
  }

  static std::vector<std::string> names() {
    std::vector<std::string> result;
    for (const auto& [name, thing] : all()) result.push_back(name);
    return result;
  }
};

template <class Thing>
struct Registration {
  Registration(const std::string& name, Thing thing) {
    Registry<Thing>::all().emplace(name, std::move(thing));
  }
};

}  // namespace trainmark
