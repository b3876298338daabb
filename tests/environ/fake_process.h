#pragma once

#include <fmt/format.h>
#include <sys/types.h>

#include "environ/fake_machine.h"

namespace trainmark {

struct FakeProcess {
  int parent = 1;
  long long own = 0;
  long long reaped = 0;
  long long start = 5;
};

inline void write_process(const FakeMachine& fake, pid_t pid, const FakeProcess& process) {
  fake.write(fmt::format("/proc/{}/stat", pid),
             fmt::format("{} (it) S {} 1 1 0 -1 0 0 0 0 0 {} 0 {} 0 20 0 1 0 {} 0 0\n", pid,
                         process.parent, process.own, process.reaped, process.start));
}

}  // namespace trainmark
