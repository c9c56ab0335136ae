// What stands behind an Engine, and the two ways to run it.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "berth/engine.h"
#include "engine/environment.h"
#include "engine/ort.h"
#include "engine/session_options.h"
#include "engine/signature.h"
#include "engine/workspace.h"

namespace berth::engine {

struct Engine::Session {
  std::string where;  // the model's file name, for errors
  Environment& environment;
  ThreadPlan threads;
  std::size_t batch_tokens;
  std::string provider;
  Ort::Session ort{nullptr};
  Signature signature;
  WorkspacePool workspaces;

  Session(const std::filesystem::path& model, const Options& options);

  [[nodiscard]] std::vector<Output> run_ragged(const Batch& batch, std::span<const std::string> wanted,
                                               RunStatistics* statistics);
  [[nodiscard]] std::vector<DenseTensor> run_dense(std::span<const DenseTensor> inputs,
                                                   std::span<const std::string> wanted);

 private:
  void run_micro_batch(const Batch& batch, const Plan& plan, const MicroBatch& micro_batch,
                       std::span<const std::size_t> selected, std::vector<Output>& outputs);
  void bind(Workspace& workspace, const Batch& batch, const Plan& plan, const MicroBatch& micro_batch,
            std::span<const std::size_t> selected);
  void observe_outputs();
};

}  // namespace berth::engine
