// berth check: whether a config or checkpoint can be exported, or an ONNX file is sound; every problem in one list.
#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "berth/error.h"
#include "cli/arguments.h"

namespace berth::cli {
namespace {

constexpr std::array kArguments{
    Argument{"PATH", Arity::one, ValueKind::input_path,
             "A checkpoint folder, a config.json alone, a bundle, or an ONNX file"},
};

constexpr std::array kOptions{
    Option{"--task", kNoLetter, "TASK", ValueKind::text,
           "What the model is to be exported for, such as text-classification", "as config.json's architectures say"},
    Option{"--opset", kNoLetter, "N", ValueKind::count, "ONNX opset that it is to be exported with", "17"},
};

const std::array kGroups{OptionGroup{"", kOptions}};

constexpr std::array<std::string_view, 2> kExamples{
    "berth check examples/models/sentiment-small-en",
    "berth check bundle/model.onnx --json",
};

struct Request {
  std::filesystem::path path;
  std::optional<std::string> task;
  std::int64_t opset = 17;
};

Request read_request(const Arguments& arguments) {
  Request request;
  request.path = arguments.argument("PATH");
  request.task = arguments.text("--task");
  if (const auto opset = arguments.count("--opset")) request.opset = static_cast<std::int64_t>(*opset);
  return request;
}

ExitCode run_check(const Context& context) {
  const Request request = read_request(context.arguments);
  throw Error(ErrorKind::unsupported, request.path.string(), "not built yet");
}

}  // namespace

extern const Command kCheck{
    .name = "check",
    .summary = "can this be exported, is this ONNX file sound",
    .details =
        "A config.json or a checkpoint, even before training, is held against what berth can export. An ONNX "
        "file, made by anyone, is checked for structure, types and shapes, opset and IR version against what "
        "ONNX Runtime loads, and external data inside its folder and in bounds. All problems come in one list; "
        "the exit code is 3 when there are any.",
    .arguments = kArguments,
    .groups = kGroups,
    .examples = kExamples,
    .run = run_check,
};

}  // namespace berth::cli
