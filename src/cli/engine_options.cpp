// Engine options: the table, and its words as values of the engine.
#include "cli/engine_options.h"

#include <array>

#include "berth/error.h"

namespace berth::cli {
namespace {

constexpr std::array kOptions{
    Option{"--provider", kNoLetter, "cpu|cuda|tensorrt", ValueKind::choices,
           "Where to compute; several, such as cuda,cpu, are tried in this order", "cpu"},
    Option{"--provider-option", kNoLetter, "K=V", ValueKind::setting,
           "An option of ONNX Runtime's provider, such as cuda.device_id=1; can be given many times"},
    Option{"--ort-library", kNoLetter, "FILE", ValueKind::input_path, "Use this libonnxruntime.so, such as a GPU build",
           "the one that comes with berth"},
    Option{"--schedule", kNoLetter, "latency|throughput", ValueKind::choice,
           "All threads on one batch, or a batch for each thread", "latency"},
    Option{"--load", kNoLetter, "copy|map", ValueKind::choice,
           "Copy the weights into memory, or map their file, which must then never change", "copy"},
    Option{"--intra-op", kNoLetter, "N", ValueKind::count, "Threads of one operator, in a pool of this model's own",
           "the common pool"},
    Option{"--inter-op", kNoLetter, "N", ValueKind::count, "Operators computed at once, with --execution parallel",
           "1"},
    Option{"--execution", kNoLetter, "sequential|parallel", ValueKind::choice, "The order of operators", "sequential"},
    Option{"--graph-optimization", kNoLetter, "disable|basic|extended|all", ValueKind::choice,
           "How far ONNX Runtime rewrites the graph when it loads it", "all"},
    Option{"--mem-pattern", kNoLetter, "on|off", ValueKind::choice, "Plan memory once for each shape of input", "off"},
    Option{"--arena", kNoLetter, "on|off", ValueKind::choice, "Keep freed memory for the next run", "on"},
    Option{"--spin", kNoLetter, "on|off", ValueKind::choice,
           "Let idle threads wait by spinning: quicker, and a core busy for nothing", "off"},
    Option{"--affinity", kNoLetter, "LIST", ValueKind::text,
           "Cores for the threads, as ONNX Runtime's session.intra_op_thread_affinities, such as 1;2;3"},
};
constexpr OptionGroup kGroup{"Options for running a model", kOptions};

template <typename Value>
struct Word {
  std::string_view word;
  Value value;
};

constexpr Word<engine::Schedule> kSchedules[] = {{"latency", engine::Schedule::latency},
                                                 {"throughput", engine::Schedule::throughput}};
constexpr Word<engine::Load> kLoads[] = {{"copy", engine::Load::copy}, {"map", engine::Load::map}};
constexpr Word<engine::Execution> kExecutions[] = {{"sequential", engine::Execution::sequential},
                                                   {"parallel", engine::Execution::parallel}};
constexpr Word<engine::GraphOptimization> kOptimizations[] = {{"disable", engine::GraphOptimization::disable},
                                                              {"basic", engine::GraphOptimization::basic},
                                                              {"extended", engine::GraphOptimization::extended},
                                                              {"all", engine::GraphOptimization::all}};

template <typename Value, std::size_t size>
void set_choice(const Arguments& arguments, std::string_view option, const Word<Value> (&words)[size], Value& target) {
  const auto given = arguments.text(option);
  if (!given) return;
  for (const Word<Value>& row : words) {
    if (row.word == *given) {
      target = row.value;
      return;
    }
  }
  throw Error(ErrorKind::internal, std::string(option), "the word " + *given + " has no value in the engine");
}

}  // namespace

const OptionGroup& engine_option_group() noexcept { return kGroup; }

engine::Options engine_options(const Arguments& arguments) {
  engine::Options options;
  if (auto providers = arguments.list("--provider"); !providers.empty()) options.providers = std::move(providers);
  options.provider_options = arguments.settings("--provider-option");
  options.ort_library = arguments.text("--ort-library");
  options.threads = arguments.count("--threads");
  options.intra_op = arguments.count("--intra-op");
  options.inter_op = arguments.count("--inter-op").value_or(options.inter_op);
  set_choice(arguments, "--schedule", kSchedules, options.schedule);
  set_choice(arguments, "--load", kLoads, options.load);
  set_choice(arguments, "--execution", kExecutions, options.execution);
  set_choice(arguments, "--graph-optimization", kOptimizations, options.optimization);
  options.memory_pattern = arguments.on_or_off("--mem-pattern").value_or(options.memory_pattern);
  options.arena = arguments.on_or_off("--arena").value_or(options.arena);
  options.spin = arguments.on_or_off("--spin").value_or(options.spin);
  options.affinity = arguments.text("--affinity");
  return options;
}

}  // namespace berth::cli
