// berth as one of the engines of compare.py: `berth_engines_worker BUNDLE THREADS on|off` (spinning), then a request a line, an answer a
// line, as worker.py says.
#include <sys/resource.h>

#include <chrono>
#include <cstdint>
#include <fstream>
#include <iostream>
#include <map>
#include <string>
#include <vector>

#include "base/json.h"
#include "berth/bundle.h"
#include "berth/engine.h"
#include "berth/error.h"
#include "berth/text.h"

namespace {

using namespace berth;
using json::Value;

double cpu_seconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](timeval t) { return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) * 1e-6; };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

// Not getrusage's: a child begins with what its parent had.
std::uint64_t peak_bytes() {
  std::ifstream status("/proc/self/status");
  std::string word;
  while (status >> word && word != "VmHWM:") {
  }
  std::uint64_t kilobytes = 0;
  status >> kilobytes;
  return kilobytes * 1024;
}

struct Workload {
  std::vector<std::string> texts;
  engine::Batch rows;
};

class Worker {
 public:
  Worker(const bundle::Bundle& bundle, const engine::Options& options)
      : tokenizer_(text::Tokenizer::from_folder(bundle.tokenizer_folder, {})), engine_(bundle.model_file, options) {
    encode_.max_length = bundle.max_tokens;
  }

  Value answer(const Value& request) {
    if (request.contains("set")) return set(request);
    if (request.contains("answer")) return {{"outputs", outputs(run(workloads_.at(request["answer"])))}};
    if (request.contains("time")) return time(workloads_.at(request["time"]), request.at("seconds").get<double>());
    if (request.contains("tune")) return {{"tuned", ""}};  // berth finds its batches by itself
    return {{"peak", peak_bytes()}};
  }

 private:
  struct Result {
    engine::Batch batch;
    std::vector<engine::Output> outputs;
  };

  Value set(const Value& request) {
    Workload workload;
    if (request.contains("texts")) workload.texts = request["texts"].get<std::vector<std::string>>();
    if (request.contains("rows")) {
      for (const Value& row : request["rows"]) workload.rows.add(row.get<std::vector<std::int32_t>>());
    }
    workloads_[request["set"].get<std::string>()] = std::move(workload);
    return Value::object();
  }

  Result run(const Workload& workload) const {
    Result result{workload.rows, {}};
    for (const std::string& text : workload.texts) result.batch.add(tokenizer_.encode(text, encode_).ids);
    const std::vector<std::string> wanted{engine_.outputs().front().name};
    result.outputs = engine_.run(result.batch, wanted);
    return result;
  }

  // Of an output with a row for each token, the first token's.
  static Value outputs(const Result& result) {
    const engine::Output& output = result.outputs.front();
    Value rows = Value::array();
    for (std::size_t i = 0; i < result.batch.size(); ++i) {
      const auto values = output.of(i, result.batch.offsets).first(static_cast<std::size_t>(output.width));
      rows.push_back(std::vector<float>(values.begin(), values.end()));
    }
    return rows;
  }

  Value time(const Workload& workload, double seconds) const {
    std::vector<double> wall;
    std::vector<double> cpu;
    for (double sum = 0; sum < seconds; sum += wall.back()) {
      const double start_cpu = cpu_seconds();
      const auto start = std::chrono::steady_clock::now();
      (void)run(workload);
      wall.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
      cpu.push_back(cpu_seconds() - start_cpu);
    }
    return {{"wall", wall}, {"cpu", cpu}};
  }

  text::Tokenizer tokenizer_;
  engine::Engine engine_;
  text::EncodeOptions encode_;
  std::map<std::string, Workload> workloads_;
};

}  // namespace

int main(int argc, char** argv) try {
  if (argc != 4) throw Error(ErrorKind::usage, "arguments", "are not BUNDLE THREADS on|off");
  engine::Options options;
  options.threads = std::stoul(argv[2]);
  options.spin = argv[3] == std::string_view("on");
  Worker worker(bundle::open(argv[1], {}), options);
  std::cout << R"({"ready": true})" << std::endl;
  for (std::string line; std::getline(std::cin, line);) {
    std::cout << worker.answer(json::parse(line, "request")).dump() << std::endl;
  }
  return 0;
} catch (const std::exception& error) {
  std::cerr << "error: " << error.what() << "\n";
  return 1;
}
