// berth run: texts in, the task's answers out.
#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <fstream>
#include <optional>
#include <string>
#include <unistd.h>
#include <vector>

#include "berth/error.h"
#include "berth/workflow.h"
#include "cli/answer_view.h"
#include "cli/console.h"
#include "cli/engine_options.h"
#include "cli/input.h"
#include "cli/terminal.h"
#include "pipeline/answer_json.h"

namespace berth::cli {
namespace {

constexpr std::array kArguments{
    Argument{"PATH", Arity::one, ValueKind::input_path,
             "A bundle, a checkpoint, a folder with model.onnx, or an ONNX file"},
    Argument{"TEXT", Arity::any, ValueKind::any_text, "Texts to answer; without any, the lines of standard input"},
};

constexpr std::array kOptions{
    Option{"--task", kNoLetter, "TASK", ValueKind::text, "What the model is for, such as text-classification",
           "as the bundle or config.json says"},
    Option{"--top-k", kNoLetter, "N|all", ValueKind::text, "Labels to give for each text, best first (text-classification)", "1"},
    Option{"--function-to-apply", kNoLetter, "softmax|sigmoid|none", ValueKind::choice, "From logits to scores (text-classification)",
           "as the config's problem_type says"},
    Option{"--ignore-labels", kNoLetter, "A,B", ValueKind::any_text, "Labels to leave out, '' for none (token-classification)", "O"},
    Option{"--max-length", kNoLetter, "N", ValueKind::count, "Tokens of a text to read at most",
           "what the model can take"},
    Option{"--batch-tokens", kNoLetter, "N", ValueKind::count, "Tokens to compute at once at most, padding included",
           "4096"},
    Option{"--jsonl", kNoLetter, "FILE", ValueKind::input,
           "Read JSON objects with text (and text_pair) or tokens from this file (- is standard input), one a line; "
           "write one object a line, in order"},
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

constexpr std::size_t kBlockTexts = 64;  // of standard input, answered together

workflow::RunOptions read_options(const Arguments& arguments) {
  workflow::RunOptions options;
  options.open.task = arguments.text("--task");
  options.open.tokenizer = arguments.text("--tokenizer");
  options.engine = engine_options(arguments);
  options.engine.batch_tokens = arguments.count("--batch-tokens").value_or(options.engine.batch_tokens);
  options.pipeline.max_length = arguments.count("--max-length");
  if (const auto top_k = arguments.text("--top-k")) {
    options.pipeline.top_k = *top_k == "all" ? std::nullopt : std::optional(to_count("--top-k", *top_k));
  }
  if (const auto ignored = arguments.text("--ignore-labels")) {
    options.pipeline.ignore_labels =
        ignored->empty() ? std::vector<std::string>{} : to_list("--ignore-labels", *ignored);
  }
  if (const auto function = arguments.text("--function-to-apply")) {
    options.pipeline.function_to_apply = *function == "softmax"   ? pipeline::Function::softmax
                                         : *function == "sigmoid" ? pipeline::Function::sigmoid
                                                                  : pipeline::Function::none;
  }
  return options;
}

std::string view_of(const pipeline::Classification& result, const bundle::Bundle& bundle, const Terminal& terminal) {
  std::vector<LabelRow> rows;
  bool probabilities = true;
  for (const pipeline::LabelScore& row : result) {
    rows.push_back({row.label, row.score});
    probabilities = probabilities && row.score >= 0 && row.score <= 1;
  }
  const bool numbers = bundle.problem_type == "regression" || !probabilities;
  return view_of(rows, numbers ? Scale::number : Scale::probability, terminal);
}

std::string view_of(const pipeline::TokenClassification& result, const bundle::Bundle&, const Terminal&) {
  std::vector<TokenRow> rows;
  for (const pipeline::TokenLabel& token : result) rows.push_back({token.text, token.entity, token.score});
  return view_of(rows);
}

// Answers texts as they come, and keeps the answers when they are to be one JSON document.
class Answerer {
 public:
  Answerer(const pipeline::Pipeline& pipeline, Console& console) : pipeline_(pipeline), console_(console) {}

  void answer(const std::vector<std::string>& texts) {
    std::vector<pipeline::Input> inputs;
    for (const std::string& text : texts) inputs.push_back({text, std::nullopt, {}});
    const std::vector<pipeline::Answer> answers = pipeline_.run(inputs);
    for (std::size_t i = 0; i < texts.size(); ++i) {
      if (console_.settings().json) {
        document_.push_back(to_value(answers[i]));
      } else {
        print(texts[i], answers[i]);
      }
    }
  }

  void finish() {
    if (console_.settings().json) console_.print_json(document_);
  }

 private:
  void print(const std::string& text, const pipeline::Answer& answer) {
    const Terminal& terminal = console_.settings().output;
    const std::string view =
        std::visit([&](const auto& result) { return view_of(result, pipeline_.bundle(), terminal); }, answer.result);
    console_.print(heading_of(text, answer.truncated, terminal) + view + "\n");
  }

  const pipeline::Pipeline& pipeline_;
  Console& console_;
  json::Value document_ = json::Value::array();
};

// A person at the prompt gets each answer at once; a file is answered in blocks.
void answer_standard_input(Answerer& answerer, Console& console, Progress& progress) {
  const bool typed = examine_terminal(STDIN_FILENO).interactive;
  if (typed) console.note("type a text and press Enter; end with Ctrl-D");
  InterruptibleInput input(STDIN_FILENO, progress);
  std::vector<std::string> texts;
  for (std::string line; std::getline(input, line);) {
    if (line.ends_with('\r')) line.pop_back();
    texts.push_back(line);
    if (typed || texts.size() == kBlockTexts) {
      answerer.answer(texts);
      texts.clear();
    }
  }
  answerer.answer(texts);
}

ExitCode answer_jsonl(const pipeline::Pipeline& pipeline, const std::string& file, const Context& context) {
  InterruptibleInput standard_input(STDIN_FILENO, context.progress);
  std::ifstream opened;
  if (file != "-") {
    opened.open(file, std::ios::binary);
    if (!opened) throw Error(ErrorKind::io, file, "cannot be opened");
  }
  const workflow::RowsReport report = workflow::run_jsonl(
      pipeline, file == "-" ? standard_input : static_cast<std::istream&>(opened),
      [&](std::string_view line) { context.console.print(line); }, context.progress);
  const double padded = static_cast<double>(report.statistics.padding);
  const double computed = padded + static_cast<double>(report.statistics.tokens);
  context.console.note(fmt::format("{} rows in {:.2f} s ({:.0f} a second), {} failed, {} truncated, {:.1f} % padding",
                                   report.rows, report.seconds,
                                   static_cast<double>(report.rows) / std::max(report.seconds, 1e-9), report.failed,
                                   report.truncated, computed > 0 ? 100 * padded / computed : 0.0));
  return report.failed == 0 ? ExitCode::done : ExitCode::rows_failed;
}

ExitCode run_run(const Context& context) {
  const std::vector<std::string>& texts = context.arguments.arguments("TEXT");
  const std::optional<std::string> jsonl = context.arguments.text("--jsonl");
  if (jsonl && !texts.empty()) throw Error(ErrorKind::usage, "--jsonl", "cannot be given together with texts");
  if (jsonl && context.console.settings().json) {
    throw Error(ErrorKind::usage, "--jsonl", "writes a JSON object a line, and --json one document: give one of the two");
  }
  const workflow::LoadedPipeline loaded =
      workflow::load_pipeline(context.arguments.argument("PATH"), read_options(context.arguments), context.progress);
  if (jsonl) return answer_jsonl(loaded.pipeline, *jsonl, context);
  Answerer answerer(loaded.pipeline, context.console);
  if (texts.empty()) {
    answer_standard_input(answerer, context.console, context.progress);
  } else {
    answerer.answer(texts);
  }
  answerer.finish();
  return ExitCode::done;
}

}  // namespace

extern const Command kRun{
    .name = "run",
    .summary = "answer texts",
    .details =
        "Prints for a person: label, bar and percentage, or the tokens found. --json and --jsonl print for programs. "
        "A text that is longer than the model can take is cut at its end, and the answer says so.",
    .arguments = kArguments,
    .groups = kGroups,
    .examples = kExamples,
    .run = run_run,
};

}  // namespace berth::cli
