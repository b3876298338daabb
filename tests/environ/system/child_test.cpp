#include "environ/system/child.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include "environ/fake_machine.h"
#include "environ/machine/library_version.h"
#include "environ/system/system_files.h"
#include "patience.h"

namespace trainmark {
namespace {

TEST(Child, GivesWhatWasWritten) {
  const auto output = output_of_child(
      [] {
        if (::write(STDOUT_FILENO, "words", 5) != 5) ::_exit(1);
      },
      60);
  EXPECT_EQ(output, "words");
}

TEST(Child, ACrashIsNotOurs) {
  EXPECT_EQ(output_of_child([] { ::raise(SIGKILL); }, 60), std::nullopt);
  EXPECT_EQ(output_of_child([] { ::_exit(3); }, 60), std::nullopt);
}

TEST(Child, AHangIsEnded) {
  EXPECT_EQ(output_of_child(
                [] {
                  for (;;) ::pause();
                },
                0.01),
            std::nullopt);
  // Closing its output does not save it, either.
  EXPECT_EQ(output_of_child(
                [] {
                  ::close(STDOUT_FILENO);
                  for (;;) ::pause();
                },
                0.01),
            std::nullopt);
}

TEST(Child, WhatAHangHasStartedIsEndedWithIt) {
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  EXPECT_EQ(output_of_child(
                [&] {
                  const pid_t grandchild = ::fork();
                  if (grandchild == 0)
                    for (;;) ::pause();
                  if (::write(ends[1], &grandchild, sizeof grandchild) < 0) ::_exit(1);
                  for (;;) ::pause();
                },
                0.5),
            std::nullopt);
  pid_t grandchild = 0;
  ::close(ends[1]);
  ASSERT_EQ(::read(ends[0], &grandchild, sizeof grandchild),
            static_cast<ssize_t>(sizeof grandchild));
  ::close(ends[0]);
  // Nobody may have looked at its end yet: then it is a zombie.
  const auto lives = [&] {
    const auto status = SystemFiles().text("/proc/" + std::to_string(grandchild) + "/status");
    return status && status->find("State:\tZ") == std::string::npos;
  };
  const Patience patience("the end of a grandchild");
  while (lives() && patience.left()) ::usleep(1000);
  EXPECT_FALSE(lives());
}

TEST(Child, EndlessOutputIsCut) {
  const auto output = output_of_child(
      [] {
        while (::write(STDOUT_FILENO, "yyyyyyyy", 8) == 8) {
        }
      },
      0.2);
  EXPECT_EQ(output.value_or("nothing").size(), 4096U);
}

TEST(Child, FindsProgramsInOrder) {
  const FakeMachine fake;
  fake.write("/a/tool", "text, not a program");
  fake.write("/b/tool", "#!/bin/sh\necho ' tool 1.2 '\necho more\n");
  std::filesystem::permissions(fake.root() / "b/tool", std::filesystem::perms::owner_all);
  const std::string root = fake.root().string();
  const std::string found = find_program("tool", root + "/a::relative:" + root + "/b");
  EXPECT_EQ(found, root + "/b/tool");
  EXPECT_EQ(first_line_of({found, "--version"}), "tool 1.2");
  EXPECT_EQ(find_program("tool", ""), "");
  EXPECT_EQ(first_line_of({root + "/a/none"}), "");
}

TEST(LibraryVersion, AbsentIsZero) {
  EXPECT_EQ(library_version({"libno-such.so"}, "versionOf", true), 0);
  EXPECT_EQ(library_version({"libc.so.6"}, "no_such_function", false), 0);
}

TEST(LibraryVersion, Texts) {
  EXPECT_EQ(cuda_version_text(12040), "12.4");
  EXPECT_EQ(cuda_version_text(0), "");
  EXPECT_EQ(cudnn_version_text(90100), "9.1.0");
  EXPECT_EQ(cudnn_version_text(8902), "8.9.2");
  EXPECT_EQ(nccl_version_text(22005), "2.20.5");
  EXPECT_EQ(nccl_version_text(2804), "2.8.4");
  EXPECT_EQ(nccl_version_text(-1), "");
}

}  // namespace
}  // namespace trainmark
