// Creation of the process's ONNX Runtime environment.
#include "engine/environment.h"

#include <memory>
#include <mutex>
#include <string>
#include <utility>

#include "base/cpu.h"
#include "base/log.h"
#include "berth/error.h"
#include "engine/ort_errors.h"

namespace berth::engine {
namespace {

namespace fs = std::filesystem;

// ORT's warnings are remarks on the graph for its developers, and its errors arrive as exceptions as well.
void ORT_API_CALL to_log(void*, OrtLoggingLevel level, const char*, const char*, const char* location,
                         const char* message) {
  const Severity severity = level == ORT_LOGGING_LEVEL_FATAL ? Severity::warning : Severity::debug;
  log(severity, std::string("ONNX Runtime: ") + message + " (" + location + ")");
}

Ort::Env create_environment(std::size_t threads) {
  Ort::ThreadingOptions threading;
  threading.SetGlobalIntraOpNumThreads(static_cast<int>(threads));
  threading.SetGlobalInterOpNumThreads(1);  // parallel execution has pools of its own: session_options.cpp
  threading.SetGlobalSpinControl(0);        // so has a session that spins: an idle process must be idle
  Ort::Env env(threading, to_log, nullptr, ORT_LOGGING_LEVEL_WARNING, "berth");
  env.DisableTelemetryEvents();

  // Grows by what is asked for and not by doubling: memory has a ceiling that can be computed.
  const Ort::ArenaCfg growth({{"arena_extend_strategy", 1}});
  env.CreateAndRegisterAllocator(Ort::MemoryInfo::CreateCpu(OrtArenaAllocator, OrtMemTypeDefault), growth);
  return env;
}

void require_same(const Environment& environment, const Options& options) {
  if (options.threads && *options.threads != environment.gate.threads()) {
    throw Error(ErrorKind::usage, "threads",
                "is " + std::to_string(*options.threads) +
                    ", but the first engine of this process fixed the budget at " +
                    std::to_string(environment.gate.threads()),
                "use the same number for all engines, or intra_op for one of them");
  }
  if (options.ort_library && !fs::equivalent(*options.ort_library, environment.library.path)) {
    throw Error(ErrorKind::usage, options.ort_library->string(),
                "cannot be used beside " + environment.library.path.string() + ", which this process has opened",
                "a process runs one ONNX Runtime");
  }
}

}  // namespace

Environment::Environment(OrtLibrary opened, std::size_t threads) : library(std::move(opened)), gate(threads) {
  Ort::InitApi(library.api);
  ort = translated(library.path.string(), [&] { return create_environment(threads); });
}

Environment& environment(const Options& options) {
  static std::mutex mutex;
  static Environment* created = nullptr;  // reachable and never freed
  const std::lock_guard lock(mutex);
  if (created != nullptr) {
    require_same(*created, options);
    return *created;
  }
  OrtLibrary library = open_ort_library(options.ort_library.value_or(shipped_ort_library()));
  auto made = std::make_unique<Environment>(std::move(library), options.threads.value_or(cpu().thread_budget));
  created = made.release();
  return *created;
}

}  // namespace berth::engine
