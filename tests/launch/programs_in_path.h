#pragma once

#include <cstdlib>
#include <filesystem>
#include <string>

#include "base/files.h"
#include "temporary_folder.h"

namespace trainmark {

/// Scripts with the names of other programs, before all others in PATH.
class ProgramsInPath {
 public:
  ProgramsInPath() : path_(std::getenv("PATH")) {
    setenv("PATH", (folder_.path().string() + ":" + path_).c_str(), 1);
  }
  ~ProgramsInPath() { setenv("PATH", path_.c_str(), 1); }
  ProgramsInPath(const ProgramsInPath&) = delete;
  ProgramsInPath& operator=(const ProgramsInPath&) = delete;

  void add(const std::string& name, const std::string& script) const {
    write_file_atomically(folder_ / name, "#!/bin/sh\n" + script + "\n");
    std::filesystem::permissions(folder_ / name, std::filesystem::perms::owner_all);
  }

  std::filesystem::path operator/(const std::string& name) const { return folder_ / name; }

 private:
  TemporaryFolder folder_;
  std::string path_;
};

}  // namespace trainmark
