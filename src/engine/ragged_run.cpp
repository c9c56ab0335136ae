// The first door: micro-batches of a ragged batch through reused buffers, and their rows back in the order asked.
#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>

#include "base/checked.h"
#include "berth/error.h"
#include "engine/ort_errors.h"
#include "engine/session.h"

namespace berth::engine {
namespace {

// Outputs of one Run stay within this, whatever the token budget: a vocabulary's logits for each token are large.
constexpr std::size_t kMostOutputBytes = std::size_t{128} << 20;

// Borrows a workspace for one Run.
class Lease {
 public:
  Lease(WorkspacePool& pool, Ort::Session& session, const Signature& signature)
      : pool_(pool), workspace_(pool.take(session, signature.fields.size(), signature.outputs.size())) {}
  ~Lease() { pool_.give_back(std::move(workspace_)); }
  Lease(const Lease&) = delete;
  Lease& operator=(const Lease&) = delete;
  [[nodiscard]] Workspace& operator*() const noexcept { return *workspace_; }

 private:
  WorkspacePool& pool_;
  std::unique_ptr<Workspace> workspace_;
};

std::size_t bytes_per_token(const Signature& signature, std::span<const std::size_t> selected) {
  std::size_t bytes = 1;
  for (const std::size_t i : selected) {
    const Layout& layout = signature.mappings[i].layout;
    if (layout.per_token) bytes += static_cast<std::size_t>(layout.width()) * size_of(layout.dtype);
  }
  return bytes;
}

// Copies the rows of one micro-batch to where their sequences belong.
void scatter(const Layout& layout, const std::byte* from, const Batch& batch, const Plan& plan,
             const MicroBatch& micro_batch, Output& output) {
  const std::int64_t row = output.width * (layout.per_token ? static_cast<std::int64_t>(micro_batch.length) : 1);
  const std::int64_t elements = row * static_cast<std::int64_t>(micro_batch.rows);
  const TensorView view{layout.dtype, {elements}, {from, static_cast<std::size_t>(elements) * size_of(layout.dtype)}};
  for (std::size_t i = 0; i < micro_batch.count; ++i) {
    const std::size_t sequence = plan.order[micro_batch.first + i];
    const std::int64_t begin = layout.per_token ? batch.offsets[sequence] : static_cast<std::int64_t>(sequence);
    const std::int64_t rows = layout.per_token ? batch.offsets[sequence + 1] - begin : 1;
    widen(view, row * static_cast<std::int64_t>(i), rows * output.width, output.values.data() + begin * output.width);
  }
}

// Calls function(0) … function(count - 1) on `workers` threads, this one among them; rethrows the first exception.
template <typename Function>
void for_each_index(std::size_t count, std::size_t workers, Function function) {
  std::atomic<std::size_t> next{0};
  std::mutex mutex;
  std::exception_ptr failure;
  const auto work = [&] {
    try {
      for (std::size_t i = next++; i < count; i = next++) function(i);
    } catch (...) {
      const std::lock_guard lock(mutex);
      if (!failure) failure = std::current_exception();
      next = count;
    }
  };
  {
    std::vector<std::jthread> others;
    for (std::size_t i = 1; i < std::min(workers, count); ++i) others.emplace_back(work);
    work();
  }
  if (failure) std::rethrow_exception(failure);
}

void add_to(RunStatistics& statistics, const Batch& batch, const Plan& plan) {
  std::uint64_t computed = 0;
  for (const MicroBatch& micro_batch : plan.micro_batches) computed += micro_batch.rows * micro_batch.length;
  statistics.tokens += batch.ids.size();
  statistics.padding += computed - batch.ids.size();
  statistics.runs += plan.micro_batches.size();
}

}  // namespace

std::vector<Output> Engine::Session::run_ragged(const Batch& batch, std::span<const std::string> wanted,
                                                RunStatistics* statistics) {
  if (signature.obstacle) throw *signature.obstacle;
  check(batch, signature.fixed);
  check(batch, limits, where);
  const std::vector<std::size_t> selected = select_mapped(signature, wanted, where);
  std::vector<Output> outputs;
  for (const std::size_t i : selected) {
    const Layout& layout = signature.mappings[i].layout;
    Output& output = outputs.emplace_back(Output{signature.outputs[i].name, layout.per_token, layout.width(), {}});
    output.values.resize(checked::multiply(layout.per_token ? batch.ids.size() : batch.size(),
                                           static_cast<std::size_t>(output.width), "size of an output"));
  }

  std::size_t tokens = std::min(batch_tokens, kMostOutputBytes / bytes_per_token(signature, selected));
  // When several Runs fit through the gate at once, there must be as many to share a batch.
  const std::size_t workers = environment.gate.threads() / threads.cost;
  if (workers > 1) tokens = std::min(tokens, (batch.ids.size() + workers - 1) / workers);
  const Plan plan = plan_micro_batches(batch.offsets, tokens, signature.fixed);
  for_each_index(plan.micro_batches.size(), workers,
                 [&](std::size_t i) { run_micro_batch(batch, plan, plan.micro_batches[i], selected, outputs); });
  if (statistics != nullptr) add_to(*statistics, batch, plan);
  return outputs;
}

void Engine::Session::run_micro_batch(const Batch& batch, const Plan& plan, const MicroBatch& micro_batch,
                                      std::span<const std::size_t> selected, std::vector<Output>& outputs) {
  const Gate::Pass pass(environment.gate, threads.cost);
  translated(where, [&] {
    const Lease lease(workspaces, ort, signature);
    Workspace& workspace = *lease;
    bind(workspace, batch, plan, micro_batch, selected);
    ort.Run(workspace.run_options, workspace.binding);
    for (std::size_t i = 0; i < selected.size(); ++i) {
      scatter(signature.mappings[selected[i]].layout, workspace.outputs[selected[i]].data(), batch, plan, micro_batch,
              outputs[i]);
    }
  });
}

void Engine::Session::bind(Workspace& workspace, const Batch& batch, const Plan& plan, const MicroBatch& micro_batch,
                           std::span<const std::size_t> selected) {
  const auto memory = Ort::MemoryInfo::CreateCpu(OrtDeviceAllocator, OrtMemTypeDefault);
  const auto view = [&](Buffer& buffer, const Shape& shape, DType dtype) {
    const auto bytes = static_cast<std::size_t>(element_count(shape)) * size_of(dtype);
    return Ort::Value::CreateTensor(memory, buffer.reserve(bytes), bytes, shape.data(), shape.size(),
                                    static_cast<ONNXTensorElementDataType>(graph::element_type_of(dtype)));
  };
  const auto rows = static_cast<std::int64_t>(micro_batch.rows);
  const auto length = static_cast<std::int64_t>(micro_batch.length);

  workspace.binding.ClearBoundInputs();
  workspace.binding.ClearBoundOutputs();
  for (std::size_t i = 0; i < signature.fields.size(); ++i) {
    const FieldInput& field = signature.fields[i];
    Ort::Value input = view(workspace.inputs[i], {rows, length}, field.dtype);
    if (field.dtype == DType::i64) {
      fill(field.field, batch, plan, micro_batch, input.GetTensorMutableData<std::int64_t>());
    } else {
      fill(field.field, batch, plan, micro_batch, input.GetTensorMutableData<std::int32_t>());
    }
    workspace.binding.BindInput(field.name.c_str(), input);
  }
  for (const std::size_t i : selected) {
    const Layout& layout = signature.mappings[i].layout;
    const Ort::Value output = view(workspace.outputs[i], layout.shape(rows, length), layout.dtype);
    workspace.binding.BindOutput(signature.outputs[i].name.c_str(), output);
  }
}

}  // namespace berth::engine
