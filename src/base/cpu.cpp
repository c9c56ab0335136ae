// CPU facts from cpuid, the affinity mask, sysfs and the control group.
#include "base/cpu.h"

#include <algorithm>
#include <cmath>
#include <cpuid.h>
#include <fstream>
#include <sched.h>
#include <set>
#include <sstream>
#include <string_view>
#include <utility>
#include <vector>

namespace berth {
namespace {

namespace fs = std::filesystem;

std::string first_line(const fs::path& path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return line;
}

CpuFeatures read_features() {
  CpuFeatures features;
  features.avx2 = __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("fma") != 0;
  features.avx512 = __builtin_cpu_supports("avx512f") != 0 && __builtin_cpu_supports("avx512bw") != 0 &&
                    __builtin_cpu_supports("avx512dq") != 0 && __builtin_cpu_supports("avx512vl") != 0;
  features.avx512_vnni = features.avx512 && __builtin_cpu_supports("avx512vnni") != 0;
  features.avx512_bf16 = features.avx512 && __builtin_cpu_supports("avx512bf16") != 0;
  unsigned int a = 0;
  unsigned int b = 0;
  unsigned int c = 0;
  unsigned int d = 0;
  if (__get_cpuid_count(7, 1, &a, &b, &c, &d) != 0) features.avx_vnni = features.avx2 && (a >> 4 & 1U) != 0;
  if (__get_cpuid_count(7, 0, &a, &b, &c, &d) != 0) features.amx_int8 = features.avx512 && (d >> 25 & 1U) != 0;
  return features;
}

std::string read_model() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("model name")) return line.substr(std::min(line.find(": ") + 2, line.size()));
  }
  return "unknown CPU";
}

std::vector<std::size_t> allowed_cores() {
  std::vector<std::size_t> cores;
  for (int capacity = 1024; capacity <= 1 << 20; capacity *= 2) {  // grows until the kernel's mask fits
    cpu_set_t* const mask = CPU_ALLOC(static_cast<std::size_t>(capacity));
    const std::size_t size = CPU_ALLOC_SIZE(static_cast<std::size_t>(capacity));
    const bool read = sched_getaffinity(0, size, mask) == 0;
    for (std::size_t i = 0; read && i < static_cast<std::size_t>(capacity); ++i) {
      if (CPU_ISSET_S(i, size, mask)) cores.push_back(i);
    }
    CPU_FREE(mask);
    if (read) break;
  }
  if (cores.empty()) cores.push_back(0);
  return cores;
}

std::size_t count_physical(const std::vector<std::size_t>& logical) {
  std::set<std::pair<std::string, std::string>> cores;
  for (const std::size_t i : logical) {
    const fs::path topology = "/sys/devices/system/cpu/cpu" + std::to_string(i) + "/topology";
    const std::string core = first_line(topology / "core_id");
    if (core.empty()) return logical.size();
    cores.emplace(first_line(topology / "physical_package_id"), core);
  }
  return cores.size();
}

std::optional<double> to_number(std::string_view text) {
  std::istringstream stream{std::string(text)};
  double value = 0;
  if (stream >> value) return value;
  return std::nullopt;
}

// v2: "cpu.max" holds "QUOTA PERIOD" or "max PERIOD".
std::optional<double> quota_v2(const fs::path& folder) {
  const std::string line = first_line(folder / "cpu.max");
  const std::size_t space = line.find(' ');
  if (space == std::string::npos) return std::nullopt;
  const auto quota = to_number(line.substr(0, space));
  const auto period = to_number(line.substr(space + 1));
  if (!quota || !period || *quota <= 0 || *period <= 0) return std::nullopt;
  return *quota / *period;
}

std::optional<double> quota_v1(const fs::path& folder) {
  const auto quota = to_number(first_line(folder / "cpu.cfs_quota_us"));
  const auto period = to_number(first_line(folder / "cpu.cfs_period_us"));
  if (!quota || !period || *quota <= 0 || *period <= 0) return std::nullopt;
  return *quota / *period;
}

// The smallest limit of a group and all its parents, since each of them binds.
template <typename ReadOne>
std::optional<double> tightest(const fs::path& mount, std::string_view group, ReadOne read_one) {
  std::optional<double> tightest;
  for (fs::path path = fs::path(group).relative_path();; path = path.parent_path()) {
    if (const auto quota = read_one(mount / path)) tightest = tightest ? std::min(*tightest, *quota) : *quota;
    if (path.empty()) return tightest;
  }
}

}  // namespace

std::optional<double> read_cgroup_quota(const fs::path& root) {
  std::ifstream file(root / "proc/self/cgroup");
  for (std::string line; std::getline(file, line);) {
    const std::size_t first = line.find(':');
    const std::size_t second = line.find(':', first + 1);
    if (first == std::string::npos || second == std::string::npos) continue;
    const std::string controllers = "," + line.substr(first + 1, second - first - 1) + ",";
    const std::string group = line.substr(second + 1);
    std::optional<double> quota;
    if (controllers == ",,") quota = tightest(root / "sys/fs/cgroup", group, quota_v2);
    if (controllers.find(",cpu,") != std::string::npos) quota = tightest(root / "sys/fs/cgroup/cpu", group, quota_v1);
    if (quota) return quota;
  }
  return std::nullopt;
}

const Cpu& cpu() {
  static const Cpu facts = [] {
    Cpu found;
    found.model = read_model();
    found.features = read_features();
    const std::vector<std::size_t> cores = allowed_cores();
    found.logical_cores = cores.size();
    found.physical_cores = count_physical(cores);
    found.quota = read_cgroup_quota("/");
    found.thread_budget = found.physical_cores;
    if (found.quota) {
      const auto granted = static_cast<std::size_t>(std::max(1.0, std::ceil(*found.quota)));
      found.thread_budget = std::min(found.thread_budget, granted);
    }
    return found;
  }();
  return facts;
}

}  // namespace berth
