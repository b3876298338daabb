#include "environ/machine/environment.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "environ/fake_machine.h"
#include "environ/machine/variables.h"

namespace trainmark {
namespace {

using namespace std::string_literals;  // for text with NUL in it

using nlohmann::json;

/// A small virtual machine with two cores of two threads, in a container.
class EnvironmentTest : public ::testing::Test {
 protected:
  FakeMachine fake;
  Machine machine;

  void SetUp() override {
    std::string cpuinfo;
    for (int cpu = 0; cpu < 4; ++cpu) {
      cpuinfo += "processor : " + std::to_string(cpu) +
                 "\nvendor_id : GenuineIntel\nmodel name : Xeon @ 2.50GHz\ncpu MHz : 2400.0\n"
                 "flags : fpu avx2 avx512_bf16 hypervisor\n\n";
      const std::string folder = "/sys/devices/system/cpu/cpu" + std::to_string(cpu);
      fake.write(folder + "/topology/core_cpus_list", cpu % 2 == 0 ? "0,2" : "1,3");
      fake.write(folder + "/topology/physical_package_id", "0");
      fake.write(folder + "/cache/index0/level", "3");
      fake.write(folder + "/cache/index0/type", "Unified");
      fake.write(folder + "/cache/index0/size", "32768K");
      fake.write(folder + "/cache/index0/shared_cpu_list", "0-3");
      fake.write(folder + "/cpufreq/scaling_governor", "ondemand");
      fake.write(folder + "/cpufreq/cpuinfo_max_freq", "3500000");
    }
    fake.write("/proc/cpuinfo", cpuinfo);
    fake.write("/sys/devices/system/cpu/online", "0-3");
    fake.write("/proc/meminfo",
               "MemTotal:       8388608 kB\nMemAvailable:   4194304 kB\nSwapTotal: 0 kB\n"
               "HugePages_Total:       3\n");
    fake.write("/sys/kernel/mm/transparent_hugepage/enabled", "always [madvise] never");
    fake.write("/proc/sys/kernel/osrelease", "6.1.0-18-amd64\n");
    fake.write("/proc/sys/kernel/hostname", "node7\n");
    fake.write("/etc/os-release", "NAME=Debian\nPRETTY_NAME=\"Debian GNU/Linux 12\"\n");
    fake.write("/proc/self/cgroup", "0::/\n");
    fake.write("/sys/fs/cgroup/cpu.max", "300000 100000\n");
    fake.write("/.dockerenv", "");
    fake.write("/sys/class/dmi/id/sys_vendor", "QEMU\n");
    machine.files = SystemFiles(fake.root());
    machine.allowed_cpus = {0, 1, 2};
    machine.variables = {"OMP_NUM_THREADS=4", "HOME=/root", "NCCL_TOKEN=x", "odd", "=odd"};
  }
};

TEST_F(EnvironmentTest, HasEveryArea) {
  const json environment = collect_environment(machine);
  const json& cpu = environment.at("cpu");
  EXPECT_EQ(cpu.at("model"), "Xeon @ 2.50GHz");
  EXPECT_EQ(cpu.at("sockets"), 1);
  EXPECT_EQ(cpu.at("physical_cores"), 2);
  EXPECT_EQ(cpu.at("logical_cores"), 4);
  EXPECT_EQ(cpu.at("smt"), true);
  EXPECT_EQ(cpu.at("allowed_cores"), 3);
  EXPECT_EQ(cpu.at("limit_cores"), 3.0);
  EXPECT_EQ(cpu.at("base_mhz"), 2500);
  EXPECT_EQ(cpu.at("max_mhz"), 3500);
  EXPECT_EQ(cpu.at("governor"), "ondemand");
  EXPECT_EQ(cpu.at("flags"), json({"avx2", "avx512_bf16"}));
  EXPECT_EQ(cpu.at("caches").size(), 1U);
  EXPECT_EQ(cpu.at("caches")[0].at("bytes"), 32 << 20);
  EXPECT_EQ(cpu.at("caches")[0].at("count"), 1);
  EXPECT_EQ(environment.at("memory").at("total_bytes"), 8LL << 30);
  EXPECT_EQ(environment.at("memory").at("reserved_huge_pages"), 3);
  EXPECT_EQ(environment.at("memory").at("transparent_huge_pages"), "madvise");
  EXPECT_EQ(environment.at("system").at("distribution"), "Debian GNU/Linux 12");
  EXPECT_EQ(environment.at("isolation").at("containers"), json({"docker"}));
  EXPECT_EQ(environment.at("isolation").at("virtualisation"), "kvm");
  EXPECT_EQ(environment.at("variables"), json({{"OMP_NUM_THREADS", "4"}}));
  EXPECT_TRUE(environment.at("trainmark").contains("commit"));
  EXPECT_FALSE(environment.contains("gpus"));
}

TEST_F(EnvironmentTest, TheTextShowsIt) {
  const std::string text = environment_text(collect_environment(machine));
  for (const char* part :
       {"Xeon @ 2.50GHz", "2 physical, 4 logical", "limited to 3", "8 GiB", "Debian GNU/Linux 12",
        "docker", "kvm", "OMP_NUM_THREADS", "L3 1 x 32 MiB"}) {
    EXPECT_NE(text.find(part), std::string::npos) << part << " in\n" << text;
  }
}

TEST_F(EnvironmentTest, TheIdIgnoresTheMomentAndTheMachinesName) {
  const std::string id = environment_id(collect_environment(machine));
  EXPECT_EQ(id.size(), 16U);
  fake.write("/proc/sys/kernel/hostname", "node8\n");
  fake.write("/proc/meminfo",
             "MemTotal: 8388608 kB\nMemAvailable: 17 kB\nSwapTotal: 0 kB\nHugePages_Total: 3\n");
  machine.allowed_cpus = {1, 2, 3};
  EXPECT_EQ(environment_id(collect_environment(machine)), id);
}

TEST_F(EnvironmentTest, TheIdSeesHardwareSoftwareAndSettings) {
  const std::string id = environment_id(collect_environment(machine));
  machine.variables = {"OMP_NUM_THREADS=8"};
  const std::string other_setting = environment_id(collect_environment(machine));
  EXPECT_NE(other_setting, id);
  fake.write("/proc/sys/kernel/osrelease", "6.2.0\n");
  EXPECT_NE(environment_id(collect_environment(machine)), other_setting);
}

TEST(Environment, AMachineThatTellsNothing) {
  const FakeMachine fake;
  Machine machine;
  machine.files = SystemFiles(fake.root());
  const json environment = collect_environment(machine);
  EXPECT_TRUE(environment.contains("cpu"));
  EXPECT_FALSE(environment_text(environment).empty());
}

TEST(Environment, AMachineThatTellsNonsense) {
  const FakeMachine fake;
  const std::string nonsense = "\xff\xfe\0:[=\n-1 99999999999999999999\n]\x1b[2J"s;
  for (const char* file :
       {"/proc/cpuinfo", "/proc/meminfo", "/proc/self/cgroup", "/etc/os-release",
        "/proc/sys/kernel/osrelease", "/proc/sys/kernel/hostname", "/sys/hypervisor/type",
        "/sys/devices/system/cpu/online", "/sys/devices/system/cpu/cpu0/cache/index0/level",
        "/sys/devices/system/cpu/cpu0/cpufreq/base_frequency", "/sys/fs/cgroup/cpu.max",
        "/sys/kernel/mm/transparent_hugepage/enabled"}) {
    fake.write(file, nonsense);
  }
  Machine machine;
  machine.files = SystemFiles(fake.root());
  machine.allowed_cpus = {0};
  machine.variables = {"OMP_PLACES=" + nonsense};
  const json environment = collect_environment(machine);
  EXPECT_NO_THROW(environment.dump());  // broken UTF-8 would throw here
  EXPECT_EQ(environment_text(environment).find('\x1b'), std::string::npos);
}

TEST(EnvironmentText, AnyJsonCanBeShown) {
  for (
      const char* text :
      {"{}", "[]", "null", "3", R"({"cpu": 3, "memory": [], "gpus": {"devices": {"a": 1}}})",
       R"({"cpu": {"caches": [1, "x"], "flags": 5, "now": []}, "variables": [1]})",
       R"({"gpus": {"devices": [null, {"now": 4}], "links": "x"}, "tools": "x", "new": {"a": 1}})"}) {
    const json environment = json::parse(text);
    EXPECT_NO_THROW(environment_text(environment)) << text;
    EXPECT_EQ(environment_id(environment).size(), 16U);
  }
  const std::string newer = environment_text(json::parse(R"({"quantum": {"qubits": 3}})"));
  EXPECT_NE(newer.find("qubits  3"), std::string::npos) << newer;
}

TEST(Environment, ThisMachineHasOne) {
  const json environment = collect_environment();
  EXPECT_TRUE(environment.contains("cpu"));
  EXPECT_EQ(environment_id(environment), environment_id(json::parse(environment.dump())));
}

TEST(Variables, OnlyWhatIsListedAndNoSecrets) {
  for (const char* kept :
       {"OMP_NUM_THREADS", "KMP_AFFINITY", "MKL_NUM_THREADS", "NCCL_DEBUG", "CUDA_VISIBLE_DEVICES",
        "TORCH_COMPILE_DEBUG", "PYTORCH_CUDA_ALLOC_CONF", "XLA_FLAGS", "TF_XLA_FLAGS",
        "FLAGS_cudnn_exhaustive_search", "MXNET_CUDNN_AUTOTUNE_DEFAULT", "JAX_ENABLE_X64",
        "LD_PRELOAD", "MALLOC_ARENA_MAX", "GLOO_SOCKET_IFNAME", "UCX_TLS", "OMPI_MCA_btl",
        "SLURM_JOB_NUM_NODES"}) {
    EXPECT_TRUE(is_recorded_variable(kept)) << kept;
  }
  for (const char* left_out : {"HOME", "PATH", "USER", "AWS_SECRET_ACCESS_KEY", "NCCL_TOKEN",
                               "TORCH_API_KEY", "JAX_password", "CUDA_SECRET", "TF_VAR_database",
                               "TF_CLI_ARGS", "SLURM_JOB_USER", "", "MY_OMP_THING", "OMP"}) {
    EXPECT_FALSE(is_recorded_variable(left_out)) << left_out;
  }
}

TEST(Variables, WhatMpirunSetsForOneJobIsNotKept) {
  EXPECT_TRUE(is_recorded_variable("OMPI_MCA_btl_tcp_if_include"));
  for (const char* name :
       {"OMPI_MCA_orte_hnp_uri", "OMPI_MCA_ess_base_vpid", "OMPI_MCA_initial_wdir"})
    EXPECT_FALSE(is_recorded_variable(name)) << name;
}

TEST_F(EnvironmentTest, WhatTellsMachinesOfOneKindApart) {
  const json environment = {{"system", {{"kernel", "6.1"}, {"instance", {{"hostname", "a"}}}}},
                            {"gpus",
                             {{"cards",
                               {{{"name", "H200"}, {"instance", {{"serial", 1}}}},
                                {{"name", "H200"}, {"instance", {{"serial", 2}}}}}}}},
                            {"memory", {{"total_bytes", 1}}}};
  const json instance = environment_instance(environment);
  EXPECT_EQ(instance.dump(),
            R"({"gpus":{"cards":[{"serial":1},{"serial":2}]},"system":{"hostname":"a"}})");
  EXPECT_TRUE(environment_instance({{"memory", {{"total_bytes", 1}}}}).is_null());
}

TEST_F(EnvironmentTest, SignsOfContainersAndVirtualMachines) {
  const auto isolation = [&] { return collect_environment(machine).value("isolation", json()); };
  fake.remove("/.dockerenv");
  EXPECT_FALSE(isolation().contains("containers"));
  fake.write("/run/.containerenv", "");
  machine.variables = {"KUBERNETES_SERVICE_HOST=10.0.0.1", "APPTAINER_CONTAINER=/x.sif"};
  EXPECT_EQ(isolation().at("containers"), json({"podman", "apptainer", "kubernetes"}));
  fake.write("/sys/class/dmi/id/sys_vendor", "Nobody\n");
  EXPECT_EQ(isolation().at("virtualisation"), "unknown hypervisor");
  fake.write("/sys/hypervisor/type", "xen\n");
  EXPECT_EQ(isolation().at("virtualisation"), "xen");
  fake.remove("/sys/hypervisor");
  fake.write("/sys/class/dmi/id/sys_vendor", "Google\n");
  fake.write("/proc/cpuinfo", "processor : 0\nflags : fpu avx2\n");  // bare metal of a cloud
  EXPECT_FALSE(isolation().contains("virtualisation"));
}

}  // namespace
}  // namespace trainmark
