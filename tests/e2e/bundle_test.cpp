// `trainmark report --bundle`: all that another person needs, nothing that is secret; and what is
// read back from a bundle of somebody else is not trusted.

#include <archive.h>
#include <archive_entry.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <zstd.h>

#include <fstream>
#include <set>
#include <sstream>

#include "e2e/support/program.h"

namespace trainmark::e2e {

namespace {

namespace fs = std::filesystem;

/// Every file of an archive, by name.
std::map<std::string, std::string> unpacked(const fs::path& file) {
  std::map<std::string, std::string> files;
  archive* handle = archive_read_new();
  archive_read_support_filter_zstd(handle);
  archive_read_support_format_tar(handle);
  EXPECT_EQ(archive_read_open_filename(handle, file.c_str(), 65536), ARCHIVE_OK);
  archive_entry* entry = nullptr;
  while (archive_read_next_header(handle, &entry) == ARCHIVE_OK) {
    std::string& content = files[archive_entry_pathname(entry)];
    char buffer[65536];
    for (la_ssize_t got = 0; (got = archive_read_data(handle, buffer, sizeof buffer)) > 0;)
      content.append(buffer, static_cast<std::size_t>(got));
  }
  archive_read_free(handle);
  return files;
}

/// One entry of an archive that somebody hostile has made.
struct Entry {
  std::string name, content;
  std::string link = {};       // where a symbolic link leads
  std::string hard = {};       // where a hard link leads
  std::uint64_t declared = 0;  // bytes, where it lies about its content
};

/// A head of tar, made by hand: the writer of bundles would not make such ones.
std::string tar_entry(const Entry& entry) {
  std::string head(512, '\0');
  const auto put = [&](std::size_t place, const std::string& text) {
    head.replace(place, text.size(), text);
  };
  put(0, entry.name);
  put(100, "0000644");
  put(108, "0000000");
  put(116, "0000000");
  put(124, fmt::format("{:011o}", entry.declared > 0 ? entry.declared : entry.content.size()));
  put(136, "00000000000");
  put(156, !entry.link.empty() ? "2" : !entry.hard.empty() ? "1" : "0");
  put(157, entry.link + entry.hard);
  put(257, std::string("ustar\0", 6) + "00");
  put(148, "        ");
  unsigned sum = 0;
  for (const char letter : head) sum += static_cast<unsigned char>(letter);
  put(148, fmt::format("{:06o}", sum) + std::string("\0 ", 2));
  return head + entry.content + std::string((512 - entry.content.size() % 512) % 512, '\0');
}

void write_archive(const fs::path& file, const std::vector<Entry>& entries) {
  std::string tar;
  for (const Entry& entry : entries) tar += tar_entry(entry);
  tar += std::string(1024, '\0');
  std::string packed(ZSTD_compressBound(tar.size()), '\0');
  packed.resize(ZSTD_compress(packed.data(), packed.size(), tar.data(), tar.size(), 3));
  std::ofstream(file, std::ios::binary) << packed;
}

class Bundle : public testing::Test {
 protected:
  void SetUp() override {
    write_text(folder_ / "suite.yaml", clock_suite("rule: fixed, steps: 20, skip: 2", {}, 2));
    ASSERT_EQ(trainmark({"run", folder_ / "suite.yaml", "--out", results(), "--quiet"},
                        {{"AWS_SECRET_ACCESS_KEY", "hush-aws"},
                         {"HF_TOKEN", "hush-token"},
                         {"OMP_SECRET", "hush-omp"},
                         {"MY_OWN_VARIABLE", "hush-own"},
                         {"OMP_WAIT_POLICY", "passive"}})
                  .code,
              0);
  }

  fs::path results() const { return folder_ / "results"; }
  fs::path bundle() const { return folder_ / "all.tar.zst"; }

  TemporaryFolder folder_;
};

TEST_F(Bundle, HoldsAllThatIsNeededAndNoSecret) {
  ASSERT_EQ(trainmark({"report", results(), "--bundle", bundle()}).code, 0);
  const auto files = unpacked(bundle());
  for (const char* name : {"results/journal.jsonl", "results/report.html", "results/report.md",
                           "results/suites/suite.yaml"})
    EXPECT_TRUE(files.contains(name)) << name;
  std::string everything, names;
  for (const auto& [name, content] : files) {
    everything += content;
    names += name + "\n";
  }
  EXPECT_NE(names.find("events.jsonl"), std::string::npos);
  EXPECT_NE(names.find("stdout.log"), std::string::npos);
  EXPECT_NE(names.find("results/environments/"), std::string::npos);
  EXPECT_NE(names.find("results/report-plots/ranking-"), std::string::npos);
  EXPECT_NE(everything.find("passive"), std::string::npos) << "what is on the list is kept";
  EXPECT_EQ(everything.find("hush-"), std::string::npos) << "what is not on the list is not";
}

TEST_F(Bundle, IsReadByReportAndCompareAsItsFolderIs) {
  ASSERT_EQ(trainmark({"report", results(), "--bundle", bundle()}).code, 0);
  const Outcome folder = trainmark({"report", results(), "--format", "json"});
  const Outcome file = trainmark({"report", bundle(), "--format", "json"});
  EXPECT_EQ(file.code, 0) << file.errors;
  EXPECT_EQ(file.output.substr(file.output.find("\"results\"")),
            folder.output.substr(folder.output.find("\"results\"")));
  const std::string page = trainmark({"report", bundle(), "--format", "html"}).output;
  EXPECT_NE(page.find("\"trace\""), std::string::npos) << "the steps are there, too";
  const Outcome compared = trainmark({"compare", results(), bundle()});
  EXPECT_EQ(compared.code, 0) << compared.errors;
  EXPECT_NE(compared.output.find("+0.00 %"), std::string::npos);
}

TEST_F(Bundle, TheSameResultsGiveTheSameBytesAndAnOldFileIsReplacedWhole) {
  write_text(bundle(), "old");
  ASSERT_EQ(trainmark({"report", results(), "--bundle", bundle()}).code, 0);
  ASSERT_EQ(trainmark({"report", results(), "--bundle", folder_ / "again.tar.zst"}).code, 0);
  std::ostringstream one, two;
  one << std::ifstream(bundle()).rdbuf();
  two << std::ifstream(folder_ / "again.tar.zst").rdbuf();
  EXPECT_TRUE(one.str() == two.str());
  EXPECT_EQ(trainmark({"report", results(), "--bundle", folder_ / "no/such/b.tar.zst"}).code, 1);
}

/// All that lies in a folder, as one text; what programs printed themselves is left out.
std::string all_written(const fs::path& folder) {
  std::string text;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    const std::string name = entry.path().filename();
    if (!entry.is_regular_file() || name == "stdout.log" || name == "stderr.log") continue;
    std::ostringstream content;
    content << std::ifstream(entry.path()).rdbuf();
    text += content.str();
  }
  return text;
}

const char* const secret_suite =
    "matrix: {workload: clock, framework: clock, size: tiny}\n"
    "measure: {rule: fixed, steps: 20, skip: 2}\nrounds: 1\n"
    "frameworks:\n  clock:\n    environment: {HF_TOKEN: hush-suite, WANDB_PASS: hush-pass,\n"
    "      DB_PWD: hush, OMP_WAIT_POLICY: passive}\n";

TEST_F(Bundle, HoldsNoSecretOfASuite) {
  write_text(folder_ / "secret.yaml", secret_suite);
  const fs::path secret = folder_ / "secret-results";
  ASSERT_EQ(trainmark({"run", folder_ / "secret.yaml", "--out", secret, "--quiet"}).code, 0);
  ASSERT_EQ(trainmark({"report", secret, "--bundle", bundle()}).code, 0);
  std::string everything = all_written(secret);
  for (const auto& [name, content] : unpacked(bundle())) everything += content;
  EXPECT_EQ(everything.find("hush"), std::string::npos);
  EXPECT_NE(everything.find("HF_TOKEN: REDACTED"), std::string::npos);
  EXPECT_NE(everything.find("\"HF_TOKEN\":\"REDACTED\""), std::string::npos);
  EXPECT_NE(everything.find("passive"), std::string::npos);
  EXPECT_EQ(trainmark({"run", folder_ / "secret.yaml", "--out", secret, "--quiet", "--resume",
                       "--rounds", "2"})
                .code,
            0)
      << "the same suite is known again";
}

TEST_F(Bundle, HoldsNoSecretOfACommand) {
  const fs::path secret = folder_ / "secret-results";
  const std::string program =
      "i=0; while :; do i=$((i+1)); echo step $i speed 10; sleep 0.01; done";
  ASSERT_EQ(trainmark({"measure", "--out", secret, "--rounds", "1", "--max-seconds", "1",
                       "--pattern", "step (?P<step>\\d+) speed (?P<rate>\\d+)", "--", "env",
                       "WANDB_API_KEY=hush-key", "sh", "-c", program, "--password=hush \"pass",
                       "--token", "hush-token", "https://me:hush-url@example.org/"})
                .code,
            0);
  ASSERT_EQ(trainmark({"report", secret, "--bundle", bundle()}).code, 0);
  std::string everything = all_written(secret);
  for (const auto& [name, content] : unpacked(bundle())) everything += content;
  EXPECT_EQ(everything.find("hush"), std::string::npos)
      << everything.substr(everything.find("hush") - 40, 80);
  EXPECT_NE(everything.find("WANDB_API_KEY=REDACTED"), std::string::npos);
}

TEST_F(Bundle, OfKeptSecretsIsRefusedUnlessAskedFor) {
  write_text(folder_ / "secret.yaml", secret_suite);
  const fs::path secret = folder_ / "secret-results";
  ASSERT_EQ(
      trainmark({"run", folder_ / "secret.yaml", "--out", secret, "--quiet", "--keep-secrets"})
          .code,
      0);
  EXPECT_NE(all_written(secret).find("hush-suite"), std::string::npos);
  const Outcome refused = trainmark({"report", secret, "--bundle", bundle()});
  EXPECT_EQ(refused.code, 2);
  EXPECT_NE(refused.errors.find("--keep-secrets"), std::string::npos) << refused.errors;
  EXPECT_EQ(refused.errors.find("hush"), std::string::npos);
  EXPECT_FALSE(fs::exists(bundle()));
  EXPECT_EQ(trainmark({"report", secret, "--bundle", bundle(), "--keep-secrets"}).code, 0);
}

TEST_F(Bundle, OfSomebodyElseIsNotTrusted) {
  const std::vector<std::pair<const char*, std::vector<Entry>>> hostile = {
      {"would be unpacked outside", {{"../evil.txt", "x"}}},
      {"would be unpacked outside", {{"a/../../evil.txt", "x"}}},
      {"would be unpacked outside", {{"/evil.txt", "x"}}},
      {"would be unpacked outside", {{"a/runs/..\\evil", "x"}}},
      {"link or a device", {{"a/runs/log", "", "/etc/passwd"}}},
      {"link or a device", {{"a/journal.jsonl", ""}, {"a/runs/log", "", "", "a/journal.jsonl"}}},
      {"twice", {{"a/journal.jsonl", "1"}, {"b/journal.jsonl", "2"}}},
      {"'runs/a' in it is both a file and a folder",
       {{"a/journal.jsonl", ""}, {"a/runs/a", "x"}, {"a/runs/a/b", "x"}}},
      {"it unpacks to more than 8 GiB", {{"a/journal.jsonl", "", "", "", 9ULL << 30}}},
      {"holds no journal", {{"a/readme.txt", "x"}}},
      {"holds no journal", {}},
  };
  for (const auto& [words, entries] : hostile) {
    write_archive(bundle(), entries);
    const Outcome outcome = trainmark({"report", bundle()}, {{"TMPDIR", folder_.path()}});
    EXPECT_EQ(outcome.code, 2) << words;
    EXPECT_NE(outcome.errors.find(words), std::string::npos) << outcome.errors;
    EXPECT_FALSE(fs::exists(folder_ / "evil.txt"));
    for (const auto& entry : fs::directory_iterator(folder_.path()))
      EXPECT_FALSE(entry.path().filename().string().starts_with("trainmark-bundle-"));
  }
  write_text(bundle(), "this is no archive");
  EXPECT_EQ(trainmark({"report", bundle()}).code, 2);
}

TEST_F(Bundle, ThatWasCutIsRefused) {
  ASSERT_EQ(trainmark({"report", results(), "--bundle", bundle()}).code, 0);
  fs::resize_file(bundle(), fs::file_size(bundle()) / 2);
  const Outcome outcome = trainmark({"report", bundle()});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_NE(outcome.errors.find("damaged"), std::string::npos) << outcome.errors;
}

}  // namespace

}  // namespace trainmark::e2e
