#include "data/making/make.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <csignal>
#include <set>

#include "data/making/check.h"
#include "data/making/manifest.h"
#include "data/making/small_set.h"
#include "data/pictures/decode.h"
#include "temporary_folder.h"
#include "user_error.h"

namespace trainmark::data {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> formats_to_make() {
  std::vector<std::string> names;
  for (const auto& [name, format] : Registry<Format>::all())
    if (format.make_writer) names.push_back(name);
  return names;
}

/// Of every format.
class EveryFormat : public testing::Test {
 protected:
  const TemporaryFolder folder_;
};

TEST_F(EveryFormat, HoldsWhatWasAskedForAndChecksWell) {
  for (const std::string& format : formats_to_make()) {
    SCOPED_TRACE(format);
    const MakeSettings settings = small_set(format, folder_ / format);
    const MadeDataSet made = make_quietly(settings);
    const auto set = open_data_set(folder_ / format);
    EXPECT_EQ(set->format(), format);
    EXPECT_EQ(set->kind(), made.kind);
    EXPECT_EQ(set->size(), 12);
    EXPECT_EQ(set->classes(), made.classes);
    const CheckedDataSet checked = check_data_set(folder_ / format, 2, [](auto...) {});
    EXPECT_TRUE(checked.is_sound());
    EXPECT_EQ(checked.made_by, "a test");
    if (set->kind() == kind::labelled_images) {
      EXPECT_EQ(checked.per_class, (std::vector<std::int64_t>{4, 4, 4}));
    }
  }
  EXPECT_GE(formats_to_make().size(), 9U);
}

TEST_F(EveryFormat, IsTheSameForASeedWhateverTheNumberOfThreads) {
  for (const std::string& format : formats_to_make()) {
    SCOPED_TRACE(format);
    MakeSettings settings = small_set(format, folder_ / (format + "-2"));
    make_quietly(settings);
    settings.threads = 5;
    settings.out = folder_ / (format + "-5");
    make_quietly(settings);
    settings.items.seed = 2;
    settings.out = folder_ / (format + "-other");
    make_quietly(settings);
    const auto two = contents_below(folder_ / (format + "-2"));
    EXPECT_EQ(two, contents_below(folder_ / (format + "-5")));
    auto other = contents_below(folder_ / (format + "-other"));
    for (const auto& [name, content] : two) {
      // The manifest names the seed and would always differ; indexes hold only where items lie.
      if (name.ends_with(".json") || name.ends_with(".idx")) continue;
      EXPECT_NE(content, other[name]) << name;
    }
  }
}

TEST(Make, SaysHowFarItIs) {
  const TemporaryFolder folder;
  std::map<std::string, std::int64_t> reached;
  make_data_set(small_set("imagefolder", folder / "set"),
                [&](std::string_view what, std::int64_t done, std::int64_t items) {
                  EXPECT_EQ(items, 12);
                  EXPECT_EQ(done, ++reached[std::string(what)]);
                });
  EXPECT_EQ(reached, (std::map<std::string, std::int64_t>{{"made", 12}, {"read back", 12}}));
}

TEST(Make, TheManifestTellsHowItWasMade) {
  const TemporaryFolder folder;
  MakeSettings settings = small_set("imagefolder", folder / "set");
  settings.items.seed = 7;
  make_quietly(settings);
  const auto manifest = read_manifest(folder / "set");
  ASSERT_TRUE(manifest);
  EXPECT_EQ(manifest->seed, 7U);
  EXPECT_EQ(manifest->format, "imagefolder");
  EXPECT_EQ(manifest->kind, kind::labelled_images);
  std::set<std::string> names;
  for (const Manifest::Sum& sum : manifest->sums) names.insert(sum.name);
  EXPECT_EQ(names.size(), 12U);
  for (const std::string& name : names) EXPECT_TRUE(fs::exists(folder / "set" / name)) << name;
}

TEST(Make, FacesAreAKindOfTheirOwnSize) {
  const TemporaryFolder folder;
  MakeSettings settings = small_set("imagefolder", folder / "set");
  settings.subject = "faces";
  settings.items.numbers = {{"classes", 4}};
  make_quietly(settings);
  const auto set = open_data_set(folder / "set");
  EXPECT_EQ(set->classes(), 4);
  Item item;
  set->read(0, item);
  const PictureInfo info = inspect(item.picture);
  EXPECT_EQ(info.width, 112);
  EXPECT_EQ(info.height, 112);
}

struct BadSettings {
  const char* name;
  void (*spoil)(MakeSettings& settings);
  const char* words;
};

class Refused : public testing::TestWithParam<BadSettings> {};

TEST_P(Refused, WithWordsAndWithoutATrace) {
  const TemporaryFolder folder;
  MakeSettings settings = small_set("imagefolder", folder / "set");
  GetParam().spoil(settings);
  const std::string words = user_error_of([&] { make_quietly(settings); });
  EXPECT_NE(words.find(GetParam().words), std::string::npos) << words;
  EXPECT_TRUE(fs::is_empty(folder.path()));
}

INSTANTIATE_TEST_SUITE_P(
    Make, Refused,
    testing::Values(BadSettings{"format", [](MakeSettings& it) { it.items.format = "imagefodler"; },
                                "did you mean 'imagefolder'?"},
                    BadSettings{"kind", [](MakeSettings& it) { it.subject = kind::sentence_pairs; },
                                "the format imagefolder holds labelled-images, not sentence-pairs"},
                    BadSettings{"no_kind", [](MakeSettings& it) { it.subject = "labeled-images"; },
                                "did you mean 'labelled-images'?"},
                    BadSettings{"option",
                                [](MakeSettings& it) { it.items.numbers["vocabulary"] = 100; },
                                "--vocabulary does not apply to labelled-images"},
                    BadSettings{"classes",
                                [](MakeSettings& it) { it.items.numbers["classes"] = 13; },
                                "--classes 13 of 12 items"},
                    BadSettings{"many",
                                [](MakeSettings& it) {
                                  it.items.items = 100'000;
                                  it.items.numbers["classes"] = 9001;
                                },
                                "can be told apart"}),
    [](const auto& test) { return std::string(test.param.name); });

/// As long as it lives, no file can become larger than this: what a full disk does to a write.
class FullDisk {
 public:
  explicit FullDisk(rlim_t bytes) : handler_(std::signal(SIGXFSZ, SIG_IGN)) {
    getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit little = {bytes, before_.rlim_max};
    setrlimit(RLIMIT_FSIZE, &little);
  }
  ~FullDisk() {
    setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, handler_);
  }
  FullDisk(const FullDisk&) = delete;
  FullDisk& operator=(const FullDisk&) = delete;

 private:
  rlimit before_{};
  void (*handler_)(int);
};

TEST(Make, AFullDiskLeavesNothing) {
  for (const std::string& format : formats_to_make()) {
    SCOPED_TRACE(format);
    const TemporaryFolder folder;
    std::string words;
    {
      const FullDisk full(200);
      words =
          message_of<SystemError>([&] { make_quietly(small_set(format, folder / "set", 200)); });
    }
    EXPECT_FALSE(words.empty());
    EXPECT_TRUE(fs::is_empty(folder.path()));
  }
}

}  // namespace
}  // namespace trainmark::data
