#include "environ/system/cpuinfo.h"

#include <gtest/gtest.h>

namespace trainmark {
namespace {

TEST(ParseCpuinfo, X86) {
  const CpuInfo info = parse_cpuinfo(
      "processor\t: 0\nvendor_id\t: GenuineIntel\nmodel name\t: Xeon @ 2.80GHz\n"
      "cpu MHz\t\t: 2793.436\nflags\t\t: fpu avx2 fma amx_bf16 hypervisor\n\n"
      "processor\t: 1\nmodel name\t: Xeon @ 2.80GHz\ncpu MHz\t\t: 1200.5\n");
  EXPECT_EQ(info.model, "Xeon @ 2.80GHz");
  EXPECT_EQ(info.vendor, "GenuineIntel");
  EXPECT_EQ(info.processors, 2);
  EXPECT_EQ(info.mhz, (std::map<int, double>{{0, 2793.436}, {1, 1200.5}}));
  EXPECT_TRUE(info.has("hypervisor"));
  EXPECT_FALSE(info.has("avx"));
  EXPECT_EQ(training_flags(info), (std::vector<std::string>{"fma", "avx2", "amx_bf16"}));
}

TEST(ParseCpuinfo, ArmHasFeaturesAndNoModel) {
  const CpuInfo info = parse_cpuinfo(
      "processor\t: 0\nFeatures\t: fp asimd sve bf16 i8mm\nCPU implementer\t: 0x41\n");
  EXPECT_EQ(info.model, "");
  EXPECT_EQ(training_flags(info), (std::vector<std::string>{"bf16", "i8mm", "sve"}));
}

TEST(ParseCpuinfo, OddContents) {
  for (const char* odd :
       {"", "\n\n", ":", "processor", "processor:\ncpu MHz: x", "cpu MHz: 5",
        "processor: -4\ncpu MHz: 5", "processor: 99999999999999999999\ncpu MHz: 1e999"}) {
    EXPECT_TRUE(parse_cpuinfo(odd).mhz.empty()) << odd;
  }
  EXPECT_EQ(parse_cpuinfo("model name: \x1b[2J\xff").model, "?[2J?");
}

TEST(NominalMhz, Table) {
  EXPECT_EQ(nominal_mhz("Intel(R) Xeon(R) Processor @ 2.80GHz"), 2800);
  EXPECT_EQ(nominal_mhz("Old @ 800MHz"), 800);
  for (const char* none :
       {"", "AMD EPYC 7763 64-Core Processor", "@", "@ GHz", "@ fastGHz", "@ 0GHz", "@ 3"}) {
    EXPECT_EQ(nominal_mhz(none), std::nullopt) << none;
  }
}

}  // namespace
}  // namespace trainmark
