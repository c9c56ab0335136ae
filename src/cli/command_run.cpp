// berth run: texts in, the task's answers out.
#include <array>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "berth/error.h"
#include "cli/engine_options.h"

namespace berth::cli {
namespace {

constexpr std::array kArguments{
    Argument{"PATH", Arity::one, ValueKind::input_path,
             "A bundle, a folder with model.onnx, an ONNX file, or a checkpoint"},
    Argument{"TEXT", Arity::any, ValueKind::any_text, "Texts to answer; without any, the lines of standard input"},
};

constexpr std::array kOptions{
    Option{"--task", kNoLetter, "TASK", ValueKind::text, "What the model is for, such as text-classification",
           "as the bundle or config.json says"},
    Option{"--top-k", kNoLetter, "N", ValueKind::count, "Answers to give for each text, best first", "1"},
    Option{"--max-length", kNoLetter, "N", ValueKind::count, "Tokens of a text to read at most",
           "what the model can take"},
    Option{"--batch-tokens", kNoLetter, "N", ValueKind::count, "Tokens to compute at once at most, padding included",
           "4096"},
    Option{"--jsonl", kNoLetter, "FILE", ValueKind::input_path,
           "Read texts from this file of JSON objects, one a line; write one object a line, in order"},
    Option{"--tokenizer", kNoLetter, "DIR", ValueKind::input_path, "Take the tokenizer from this folder",
           "the folder of the model"},
};

const std::array kGroups{OptionGroup{"", kOptions}, engine_option_group()};

constexpr std::array<std::string_view, 4> kExamples{
    "berth run sentiment \"What a lovely film.\"",
    "berth run sentiment \"What a lovely film.\" \"I want my money back.\" --top-k 2 --json",
    "berth run sentiment < reviews.txt",
    "berth run sentiment --jsonl reviews.jsonl > answers.jsonl",
};

struct Request {
  std::filesystem::path path;
  std::vector<std::string> texts;  // none: from standard input or `jsonl`
  std::optional<std::filesystem::path> jsonl;
  std::optional<std::string> task;
  std::optional<std::size_t> top_k;
  std::optional<std::size_t> max_length;
  std::optional<std::filesystem::path> tokenizer;
  engine::Options engine;
};

Request read_request(const Arguments& arguments) {
  Request request;
  request.path = arguments.argument("PATH");
  request.texts = arguments.arguments("TEXT");
  request.jsonl = arguments.text("--jsonl");
  request.task = arguments.text("--task");
  request.top_k = arguments.count("--top-k");
  request.max_length = arguments.count("--max-length");
  request.tokenizer = arguments.text("--tokenizer");
  request.engine = engine_options(arguments);
  if (const auto tokens = arguments.count("--batch-tokens")) request.engine.batch_tokens = *tokens;
  if (request.jsonl && !request.texts.empty()) {
    throw Error(ErrorKind::usage, "--jsonl", "cannot be given together with texts");
  }
  return request;
}

ExitCode run_run(const Context& context) {
  const Request request = read_request(context.arguments);
  throw Error(ErrorKind::unsupported, request.path.string(), "not built yet");
}

}  // namespace

extern const Command kRun{
    .name = "run",
    .summary = "answer texts",
    .details =
        "Prints for a person: label, bar and percentage, or the tokens found; --json and --jsonl print for programs. "
        "A text that is longer than the model can take is cut at its end, and the answer says so.",
    .arguments = kArguments,
    .groups = kGroups,
    .examples = kExamples,
    .run = run_run,
};

}  // namespace berth::cli
