// The public face: an Engine, and the small structs that pass through it.
#include "berth/engine.h"

#include <utility>

#include "engine/session.h"

namespace berth::engine {

void Batch::add(std::span<const std::int32_t> sequence_ids, std::span<const std::int32_t> sequence_type_ids) {
  // The first sequence with type ids gives zeros to all before it, and so does the lack of them to all after.
  if (!sequence_type_ids.empty() || !type_ids.empty()) {
    type_ids.resize(ids.size(), 0);
    type_ids.insert(type_ids.end(), sequence_type_ids.begin(), sequence_type_ids.end());
  }
  ids.insert(ids.end(), sequence_ids.begin(), sequence_ids.end());
  if (!type_ids.empty() && sequence_type_ids.empty()) type_ids.resize(ids.size(), 0);
  offsets.push_back(static_cast<std::int64_t>(ids.size()));
}

std::span<const float> Output::of(std::size_t sequence, std::span<const std::int64_t> offsets) const {
  const auto columns = static_cast<std::size_t>(width);
  if (!per_token) return std::span(values).subspan(sequence * columns, columns);
  const auto begin = static_cast<std::size_t>(offsets[sequence]);
  const auto end = static_cast<std::size_t>(offsets[sequence + 1]);
  return std::span(values).subspan(begin * columns, (end - begin) * columns);
}

Engine::Engine(const std::filesystem::path& model, const Options& options)
    : session_(std::make_unique<Session>(model, options)) {}
Engine::~Engine() = default;
Engine::Engine(Engine&&) noexcept = default;
Engine& Engine::operator=(Engine&&) noexcept = default;

const std::vector<graph::Value>& Engine::inputs() const noexcept { return session_->signature.inputs; }
const std::vector<graph::Value>& Engine::outputs() const noexcept { return session_->signature.outputs; }
const std::string& Engine::provider() const noexcept { return session_->provider; }
std::string Engine::runtime_version() const { return session_->environment.library.version; }

std::vector<Output> Engine::run(const Batch& batch, std::span<const std::string> wanted,
                                RunStatistics* statistics) const {
  return session_->run_ragged(batch, wanted, statistics);
}

std::vector<DenseTensor> Engine::run(std::span<const DenseTensor> inputs, std::span<const std::string> wanted) const {
  return session_->run_dense(inputs, wanted);
}

void Engine::warm_up() const {
  if (session_->signature.obstacle) return;  // such a graph's inputs cannot be made up
  constexpr std::size_t kSequences = 8;
  constexpr std::int32_t kId = 0;  // in every vocabulary
  for (const std::size_t length : {1, 8, 16}) {
    if (session_->signature.fixed.sequence != 0 && length > session_->signature.fixed.sequence) continue;
    Batch batch;
    for (std::size_t i = 0; i < kSequences; ++i) batch.add(std::vector<std::int32_t>(length, kId));
    static_cast<void>(run(batch));
  }
}

}  // namespace berth::engine
