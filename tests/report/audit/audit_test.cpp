#include "report/audit/audit.h"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "logs/made_up_logs.h"
#include "report/audit/audit_format.h"
#include "temporary_folder.h"

namespace trainmark {
namespace {

namespace fs = std::filesystem;
using Reason = Explanation::Reason;

void write_log(const fs::path& path, const std::string& text) {
  fs::create_directories(path.parent_path());
  std::ofstream(path, std::ios::binary) << text;
}

/// PaddleSeg prints the rate of one rank: slow records first, then steady ones.
std::string seg_log(double rate, int slow = 20, double slow_rate = 10, double reader = 0.01) {
  return lines_of(200, [&](int step) {
    const double here = step <= slow ? slow_rate : rate * (1 + 0.001 * (step % 3));
    return fmt::format(
        "2024-01-02 03:04:05 [INFO]\t[TRAIN] epoch: 1, iter: {}/2000, loss: 1.5, lr: 0.01, "
        "batch_cost: {:.6f}, reader_cost: {:.6f}, ips: {:.4f} samples/sec | ETA 00:01:00",
        step * 10, 16 / here, reader, here);
  });
}

class AuditTest : public testing::Test {
 protected:
  AuditedClaim audited(const std::string& log, double published, int gpus = 1) {
    return audit(fmt::format("log,published,gpus,batch\n{},{},{},16\n", log, published, gpus))
        .claims.at(0);
  }

  Audit audit(const std::string& table) {
    write_log(folder / "t.csv", table);
    return audit_claims(read_claims(folder / "t.csv", folder.path()), {});
  }

  Reason reason(const AuditedClaim& claim) {
    return claim.explanation ? claim.explanation->reason : Reason::unknown;
  }

  TemporaryFolder folder;
};

TEST_F(AuditTest, FiguresAreGradedByHowNearTheyAre) {
  write_log(folder / "a.log", seg_log(100, 0));
  const std::pair<double, Grade> cases[] = {{100.1, Grade::within_1}, {100.9, Grade::within_1},
                                            {102, Grade::within_3},   {95, Grade::within_10},
                                            {80, Grade::off},         {120, Grade::off}};
  for (const auto& [published, grade] : cases) {
    const AuditedClaim claim = audited("a.log", published);
    EXPECT_EQ(claim.grade, grade) << published;
    EXPECT_NEAR(claim.off, 100.1 / published - 1, 1e-3);
  }
}

TEST_F(AuditTest, FindsThatTheFirstRecordsWereCounted) {
  write_log(folder / "a.log", seg_log(100, 40, 5));
  const AuditedClaim claim = audited("a.log", 0.8 * 100.1 + 0.2 * 5);
  EXPECT_EQ(reason(claim), Reason::warm_up);
  EXPECT_EQ(claim.explanation->how, "skip=0 agg=mean");
}

TEST_F(AuditTest, FindsAnotherRule) {
  // Half of the records are slow, in the steady part, too: the minimum is far from the mean.
  write_log(folder / "a.log", lines_of(200, [](int step) {
              return seg_line(step, step % 2 == 0 ? 100 : 60, 16.0 / 80);
            }));
  const AuditedClaim claim = audited("a.log", 60);
  EXPECT_EQ(reason(claim), Reason::rule);
  EXPECT_EQ(claim.explanation->how, "agg=min");
}

TEST_F(AuditTest, ARuleThatComesNearIsNoReason) {
  write_log(folder / "a.log", lines_of(200, [](int step) {
              return seg_line(step, step % 2 == 0 ? 100 : 60, 16.0 / 80);
            }));
  EXPECT_EQ(reason(audited("a.log", 60.5)), Reason::rule);
  EXPECT_NE(reason(audited("a.log", 63)), Reason::rule) << "five percent from the minimum";
}

TEST_F(AuditTest, FindsThatOneRankWasPublishedForAll) {
  write_log(folder / "a.log", seg_log(100));
  const AuditedClaim one = audited("a.log", 100.1, 8);
  EXPECT_EQ(one.grade, Grade::off);
  EXPECT_EQ(reason(one), Reason::ranks);
  EXPECT_EQ(one.explanation->how, "÷ 8 GPUs");
  EXPECT_EQ(audited("a.log", 6406, 8).explanation->how, "× 8 GPUs");
}

TEST_F(AuditTest, FindsAnotherUnit) {
  write_log(folder / "a.log", seg_log(100));
  const AuditedClaim steps = audited("a.log", 100.1 / 16);
  EXPECT_EQ(reason(steps), Reason::units);
  EXPECT_EQ(steps.explanation->how, "÷ batch 16");
}

TEST_F(AuditTest, FindsAnotherRunOfTheFile) {
  write_log(folder / "a.log", seg_log(100) + seg_log(37));
  const AuditedClaim claim = audited("a.log", 100.1);
  EXPECT_EQ(reason(claim), Reason::run);
  EXPECT_EQ(claim.explanation->how, "run 1 of 2");
}

TEST_F(AuditTest, FindsTheNeighbourThatFits) {
  write_log(folder / "fp32.log", seg_log(271));
  write_log(folder / "amp.log", seg_log(100));
  write_log(folder / "other.log", seg_log(500));
  const AuditedClaim claim = audited("fp32.log", 100.1);
  EXPECT_EQ(reason(claim), Reason::wrong_file);
  EXPECT_EQ(claim.explanation->how, "amp.log");
}

TEST_F(AuditTest, FindsALogElsewhereInTheTable) {
  write_log(folder / "theirs/x.log", seg_log(271));
  write_log(folder / "ours/y.log", seg_log(100));
  const auto both = [&](const std::string& unit) {
    return audit("log,published,gpus,unit\ntheirs/x.log,100.1,1,samples/s\nours/y.log,100,1," +
                 unit + "\n");
  };
  const Audit found = both("samples/s");
  ASSERT_EQ(reason(found.claims[0]), Reason::wrong_file);
  EXPECT_EQ(found.claims[0].explanation->how, "ours/y.log");
  EXPECT_NE(reason(both("words/s").claims[0]), Reason::wrong_file) << "which counts something else";
}

TEST_F(AuditTest, NeighboursAreReadAsTheTableDescribesThem) {
  write_log(folder / "one.log", seg_log(271));
  write_log(folder / "eight.log", seg_log(100));
  const Audit both = audit("log,published,gpus\none.log,800.8,1\neight.log,800.8,8\n");
  EXPECT_EQ(both.claims[1].grade, Grade::within_1);
  ASSERT_EQ(reason(both.claims[0]), Reason::wrong_file);
  EXPECT_EQ(both.claims[0].explanation->how, "eight.log");
}

TEST_F(AuditTest, FindsCopies) {
  write_log(folder / "four.log", seg_log(100));
  write_log(folder / "eight.log", seg_log(100));
  const Audit both = audit("log,published,gpus\nfour.log,400,4\neight.log,970,8\n");
  EXPECT_EQ(both.claims[0].grade, Grade::within_1);
  EXPECT_EQ(reason(both.claims[1]), Reason::copy);
  EXPECT_EQ(both.claims[1].explanation->how, "four.log");
}

TEST_F(AuditTest, BelievesTheLogWhereTheTableContradictsIt) {
  write_log(folder / "a.log", "batch_size_per_gpu: 16, world_size: 4\n" + seg_log(100));
  const AuditedClaim claim = audited("a.log", 400.4, 6);
  EXPECT_EQ(reason(claim), Reason::facts);
  EXPECT_EQ(claim.explanation->how, "GPUs 4");
}

TEST_F(AuditTest, FindsThatWaitingForInputWasLeftOut) {
  write_log(folder / "a.log", seg_log(100, 0, 10, 0.048));  // of 0.16 s a step
  const AuditedClaim claim = audited("a.log", 100.1 / 0.7);
  EXPECT_EQ(reason(claim), Reason::input);
  EXPECT_EQ(reason(audited("a.log", 120)), Reason::input) << "some of the waiting";
  EXPECT_NE(reason(audited("a.log", 160)), Reason::input) << "more than all of it";
}

TEST_F(AuditTest, FindsThatAFigureWasCopied) {
  write_log(folder / "x.log", seg_log(271));
  write_log(folder / "y.log", seg_log(100));
  const Audit both = audit("log,published,gpus\nx.log,137,1\ny.log,137,1\n");
  ASSERT_EQ(reason(both.claims[0]), Reason::wrong_file);
  EXPECT_EQ(both.claims[0].explanation->how, "y.log (as published)");
}

TEST_F(AuditTest, SaysWhenNoRecordIsLikeTheFigure) {
  write_log(folder / "a.log", seg_log(100));
  const AuditedClaim claim = audited("a.log", 137);
  EXPECT_EQ(reason(claim), Reason::outside);
  EXPECT_EQ(reason(audited("a.log", 57)), Reason::unknown) << "between the slow and the fast ones";
}

TEST_F(AuditTest, LogsThatCannotBeReadAreNamed) {
  write_log(folder / "none.log", "nothing\n");
  const Audit result = audit("log,published\nmissing.log,5\nnone.log,5\n");
  EXPECT_EQ(result.count(Grade::missing), 2U);
  for (const AuditedClaim& claim : result.claims) EXPECT_FALSE(claim.trouble.empty());
}

TEST_F(AuditTest, RulesOfTheTableAreUsedUnlessTheUserSaysOtherwise) {
  write_log(folder / "a.log", seg_log(100, 40, 5));
  write_log(folder / "t.csv",
            "log,published,gpus,rule\na.log,5,1,records=step field=ips agg=min\n");
  const Claims claims = read_claims(folder / "t.csv", folder.path());
  EXPECT_EQ(audit_claims(claims, {}).claims[0].grade, Grade::within_1);
  EXPECT_EQ(audit_claims(claims, {.use_rules = false}).claims[0].grade, Grade::off);
}

TEST_F(AuditTest, EveryFormatSaysWhichFiguresAreOffAndWhy) {
  write_log(folder / "a.log", seg_log(100));
  const Audit result = audit("log,published,gpus,batch\na.log,100,8,16\na.log,800.8,8,16\n");
  for (const std::string& name : Registry<AuditFormat>::names()) {
    for (const Language language : {Language::en, Language::zh}) {
      std::ostringstream out;
      Registry<AuditFormat>::find(name)->write({result, language}, out);
      EXPECT_NE(out.str().find("÷ 8 GPUs"), std::string::npos) << name;
      EXPECT_NE(out.str().find("a.log"), std::string::npos) << name;
    }
  }
  EXPECT_EQ(audit_summary(result, Language::en),
            "2 figures: 1 within 1 %, 0 more within 3 %, 0 more within 10 %, 1 off by more than 10 "
            "%, 0 not recomputed.");
  EXPECT_EQ(difference_text(result.claims[0]), "+700.8 %");
}

}  // namespace
}  // namespace trainmark
