#ifdef TRAINMARK_FAKE_NVML

#include "environ/nvml/nvml.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "environ/fake_machine.h"
#include "environ/machine/area.h"
#include "environ/machine/environment.h"

namespace trainmark {
namespace {

/// Set while it lives.
class Variable {
 public:
  Variable(const char* name, const std::string& value) : name_(name) {
    ::setenv(name, value.c_str(), 1);
  }
  ~Variable() { ::unsetenv(name_); }

 private:
  const char* name_;
};

TEST(Nvml, AbsentWithoutError) {
  EXPECT_EQ(Nvml::open("libno-such-library.so.1"), nullptr);
  EXPECT_EQ(Nvml::open("libm.so.6"), nullptr);  // a library, but not this one
}

TEST(Nvml, NoDriverBehindTheLibrary) {
  const Variable broken("FAKE_NVML_BROKEN", "1");
  EXPECT_EQ(Nvml::open(TRAINMARK_FAKE_NVML), nullptr);
}

TEST(Nvml, TellsWhatTheCardsTell) {
  const auto nvml = Nvml::open(TRAINMARK_FAKE_NVML);
  ASSERT_NE(nvml, nullptr);
  EXPECT_EQ(nvml->driver_version(), "550.54.15");
  EXPECT_EQ(nvml->cuda_version(), "12.4");
  ASSERT_EQ(nvml->count(), 3);
  const GpuInfo info = nvml->info(0);
  EXPECT_EQ(info.name, "NVIDIA H100 80GB HBM3");
  EXPECT_EQ(info.uuid, "GPU-0");
  EXPECT_EQ(info.bus_id, "00000000:10:00.0");
  EXPECT_EQ(info.memory_bytes, 80ULL << 30);
  EXPECT_EQ(info.compute_capability, "9.0");
  EXPECT_EQ(info.max_sm_mhz, 1980U);
  EXPECT_EQ(info.power_limit_watts, 700.0);
  EXPECT_EQ(info.default_power_limit_watts, std::nullopt);  // this version has no such function
  EXPECT_EQ(info.persistence, true);
  EXPECT_EQ(info.ecc, true);
  EXPECT_EQ(info.mig, false);
  EXPECT_EQ(info.pcie_generation, 5U);
  EXPECT_EQ(info.nvlinks, 2U);
}

TEST(Nvml, WhatACardRefusesIsNothing) {
  const auto nvml = Nvml::open(TRAINMARK_FAKE_NVML);
  ASSERT_NE(nvml, nullptr);
  const GpuInfo info = nvml->info(2);
  EXPECT_EQ(info.name, "NVIDIA Old ?[31m");  // no escape sequences from a card
  EXPECT_EQ(info.memory_bytes, std::nullopt);
  EXPECT_EQ(info.ecc, std::nullopt);
  EXPECT_EQ(info.nvlinks, 0U);
  const GpuSample sample = nvml->sample(2);
  EXPECT_EQ(sample.power_milliwatts, std::nullopt);
  EXPECT_EQ(sample.throttle_reasons, std::nullopt);
}

TEST(Nvml, Samples) {
  const Variable reasons("FAKE_NVML_REASONS", "0x4");
  const auto nvml = Nvml::open(TRAINMARK_FAKE_NVML);
  ASSERT_NE(nvml, nullptr);
  const GpuSample sample = nvml->sample(0);
  EXPECT_EQ(sample.power_milliwatts, 650500U);
  EXPECT_EQ(nvml->power_milliwatts(0), 650500U);
  EXPECT_EQ(nvml->energy_millijoules(0), 123456789012ULL);
  EXPECT_EQ(nvml->energy_millijoules(2), std::nullopt);
  EXPECT_EQ(sample.sm_mhz, 1395U);
  EXPECT_EQ(sample.celsius, 71U);
  EXPECT_EQ(sample.memory_used_bytes, 20ULL << 30);
  EXPECT_EQ(sample.busy_percent, 97U);
  EXPECT_EQ(throttle_reason_names(*sample.throttle_reasons), std::vector<std::string>{"power cap"});
}

TEST(Nvml, Links) {
  const auto nvml = Nvml::open(TRAINMARK_FAKE_NVML);
  ASSERT_NE(nvml, nullptr);
  EXPECT_EQ(nvml->link(0, 1), "NV2");
  EXPECT_EQ(nvml->link(1, 0), "NV2");
  EXPECT_EQ(nvml->link(0, 2), "SYS");
  EXPECT_EQ(nvml->link(2, 0), "SYS");
  EXPECT_EQ(nvml->link(0, 0), "");
}

TEST(Nvml, ListsProcessesHoweverMany) {
  std::string pids = "1";
  for (int pid = 2; pid <= 100; ++pid) pids += fmt::format(",{}", pid);
  const Variable variable("FAKE_NVML_PIDS", pids);
  const auto nvml = Nvml::open(TRAINMARK_FAKE_NVML);
  ASSERT_NE(nvml, nullptr);
  const auto processes = nvml->processes(0);
  ASSERT_TRUE(processes.has_value());
  ASSERT_EQ(processes->size(), 100U);
  EXPECT_EQ(processes->back().pid, 100U);
  EXPECT_EQ(processes->back().memory_bytes, 1ULL << 30);
  EXPECT_TRUE(nvml->processes(1)->empty());
}

TEST(GpuArea, IsInTheInventory) {
  const FakeMachine fake;
  Machine machine;
  machine.files = SystemFiles(fake.root());
  machine.nvml = Nvml::open(TRAINMARK_FAKE_NVML);
  const auto environment = collect_environment(machine);
  const auto& gpus = environment.at("gpus");
  EXPECT_EQ(gpus.at("driver"), "550.54.15");
  EXPECT_EQ(gpus.at("devices").size(), 3U);
  EXPECT_EQ(gpus.at("links")[0], nlohmann::json({"X", "NV2", "SYS"}));
  const std::string text = environment_text(environment);
  EXPECT_NE(text.find("550.54.15 (CUDA 12.4)"), std::string::npos) << text;
  EXPECT_NE(text.find("NVIDIA H100 80GB HBM3, 80 GiB, compute 9.0"), std::string::npos) << text;
}

TEST(ThrottleReasons, Table) {
  using Names = std::vector<std::string>;
  EXPECT_EQ(throttle_reason_names(0), Names{});
  EXPECT_EQ(throttle_reason_names(0x1 | 0x2 | 0x10 | 0x100), Names{});  // idle, or as was asked
  EXPECT_EQ(throttle_reason_names(0x8), Names{"hardware slowdown"});
  EXPECT_EQ(throttle_reason_names(0x48), Names{"thermal slowdown (hardware)"});
  EXPECT_EQ(throttle_reason_names(0xA8), (Names{"thermal slowdown (driver)", "power brake"}));
}

}  // namespace
}  // namespace trainmark

#endif
