#include "base/terminal.h"

#include <gtest/gtest.h>
#include <pty.h>
#include <unistd.h>

#include <cstdlib>
#include <map>
#include <string>

namespace trainmark {
namespace {

using Values = std::map<std::string, std::string>;

/// Variables of the environment, for as long as it lives. Empty: not set.
class Variables {
 public:
  explicit Variables(const Values& wanted) {
    for (const auto& [name, value] : wanted) {
      const char* old = std::getenv(name.c_str());
      before_[name] = old == nullptr ? "" : old;
      set(name, value);
    }
  }
  ~Variables() {
    for (const auto& [name, value] : before_) set(name, value);
  }
  Variables(const Variables&) = delete;
  Variables& operator=(const Variables&) = delete;

 private:
  static void set(const std::string& name, const std::string& value) {
    if (value.empty()) {
      unsetenv(name.c_str());
    } else {
      setenv(name.c_str(), value.c_str(), 1);
    }
  }

  Values before_;
};

class Terminals : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(openpty(&other_end_, &terminal_, nullptr, nullptr, nullptr), 0);
    ASSERT_EQ(pipe(pipe_), 0);
  }
  void TearDown() override {
    for (const int stream : {terminal_, other_end_, pipe_[0], pipe_[1]}) close(stream);
  }

  int terminal_ = -1, other_end_ = -1, pipe_[2] = {-1, -1};
};

TEST_F(Terminals, ALineIsTakenBackOnlyWhereThatWorks) {
  const auto redraws = [](const std::string& kind, int stream) {
    const Variables variables(Values{{"TERM", kind}});
    return can_redraw(stream);
  };
  EXPECT_TRUE(redraws("xterm-256color", terminal_));
  EXPECT_FALSE(redraws("dumb", terminal_));
  EXPECT_FALSE(redraws("", terminal_)) << "nobody says what it can do";
  EXPECT_FALSE(redraws("xterm", pipe_[1]));
}

TEST_F(Terminals, TheFirstVariableOfTheLocaleDecides) {
  const auto unicode = [](const std::string& all, const std::string& type,
                          const std::string& language) {
    const Variables variables(Values{{"LC_ALL", all}, {"LC_CTYPE", type}, {"LANG", language}});
    return shows_unicode();
  };
  EXPECT_TRUE(unicode("", "", "de_DE.UTF-8"));
  EXPECT_TRUE(unicode("C.utf8", "C", "C"));
  for (const char* spelling : {"en_US.utf-8", "en_US.UTF8", "de_DE.Utf-8@euro"})
    EXPECT_TRUE(unicode("", "", spelling)) << spelling;
  EXPECT_FALSE(unicode("", "", "en_US.ISO-8859-1"));
  EXPECT_FALSE(unicode("C", "C.UTF-8", "C.UTF-8"));
  EXPECT_FALSE(unicode("", "POSIX", "C.UTF-8"));
  EXPECT_FALSE(unicode("", "", "")) << "that is the locale C";
}

TEST_F(Terminals, MarksHaveALikenessInPlainLetters) {
  EXPECT_EQ(plain_letters("12.5 images/s ±0.4 %, 3 × 2 … → 5 µs – ok"),
            "12.5 images/s +-0.4 %, 3 x 2 ... -> 5 us - ok");
  EXPECT_EQ(plain_letters("plain"), "plain");
  EXPECT_EQ(plain_letters("中位数"), "中位数") << "what has no likeness stays";
}

TEST_F(Terminals, FilesKeepWhatATerminalCannotShow) {
  const Variables variables(Values{{"LC_ALL", "C"}});
  EXPECT_EQ(shown_on(terminal_, "±1"), "+-1");
  EXPECT_EQ(shown_on(pipe_[1], "±1"), "±1");
  const Variables better(Values{{"LC_ALL", "C.UTF-8"}});
  EXPECT_EQ(shown_on(terminal_, "±1"), "±1");
}

}  // namespace
}  // namespace trainmark
