// ONNX Runtime behind two doors: a ragged batch of token ids in and ragged outputs back, or named dense tensors both ways.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "berth/graph.h"
#include "berth/tensor.h"

namespace berth::engine {

enum class Schedule { latency, throughput };     // one Run with all threads; or a Run for each thread
enum class GraphOptimization { disable, basic, extended, all };
enum class Execution { sequential, parallel };
enum class Load { copy, map };

// Why these defaults: docs/engine.md.
struct Options {
  std::vector<std::string> providers{"cpu"};     // tried in order: "cpu", "cuda", "tensorrt"
  std::vector<std::pair<std::string, std::string>> provider_options;        // "cuda.device_id" = "0", or without the prefix for the first
  std::optional<std::filesystem::path> ort_library;                         // instead of the one shipped
  std::optional<std::size_t> threads;            // the process's budget; fixed by the first engine of a process
  Schedule schedule = Schedule::latency;
  std::optional<std::size_t> intra_op;           // threads of one operator, when this session is to have a pool of its own
  std::size_t inter_op = 1;
  Execution execution = Execution::sequential;
  GraphOptimization optimization = GraphOptimization::all;
  Load load = Load::copy;
  bool memory_pattern = false;
  bool arena = true;
  bool spin = false;
  std::optional<std::string> affinity;           // as ORT's session.intra_op_thread_affinities
  std::size_t batch_tokens = 4096;               // padded tokens of one Run at most (a longer text runs alone)
};

// Concatenated sequences: sequence i is [offsets[i], offsets[i+1]). `type_ids` is empty (all zero) or as long as `ids`.
struct Batch {
  std::vector<std::int32_t> ids;
  std::vector<std::int32_t> type_ids;
  std::vector<std::int64_t> offsets{0};

  [[nodiscard]] std::size_t size() const noexcept { return offsets.size() - 1; }
  void add(std::span<const std::int32_t> sequence_ids, std::span<const std::int32_t> sequence_type_ids = {});
};

// One output of a ragged run, in the order of the batch: [tokens, width] when per token, else [sequences, width].
struct Output {
  std::string name;
  bool per_token = false;
  std::int64_t width = 1;
  std::vector<float> values;

  // The rows of one sequence; `offsets` are the batch's.
  [[nodiscard]] std::span<const float> of(std::size_t sequence, std::span<const std::int64_t> offsets) const;
};

// A dense tensor of the second door; owns its values.
struct DenseTensor {
  std::string name;
  DType dtype = DType::f32;
  Shape shape;
  std::vector<std::byte> data;
};

[[nodiscard]] DenseTensor dense(std::string name, Shape shape, std::span<const std::int64_t> values);
[[nodiscard]] DenseTensor dense(std::string name, Shape shape, std::span<const float> values);

struct RunStatistics {
  std::uint64_t tokens = 0;                      // that were asked for
  std::uint64_t padding = 0;                     // that were computed beside them
  std::uint64_t runs = 0;
};

// A loaded model. run() may be called from many threads at once; a gate holds them to the thread budget.
class Engine {
 public:
  // Loads and checks that the graph is one that berth can feed or at least run by its second door.
  // Errors of ORT come as one sentence each: Error{unsupported, invalid_input, not_found, io, limit}.
  Engine(const std::filesystem::path& model, const Options& options);
  ~Engine();
  Engine(Engine&&) noexcept;
  Engine& operator=(Engine&&) noexcept;

  [[nodiscard]] const std::vector<graph::Value>& inputs() const noexcept;
  [[nodiscard]] const std::vector<graph::Value>& outputs() const noexcept;
  [[nodiscard]] const std::string& provider() const noexcept;               // the one in use
  [[nodiscard]] std::string runtime_version() const;                        // "1.32.0"

  // First door. Needs inputs input_ids and attention_mask (others it knows: token_type_ids, position_ids) and float
  // outputs that begin [batch] or [batch, sequence]. Every sequence must have at least one id. A model
  // that names its limits (graph::kMaxTokensKey, kVocabularyKey) refuses longer sequences and larger ids here, with
  // Error{limit} and Error{invalid_input}; for other models the caller checks.
  // `wanted` names outputs; all when empty. Not affected by the order or the company of sequences (fp32: ≤ 1e-5).
  [[nodiscard]] std::vector<Output> run(const Batch& batch, std::span<const std::string> wanted = {},
                                        RunStatistics* statistics = nullptr) const;

  // Second door: shapes and types are checked against the graph before ORT sees them.
  [[nodiscard]] std::vector<DenseTensor> run(std::span<const DenseTensor> inputs,
                                             std::span<const std::string> wanted = {}) const;

  // Runs small batches so that first requests are as fast as later ones.
  void warm_up() const;

 private:
  struct Session;
  std::unique_ptr<Session> session_;
};

}  // namespace berth::engine
