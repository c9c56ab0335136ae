// The rules of the options, and the settings of a session.
#include "engine/session_options.h"

#include <onnxruntime_session_options_config_keys.h>

#include <algorithm>
#include <array>
#include <regex>
#include <string>

#include "berth/error.h"

namespace berth::engine {
namespace {

constexpr std::size_t kMostThreads = 1024;
constexpr std::size_t kMostTokens = std::size_t{1} << 24;

void require_between(const char* name, std::size_t value, std::size_t most) {
  if (value >= 1 && value <= most) return;
  throw Error(ErrorKind::usage, name, "is " + std::to_string(value) + ", expected 1 to " + std::to_string(most));
}

// The CPU lists of a pool's workers: one for each thread but the first, which is the caller's own.
void check_affinity(const std::string& affinity, std::size_t threads) {
  static const std::regex form("[1-9][0-9]{0,5}([,-][1-9][0-9]{0,5})*(;[1-9][0-9]{0,5}([,-][1-9][0-9]{0,5})*)*");
  constexpr std::size_t kLongest = 4096;  // std::regex recurses over its subject
  if (affinity.size() > kLongest || !std::regex_match(affinity, form)) {
    throw Error(ErrorKind::usage, "affinity",
                "is '" + affinity.substr(0, 80) +
                    "', expected logical CPUs counted from 1, "
                    "as in 2;3 or 1,2;3-4");
  }
  const auto workers = static_cast<std::size_t>(std::count(affinity.begin(), affinity.end(), ';')) + 1;
  if (workers != threads - 1) {
    throw Error(ErrorKind::usage, "affinity",
                "has " + std::to_string(workers) + " entries, expected " + std::to_string(threads - 1) +
                    ": one for each of " + std::to_string(threads) + " threads but the caller's",
                "set --intra-op to the number of entries and one more");
  }
}

constexpr std::array kLevels = {ORT_DISABLE_ALL, ORT_ENABLE_BASIC, ORT_ENABLE_EXTENDED, ORT_ENABLE_ALL};

const char* flag(bool on) { return on ? "1" : "0"; }

}  // namespace

void check(const Options& options) {
  if (options.threads) require_between("threads", *options.threads, kMostThreads);
  if (options.intra_op) require_between("intra-op", *options.intra_op, kMostThreads);
  require_between("inter-op", options.inter_op, kMostThreads);
  require_between("batch-tokens", options.batch_tokens, kMostTokens);
  if (options.inter_op > 1 && options.execution == Execution::sequential) {
    throw Error(ErrorKind::usage, "inter-op",
                "is " + std::to_string(options.inter_op) + " with sequential execution, expected 1",
                "use --execution parallel with it");
  }
}

ThreadPlan plan_threads(const Options& options, std::size_t budget) {
  ThreadPlan plan;
  const bool pool_of_its_own = options.intra_op || options.spin || options.affinity ||
                               options.execution == Execution::parallel || options.schedule == Schedule::throughput;
  plan.global_pool = !pool_of_its_own;
  plan.intra_op = options.intra_op.value_or(options.schedule == Schedule::latency ? budget : 1);
  plan.cost = std::min(budget, plan.intra_op * options.inter_op);
  if (options.affinity) check_affinity(*options.affinity, plan.intra_op);
  return plan;
}

Ort::SessionOptions session_options(const Options& options, const ThreadPlan& threads) {
  Ort::SessionOptions session;
  session.SetGraphOptimizationLevel(kLevels[static_cast<std::size_t>(options.optimization)]);
  session.SetExecutionMode(options.execution == Execution::parallel ? ORT_PARALLEL : ORT_SEQUENTIAL);
  if (threads.global_pool) {
    session.DisablePerSessionThreads();
  } else {
    session.SetIntraOpNumThreads(static_cast<int>(threads.intra_op));
    session.SetInterOpNumThreads(static_cast<int>(options.inter_op));
    session.AddConfigEntry(kOrtSessionOptionsConfigAllowIntraOpSpinning, flag(options.spin));
    session.AddConfigEntry(kOrtSessionOptionsConfigAllowInterOpSpinning, flag(options.spin));
    if (options.affinity)
      session.AddConfigEntry(kOrtSessionOptionsConfigIntraOpThreadAffinities, options.affinity->c_str());
  }
  if (!options.memory_pattern) session.DisableMemPattern();
  if (options.arena) {
    session.AddConfigEntry(kOrtSessionOptionsConfigUseEnvAllocators, "1");
  } else {
    session.DisableCpuMemArena();
  }
  return session;
}

}  // namespace berth::engine
