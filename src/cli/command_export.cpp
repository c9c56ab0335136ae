// berth export: a checkpoint becomes a verified bundle.
#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "berth/error.h"
#include "cli/engine_options.h"

namespace berth::cli {
namespace {

constexpr std::array kArguments{
    Argument{"CHECKPOINT", Arity::one, ValueKind::input_path,
             "A folder as save_pretrained writes it: config.json, "
             "model.safetensors, tokenizer files"},
};

constexpr std::array kOptions{
    Option{"--output", 'o', "DIR", ValueKind::output_path, "The bundle to make; it must not exist", "", true},
    Option{"--task", kNoLetter, "TASK", ValueKind::text, "What the model is for, such as text-classification",
           "as config.json's architectures say"},
    Option{"--labels", kNoLetter, "A,B", ValueKind::list, "Names of the labels, in the order of their ids",
           "config.json's id2label"},
    Option{"--opset", kNoLetter, "N", ValueKind::count, "ONNX opset of the graph", "17"},
    Option{"--outputs", kNoLetter, "A,B", ValueKind::list,
           "Outputs of the graph, a part of the head's, or hidden_states.N", "all of the head's"},
    Option{"--fixed-shape", kNoLetter, "BxS", ValueKind::shape, "Fix batch and sequence, such as 8x128",
           "both stay dynamic"},
    Option{"--external-data", kNoLetter, "", ValueKind::none,
           "Put the weights into a file of their own beside the graph"},
    Option{"--no-verify", kNoLetter, "", ValueKind::none,
           "Skip holding the graph's numbers against the reference; the manifest says so"},
    Option{"--tokenizer", kNoLetter, "DIR", ValueKind::input_path, "Take the tokenizer from this folder", "CHECKPOINT"},
    Option{"--config", kNoLetter, "FILE", ValueKind::input_path, "Use this config.json", "CHECKPOINT/config.json"},
};

const std::array kGroups{OptionGroup{"", kOptions}, engine_option_group()};

constexpr std::array<std::string_view, 3> kExamples{
    "berth export examples/models/sentiment-small-en -o sentiment",
    "berth export my-model -o bundle --task token-classification --labels O,B-PER,I-PER",
    "berth export my-model -o bundle --fixed-shape 8x128 --external-data",
};

struct Request {
  std::filesystem::path checkpoint;
  std::filesystem::path output;
  std::optional<std::string> task;
  std::vector<std::string> labels;
  std::int64_t opset = 17;
  std::vector<std::string> outputs;
  std::optional<std::pair<std::int64_t, std::int64_t>> fixed_shape;
  bool external_data = false;
  bool verify = true;
  std::optional<std::filesystem::path> tokenizer;
  std::optional<std::filesystem::path> config;
  engine::Options engine;
};

Request read_request(const Arguments& arguments) {
  Request request;
  request.checkpoint = arguments.argument("CHECKPOINT");
  request.output = arguments.text("--output").value();
  request.task = arguments.text("--task");
  request.labels = arguments.list("--labels");
  if (const auto opset = arguments.count("--opset")) request.opset = static_cast<std::int64_t>(*opset);
  request.outputs = arguments.list("--outputs");
  request.fixed_shape = arguments.shape("--fixed-shape");
  request.external_data = arguments.has("--external-data");
  request.verify = !arguments.has("--no-verify");
  request.tokenizer = arguments.text("--tokenizer");
  request.config = arguments.text("--config");
  request.engine = engine_options(arguments);
  return request;
}

ExitCode run_export(const Context& context) {
  const Request request = read_request(context.arguments);
  throw Error(ErrorKind::unsupported, request.checkpoint.string(), "not built yet");
}

}  // namespace

extern const Command kExport{
    .name = "export",
    .summary = "make a verified ONNX bundle from a checkpoint",
    .details =
        "Reads a Hugging Face checkpoint, writes its encoder as a standard ONNX graph, holds the graph's numbers "
        "against an independent reference in double precision, and puts everything that must travel together "
        "into one folder. Where anything fails, nothing is left at the target.",
    .arguments = kArguments,
    .groups = kGroups,
    .examples = kExamples,
    .run = run_export,
};

}  // namespace berth::cli
