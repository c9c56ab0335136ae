// What docs/engine.md says about the engine's defaults, measured on any encoder in ONNX:
//   cmake --build build/release --target berth_engine_bench
//   build/release/bin/berth_engine_bench MODEL.onnx [VOCABULARY_SIZE]
// Competitors alternate, answers are compared first, numbers are medians; "cpu" is the process's CPU time.
#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <fstream>
#include <functional>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "base/cpu.h"
#include "berth/engine.h"
#include "berth/error.h"

namespace {

using namespace berth;
using engine::Batch;
using engine::Engine;
using engine::Options;

std::int32_t vocabulary = 1000;

struct Sample {
  double wall = 0;
  double cpu = 0;
};

double cpu_seconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](timeval t) { return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) * 1e-6; };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

Sample timed(const std::function<void()>& work) {
  const double cpu = cpu_seconds();
  const auto start = std::chrono::steady_clock::now();
  work();
  return {std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(), cpu_seconds() - cpu};
}

double median(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2), values.end());
  return values[values.size() / 2];
}

struct Competitor {
  std::string name;
  std::function<void()> work;
};

// Rounds of all competitors in turn; each line also has its ratio to the first.
void compare(const std::string& title, const std::vector<Competitor>& competitors, int rounds) {
  std::vector<std::vector<double>> wall(competitors.size());
  std::vector<std::vector<double>> cpu(competitors.size());
  for (const Competitor& competitor : competitors) competitor.work();
  for (int round = 0; round < rounds; ++round) {
    for (std::size_t i = 0; i < competitors.size(); ++i) {
      const Sample sample = timed(competitors[i].work);
      wall[i].push_back(sample.wall);
      cpu[i].push_back(sample.cpu);
    }
  }
  fmt::print("\n{}\n", title);
  for (std::size_t i = 0; i < competitors.size(); ++i) {
    fmt::print("  {:<36} {:9.3f} ms   cpu {:9.3f} ms   {:5.2f} x time, {:5.2f} x cpu\n", competitors[i].name,
               median(wall[i]) * 1e3, median(cpu[i]) * 1e3, median(wall[i]) / median(wall[0]),
               median(cpu[i]) / median(cpu[0]));
  }
}

std::vector<std::int32_t> random_ids(std::mt19937& random, std::size_t length) {
  std::vector<std::int32_t> ids(length);
  for (std::int32_t& id : ids)
    id = static_cast<std::int32_t>(5 + random() % static_cast<std::uint32_t>(vocabulary - 5));
  return ids;
}

// Lengths as texts have them: geometric, mean about 31, cut at 200.
std::vector<Batch> stream(std::size_t batches, std::size_t size) {
  std::mt19937 random(11);
  std::geometric_distribution<std::size_t> length(1.0 / 29);
  std::vector<Batch> all(batches);
  for (Batch& batch : all) {
    for (std::size_t i = 0; i < size; ++i)
      batch.add(random_ids(random, std::min<std::size_t>(2 + length(random), 200)));
  }
  return all;
}

// The batch as it came, padded to its longest text, through the second door.
std::vector<engine::DenseTensor> in_order(const Engine& model, const Batch& batch) {
  std::size_t longest = 0;
  for (std::size_t i = 0; i < batch.size(); ++i) {
    longest = std::max(longest, static_cast<std::size_t>(batch.offsets[i + 1] - batch.offsets[i]));
  }
  std::vector<engine::DenseTensor> inputs;
  for (const graph::Value& input : model.inputs()) {
    std::vector<std::int64_t> values(batch.size() * longest, 0);
    for (std::size_t i = 0; i < batch.size() && input.name != "token_type_ids"; ++i) {
      for (std::int64_t k = batch.offsets[i]; k < batch.offsets[i + 1]; ++k) {
        const auto column = static_cast<std::size_t>(k - batch.offsets[i]);
        values[i * longest + column] = input.name == "input_ids" ? batch.ids[static_cast<std::size_t>(k)] : 1;
      }
    }
    const Shape shape{static_cast<std::int64_t>(batch.size()), static_cast<std::int64_t>(longest)};
    inputs.push_back(engine::dense(input.name, shape, values));
  }
  return inputs;
}

void compare_padding(const Engine& model) {
  const std::vector<Batch> batches = stream(8, 32);
  engine::RunStatistics statistics;
  float largest = 0;
  for (const Batch& batch : batches) {
    const auto ragged = model.run(batch, {}, &statistics)[0].values;
    const auto padded = model.run(in_order(model, batch))[0];
    const auto* const values = reinterpret_cast<const float*>(padded.data.data());
    for (std::size_t i = 0; i < ragged.size(); ++i) largest = std::max(largest, std::abs(ragged[i] - values[i]));
  }
  fmt::print(
      "\nfirst door against padding in order: largest difference {:.1e}; {} tokens, {} padding, {} runs for {} "
      "batches\n",
      largest, statistics.tokens, statistics.padding, statistics.runs, batches.size());
  compare("256 texts in batches of 32",
          {{"sorted and cut",
            [&] {
              for (const Batch& batch : batches) static_cast<void>(model.run(batch));
            }},
           {"in order",
            [&] {
              for (const Batch& batch : batches) static_cast<void>(model.run(in_order(model, batch)));
            }}},
          7);
}

// Time of one Run over its tokens, as a + b × tokens by least squares: a / b is what a Run costs, in tokens.
void measure_run_cost(const Engine& model) {
  std::mt19937 random(5);
  std::vector<double> tokens;
  std::vector<double> cpu;
  for (const std::size_t length : {4, 8, 16, 32, 64}) {
    Batch batch;
    batch.add(random_ids(random, length));
    std::vector<double> samples;
    for (int round = 0; round < 60; ++round) {
      samples.push_back(timed([&] { static_cast<void>(model.run(batch)); }).cpu);
    }
    tokens.push_back(static_cast<double>(length));
    cpu.push_back(median(samples));
  }
  const auto n = static_cast<double>(tokens.size());
  double sx = 0, sy = 0, sxx = 0, sxy = 0;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    sx += tokens[i];
    sy += cpu[i];
    sxx += tokens[i] * tokens[i];
    sxy += tokens[i] * cpu[i];
  }
  const double slope = (n * sxy - sx * sy) / (n * sxx - sx * sx);
  const double intercept = (sy - slope * sx) / n;
  fmt::print("\na Run costs {:.3f} ms and a token {:.4f} ms: a Run is worth {:.0f} tokens\n", intercept * 1e3,
             slope * 1e3, intercept / slope);
}

void compare_schedules(const std::string& path) {
  Options options;
  const Engine latency(path, options);
  options.schedule = engine::Schedule::throughput;
  const Engine throughput(path, options);
  const std::vector<Batch> batches = stream(4, 64);
  const std::vector<Batch> single = stream(1, 1);
  const auto all = [&](const Engine& model) {
    for (const Batch& batch : batches) static_cast<void>(model.run(batch));
  };
  const auto callers = [&](const Engine& model) {
    std::vector<std::jthread> threads;
    for (const Batch& batch : batches) threads.emplace_back([&] { static_cast<void>(model.run(batch)); });
  };
  compare("schedule: 4 batches of 64 texts, one caller",
          {{"latency", [&] { all(latency); }}, {"throughput", [&] { all(throughput); }}}, 9);
  compare("schedule: the same, a caller for each batch",
          {{"latency", [&] { callers(latency); }}, {"throughput", [&] { callers(throughput); }}}, 9);
  compare("schedule: one text",
          {{"latency", [&] { static_cast<void>(latency.run(single[0])); }},
           {"throughput", [&] { static_cast<void>(throughput.run(single[0])); }}},
          41);
}

void compare_spinning(const std::string& path) {
  Options options;
  const Engine still(path, options);
  const std::vector<Batch> single = stream(1, 1);
  const auto idle = [](const char* name) {
    const Sample sample = timed([] { std::this_thread::sleep_for(std::chrono::seconds(2)); });
    fmt::print("  idle for 2 s after it, {:<13} cpu {:9.3f} ms\n", name, sample.cpu * 1e3);
  };
  static_cast<void>(still.run(single[0]));
  fmt::print("\nspinning\n");
  idle("off");
  options.spin = true;
  const Engine spinning(path, options);
  static_cast<void>(spinning.run(single[0]));
  idle("on");
  const auto with_pause = [&](const Engine& model) {
    static_cast<void>(model.run(single[0]));
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  };
  compare("spinning: one text after another",
          {{"off", [&] { static_cast<void>(still.run(single[0])); }},
           {"on", [&] { static_cast<void>(spinning.run(single[0])); }}},
          41);
  compare("spinning: one text, then a pause of 2 ms",
          {{"off", [&] { with_pause(still); }}, {"on", [&] { with_pause(spinning); }}}, 41);
}

// Anonymous memory of this process in MiB.
double anonymous_memory() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with("RssAnon:")) return std::stod(line.substr(8)) / 1024;
  }
  return 0;
}

void measure_memory(const std::string& path, const char* name, const std::function<void(Options&)>& change) {
  const double before = anonymous_memory();
  Options options;
  change(options);
  const Engine model(path, options);
  const double loaded = anonymous_memory();
  const std::vector<Batch> batches = stream(48, 64);
  for (const Batch& batch : batches) static_cast<void>(model.run(batch));
  const double first = anonymous_memory();
  for (int round = 0; round < 3; ++round) {
    for (const Batch& batch : batches) static_cast<void>(model.run(batch));
  }
  fmt::print("  {:<14} loaded {:7.1f} MiB   after 3072 texts {:7.1f}   after 12288 {:7.1f}\n", name, loaded - before,
             first - before, anonymous_memory() - before);
}

void compare_memory_use(const std::string& path) {
  Options options;
  const Engine arena(path, options);
  options.arena = false;
  const Engine heap(path, options);
  options.arena = true;
  options.memory_pattern = true;
  const Engine pattern(path, options);
  const std::vector<Batch> batches = stream(4, 64);
  const auto all = [&](const Engine& model) {
    for (const Batch& batch : batches) static_cast<void>(model.run(batch));
  };
  compare(
      "memory: 4 batches of 64 texts",
      {{"arena", [&] { all(arena); }}, {"no arena", [&] { all(heap); }}, {"arena and pattern", [&] { all(pattern); }}},
      9);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    fmt::print(stderr, "usage: berth_engine_bench MODEL.onnx [VOCABULARY_SIZE]\n");
    return 2;
  }
  try {
    const std::string path = argv[1];
    if (argc > 2) vocabulary = std::stoi(argv[2]);
    fmt::print("{}: {} cores in the budget; {}\n", cpu().model, cpu().thread_budget, path);
    fmt::print("\nanonymous memory, one engine after another\n");
    measure_memory(path, "arena", [](Options&) {});
    measure_memory(path, "no arena", [](Options& options) { options.arena = false; });
    measure_memory(path, "pattern", [](Options& options) { options.memory_pattern = true; });
    const Engine model(path, {});
    measure_run_cost(model);
    compare_padding(model);
    compare_schedules(path);
    compare_spinning(path);
    compare_memory_use(path);
  } catch (const Error& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 1;
  }
  return 0;
}
