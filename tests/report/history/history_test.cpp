#include "report/history/history.h"

#include <gtest/gtest.h>

#include "report/history/plot.h"
#include "report/sample_journal.h"

namespace trainmark {

namespace {

/// Six journals, the speed of one cell changed in the fourth; that of the other never did.
class History : public testing::Test {
 protected:
  History() {
    const std::vector<double> speeds = {100, 100.1, 99.9, 90, 90.1, 89.9};
    journals_.resize(speeds.size());
    results_.resize(speeds.size());
    std::vector<HistoryJournal> list;
    for (std::size_t i = 0; i < speeds.size(); ++i) {
      const double steady = 50 + 0.05 * static_cast<double>(i % 2);
      journals_[i]
          .good(SampleJournal::cell("resnet50", "a"), speeds[i])
          .good(SampleJournal::cell("bert", framework), steady);
      results_[i] = results_of(journals_[i].contents);
      list.push_back({fmt::format("journal-{}", i), fmt::format("2026-11-{:02}T08:00:00Z", i + 1),
                      "1.0", &journals_[i].contents, &results_[i]});
    }
    std::swap(list[0], list[5]);  // time puts them in order
    input_ = make_history(list, {});
  }

  std::string text(const std::string& format) const {
    std::ostringstream out;
    Registry<HistoryFormat>::find(format)->write(input_, out);
    return out.str();
  }

  static inline const std::string framework =
      "<img src=x onerror=alert(1)>|[a](javascript:b)</title></script>";
  std::vector<SampleJournal> journals_;
  std::vector<std::vector<Result>> results_;
  HistoryInput input_;
};

TEST_F(History, TheChangeIsMarkedAndNothingElse) {
  ASSERT_EQ(input_.cells.size(), 2U);
  ASSERT_EQ(input_.cells[0].changes.changes.size(), 1U);
  EXPECT_EQ(input_.cells[0].changes.changes[0].at, 3U);
  EXPECT_TRUE(input_.cells[1].changes.changes.empty());
  for (const char* format : {"table", "md"}) {
    EXPECT_NE(text(format).find("2026-11-04: −10.0"), std::string::npos) << text(format);
    EXPECT_NE(text(format).find("6 journals; cells in several of them: 2, with a change: 1"),
              std::string::npos);
  }
  const auto json = nlohmann::json::parse(text("json"));
  EXPECT_EQ(json["cells"][0]["changes"][0]["journal"], "journal-3");
  EXPECT_EQ(json["journals"][0]["name"], "journal-0");
  EXPECT_LT(json["cells"][0]["parts"][0]["low"], 100);
  EXPECT_GT(json["cells"][0]["parts"][0]["high"], 100);
}

TEST_F(History, TextsOfOthersAreTextEverywhere) {
  EXPECT_EQ(text("md").find("<img"), std::string::npos);
  EXPECT_EQ(text("html").find("<img"), std::string::npos);
  const std::string plot = history_plot(input_, input_.cells[1]);
  EXPECT_EQ(plot.find("<img"), std::string::npos);
  EXPECT_NE(plot.find("&lt;img"), std::string::npos);
}

TEST_F(History, PlotsAreKeptWhereTheyCanBe) {
  EXPECT_EQ(text("md").find("!["), std::string::npos);
  std::string drawn;
  input_.options.add_plot = [&](const std::string& name, const std::string& svg) {
    drawn = svg;
    return name + ".svg";
  };
  EXPECT_NE(text("md").find("](./history-1.svg)"), std::string::npos);
  EXPECT_TRUE(drawn.starts_with("<svg "));
}

TEST_F(History, PlainLettersWhereAsked) {
  input_.options.unicode = false;
  for (const char letter : text("table")) EXPECT_LT(static_cast<unsigned char>(letter), 0x80);
  EXPECT_EQ(spark_line({1, 2, 3}, false), "158");
  EXPECT_EQ(spark_line({100, 100.1}, true), "██") << "noise is no mountain";
}

TEST_F(History, CellsAreToldApartWhereTheTerminalIsNarrow) {
  input_.options.width = 80;
  const std::string narrow = text("table");
  EXPECT_EQ(narrow.find("resnet50:"), std::string::npos) << narrow;
  EXPECT_NE(narrow.find("precision fp32"), std::string::npos) << narrow;
  EXPECT_NE(narrow.find("\nresnet50  a"), std::string::npos) << narrow;
  EXPECT_NE(narrow.find("2026-11-04: −10.0"), std::string::npos) << narrow;
}

TEST(RepeatedJournals, AreKnownByTheirRecords) {
  JournalContents early, late, other, empty;
  early.sums = {1, 2, 3};
  late.sums = {1, 2, 3, 4};  // the same, gone on with
  other.sums = {1, 2, 5};
  std::vector<HistoryJournal> journals;
  const std::vector<Result> none;
  for (const auto& [name, contents] :
       {std::pair("early", &early), std::pair("late", &late), std::pair("other", &other),
        std::pair("./late", &late), std::pair("empty", &empty), std::pair("also empty", &empty)})
    journals.push_back({name, "", "", contents, &none});
  const auto repeated = drop_repeated(journals);
  ASSERT_EQ(repeated.size(), 2U);
  EXPECT_EQ(repeated[0].name, "early");
  EXPECT_EQ(repeated[0].counted, "late");
  EXPECT_EQ(repeated[1].name, "./late");
  EXPECT_EQ(repeated[1].counted, "late");
  ASSERT_EQ(journals.size(), 4U);
  EXPECT_EQ(journals[0].name, "late");
  EXPECT_EQ(journals[1].name, "other");
}

}  // namespace

}  // namespace trainmark
