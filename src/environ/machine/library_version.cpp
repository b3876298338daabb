#include "environ/machine/library_version.h"

#include <dlfcn.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cstddef>

#include "environ/system/child.h"
#include "environ/system/system_files.h"

namespace trainmark {

namespace {

constexpr double seconds_to_load = 10;  // cuDNN is large, and often on a network disk

long ask(const std::vector<std::string>& names, const std::string& function, bool by_pointer) {
  for (const std::string& name : names) {
    void* library = ::dlopen(name.c_str(), RTLD_LAZY | RTLD_LOCAL);
    void* found = library == nullptr ? nullptr : ::dlsym(library, function.c_str());
    if (found == nullptr) continue;
    if (!by_pointer) return static_cast<long>(reinterpret_cast<std::size_t (*)()>(found)());
    int version = 0;
    if (reinterpret_cast<int (*)(int*)>(found)(&version) == 0) return version;
  }
  return 0;
}

std::string three_parts(long version, long major_unit, long minor_unit) {
  return fmt::format("{}.{}.{}", version / major_unit, version % major_unit / minor_unit,
                     version % minor_unit);
}

}  // namespace

long library_version(const std::vector<std::string>& names, const std::string& function,
                     bool by_pointer) {
  const auto output = output_of_child(
      [&] {
        const std::string text = fmt::format("{}", ask(names, function, by_pointer));
        if (::write(STDOUT_FILENO, text.data(), text.size()) < 0) ::_exit(1);
      },
      seconds_to_load);
  const auto version = output ? parse_number(*output) : std::nullopt;
  return version && *version > 0 && *version < 100'000'000 ? static_cast<long>(*version) : 0;
}

std::string cuda_version_text(long version) {
  return version < 1000 ? "" : fmt::format("{}.{}", version / 1000, version % 1000 / 10);
}

std::string cudnn_version_text(long version) {
  if (version < 1000) return "";
  return version >= 10000 ? three_parts(version, 10000, 100) : three_parts(version, 1000, 100);
}

std::string nccl_version_text(long version) {
  if (version < 1000) return "";
  return version >= 10000 ? three_parts(version, 10000, 100) : three_parts(version, 1000, 100);
}

}  // namespace trainmark
