// What this process may use of the machine: instruction sets and cores.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>

namespace berth {

struct CpuFeatures {
  bool avx2 = false;                                                 // with FMA
  bool avx512 = false;                                               // F, BW, DQ, VL
  bool avx_vnni = false;
  bool avx512_vnni = false;
  bool avx512_bf16 = false;
  bool amx_int8 = false;
};

struct Cpu {
  std::string model;                                                 // "AMD EPYC 7B13", as the system tells it
  CpuFeatures features;
  std::size_t logical_cores = 1;                                     // in this process's affinity mask
  std::size_t physical_cores = 1;                                    // of those, counting SMT siblings once
  std::optional<double> quota;                                       // the cgroup's limit in cores, when there is one
  std::size_t thread_budget = 1;                                     // min(physical cores, ceil of the quota), at least 1
};

// Read once for a process; later changes of the affinity mask are not seen. Thread safe.
[[nodiscard]] const Cpu& cpu();

// Cores that a cgroup (v2 or v1) grants, read below `root` ("/" outside tests); nothing where there is no limit.
[[nodiscard]] std::optional<double> read_cgroup_quota(const std::filesystem::path& root);

}  // namespace berth
