// The rules of the options, how threads are planned, and which providers are chosen.
#include <functional>

#include "base/log.h"
#include "engine/engine_support.h"
#include "engine/provider.h"
#include "engine/session_options.h"

namespace berth::engine {
namespace {

using test::error_of;

TEST(Options, RefuseWhatMakesNoSense) {
  struct Case {
    const char* message;
    std::function<void(Options&)> change;
  };
  const std::vector<Case> cases{
      {"threads: is 0, expected 1 to 1024", [](Options& o) { o.threads = 0; }},
      {"intra-op: is 0, expected 1 to 1024", [](Options& o) { o.intra_op = 0; }},
      {"intra-op: is 5000, expected 1 to 1024", [](Options& o) { o.intra_op = 5000; }},
      {"inter-op: is 0, expected 1 to 1024", [](Options& o) { o.inter_op = 0; }},
      {"inter-op: is 2 with sequential execution, expected 1", [](Options& o) { o.inter_op = 2; }},
      {"batch-tokens: is 0, expected 1 to 16777216", [](Options& o) { o.batch_tokens = 0; }},
  };
  EXPECT_NO_THROW(check(Options()));
  for (const Case& one : cases) {
    Options options;
    one.change(options);
    const Error error = error_of([&] { check(options); });
    EXPECT_EQ(error.kind(), ErrorKind::usage);
    EXPECT_STREQ(error.what(), one.message);
  }
}

TEST(Threads, AreThoseOfTheGlobalPoolOrOfTheSession) {
  struct Case {
    const char* name;
    std::function<void(Options&)> change;
    bool global_pool;
    std::size_t intra_op;
    std::size_t cost;
  };
  const std::vector<Case> cases{
      {"latency", [](Options&) {}, true, 4, 4},
      {"throughput", [](Options& o) { o.schedule = Schedule::throughput; }, false, 1, 1},
      {"own pool", [](Options& o) { o.intra_op = 2; }, false, 2, 2},
      {"beyond the budget", [](Options& o) { o.intra_op = 16; }, false, 16, 4},
      {"spinning", [](Options& o) { o.spin = true; }, false, 4, 4},
      {"pinned", [](Options& o) { o.affinity = "2;3;4"; }, false, 4, 4},
      {"parallel",
       [](Options& o) {
         o.execution = Execution::parallel;
         o.intra_op = 1;
         o.inter_op = 2;
       },
       false, 1, 2},
  };
  for (const Case& one : cases) {
    SCOPED_TRACE(one.name);
    Options options;
    one.change(options);
    const ThreadPlan plan = plan_threads(options, 4);
    EXPECT_EQ(plan.global_pool, one.global_pool);
    EXPECT_EQ(plan.intra_op, one.intra_op);
    EXPECT_EQ(plan.cost, one.cost);
  }
}

TEST(Affinity, HasOneEntryForEachWorker) {
  const auto message = [](const std::string& affinity) {
    Options options;
    options.affinity = affinity;
    return std::string(error_of([&] { static_cast<void>(plan_threads(options, 3)); }).what());
  };
  EXPECT_EQ(message("1"), "affinity: has 1 entries, expected 2: one for each of 3 threads but the caller's");
  EXPECT_EQ(message("0;1"), "affinity: is '0;1', expected logical CPUs counted from 1, as in 2;3 or 1,2;3-4");
  EXPECT_EQ(message("cores"), "affinity: is 'cores', expected logical CPUs counted from 1, as in 2;3 or 1,2;3-4");
  Options options;
  options.affinity = "1,2;3-4";
  EXPECT_NO_THROW(static_cast<void>(plan_threads(options, 3)));
}

const std::vector<std::string> kCpuBuild{"CPUExecutionProvider"};
const std::vector<std::string> kGpuBuild{"TensorrtExecutionProvider", "CUDAExecutionProvider", "CPUExecutionProvider"};

std::string refusal(const Options& options) {
  return error_of([&] { static_cast<void>(choose_providers(options, kCpuBuild)); }).what();
}

TEST(Providers, RefuseWhatIsUnknown) {
  Options options;
  options.providers = {"gpu"};
  EXPECT_EQ(refusal(options), "provider: 'gpu' is unknown, expected one of cpu, cuda, tensorrt");
  options.providers = {};
  EXPECT_EQ(refusal(options), "provider: is empty, expected a list such as cuda,cpu");
  options.providers = {"cpu"};
  options.provider_options = {{"device_id", "0"}};
  EXPECT_EQ(refusal(options), "provider-option: 'device_id' goes to cpu, which takes no options");
  options.provider_options = {{"cuda.device_id", "0"}};
  EXPECT_EQ(refusal(options), "provider-option: 'cuda.device_id' goes to cuda, which is not among the providers");
  options.provider_options = {{"rocm.device_id", "0"}};
  EXPECT_EQ(refusal(options), "provider: 'rocm' is unknown, expected one of cpu, cuda, tensorrt");
}

TEST(Providers, SayHowToGetOneThatIsAbsent) {
  Options options;
  options.providers = {"cuda"};
  const Error error = error_of([&] { static_cast<void>(choose_providers(options, kCpuBuild)); });
  EXPECT_EQ(error.kind(), ErrorKind::unsupported);
  EXPECT_STREQ(error.what(), "provider: cuda is not in this ONNX Runtime");
  EXPECT_EQ(error.hint(), "give the library of a GPU build of ONNX Runtime with --ort-library, or use --provider cpu");
  options.providers = {"cpu", "cuda"};  // the CPU takes every node first
  EXPECT_TRUE(choose_providers(options, kCpuBuild).empty());
}

TEST(Providers, FallBackToTheCpuWithAWarningWhereAllowed) {
  std::vector<std::string> warnings;
  set_log_sink([&](Severity severity, std::string_view text) {
    if (severity == Severity::warning) warnings.emplace_back(text);
  });
  Options options;
  options.providers = {"tensorrt", "cuda", "cpu"};
  EXPECT_TRUE(choose_providers(options, kCpuBuild).empty());
  set_log_sink({});
  EXPECT_EQ(warnings, (std::vector<std::string>{"provider: tensorrt is not in this ONNX Runtime; going on without it",
                                                "provider: cuda is not in this ONNX Runtime; going on without it"}));
}

TEST(Providers, GetTheirOwnOptions) {
  Options options;
  options.providers = {"tensorrt", "cuda", "cpu"};
  options.provider_options = {{"trt_fp16_enable", "1"}, {"cuda.device_id", "1"}};
  const std::vector<ChosenProvider> chosen = choose_providers(options, kGpuBuild);
  using Pairs = std::vector<std::pair<std::string, std::string>>;
  ASSERT_EQ(chosen.size(), 2U);
  EXPECT_EQ(chosen[0].name, "tensorrt");
  EXPECT_EQ(chosen[0].options, (Pairs{{"trt_fp16_enable", "1"}}));
  EXPECT_EQ(chosen[1].name, "cuda");
  EXPECT_EQ(chosen[1].options, (Pairs{{"device_id", "1"}}));
}

}  // namespace
}  // namespace berth::engine
