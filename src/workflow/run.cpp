// berth run: loading whatever a path holds, and answering JSON Lines.
#include <istream>

#include "base/clock.h"
#include "base/file.h"
#include "base/json.h"
#include "base/log.h"
#include "base/progress.h"
#include "berth/error.h"
#include "berth/workflow.h"

namespace berth::workflow {
namespace {

namespace fs = std::filesystem;
using json::Value;

constexpr std::size_t kBlockRows = 512;  // in memory at a time

// A line on its way: what it asks, or why it cannot be answered.
struct Line {
  std::optional<pipeline::Input> input;
  std::optional<Error> error;
};

pipeline::Input to_input(const json::Object& row) {
  pipeline::Input input;
  if (auto words = row.get<std::vector<std::string>>("tokens")) {
    if (words->empty()) throw Error(ErrorKind::invalid_input, row.where("tokens"), "is an empty list");
    input.words = std::move(*words);
    return input;
  }
  if (!row.has("text")) {
    throw Error(ErrorKind::invalid_input, row.where(), "has neither \"text\" nor \"tokens\"",
                "each line is an object such as {\"text\": \"…\"}");
  }
  input.text = row.require<std::string>("text");
  input.text_pair = row.get<std::string>("text_pair");
  return input;
}

Line parse_line(const std::string& text, std::uint64_t number) {
  const std::string where = "line " + std::to_string(number);
  try {
    const Value value = json::parse(text, where);
    return {to_input(json::Object(value, where)), std::nullopt};
  } catch (const Error& error) {
    return {std::nullopt, error};
  }
}

std::string error_line(const Error& error) {
  return json::to_value(error).dump(-1, ' ', false, Value::error_handler_t::replace);
}

// Answers a block; should the batch as a whole fail, its rows are run alone, so that one bad row costs only itself.
std::vector<std::string> answer_block(const pipeline::Pipeline& pipeline, const std::vector<Line>& lines,
                                      RowsReport& report) {
  std::vector<pipeline::Input> inputs;
  for (const Line& line : lines) {
    if (line.input) inputs.push_back(*line.input);
  }
  std::vector<std::string> answers;
  const auto add = [&](const pipeline::Answer& answer) {
    report.truncated += answer.truncated ? 1 : 0;
    answers.push_back(pipeline::to_json(answer));
  };
  try {
    for (const pipeline::Answer& answer : pipeline.run(inputs, &report.statistics)) add(answer);
  } catch (const Error&) {
    for (const pipeline::Input& input : inputs) {
      try {
        add(pipeline.run({&input, 1}, &report.statistics).front());
      } catch (const Error& error) {
        answers.push_back(error_line(error));
        ++report.failed;
      }
    }
  }
  std::vector<std::string> output;
  std::size_t next = 0;
  for (const Line& line : lines) {
    output.push_back(line.input ? std::move(answers[next++]) : error_line(*line.error));
    report.failed += line.error ? 1 : 0;
  }
  return output;
}

bool blank(const std::string& line) { return line.find_first_not_of(" \t\r") == std::string::npos; }

}  // namespace

LoadedPipeline load_pipeline(const fs::path& path, const RunOptions& options, Progress& progress) {
  if (bundle::holds_model(path) || !fs::exists(path / bundle::kConfigFile)) {
    return {nullptr, pipeline::Pipeline(bundle::open(path, options.open), options.engine, options.pipeline)};
  }
  auto folder = std::make_shared<const TemporaryFolder>();
  ExportOptions export_options;
  export_options.verify = false;
  export_options.task = options.open.task;
  export_options.tokenizer = options.open.tokenizer;
  const ExportReport exported = export_checkpoint(path, folder->path() / "model", export_options, progress);
  log_info(path.string() +
           " is a checkpoint: exported for this run only, and not verified; to keep a verified model: "
           "berth export " +
           path.string() + " -o DIR");
  return {folder, pipeline::Pipeline(bundle::open(exported.folder, {}), options.engine, options.pipeline)};
}

RowsReport run_jsonl(const pipeline::Pipeline& pipeline, std::istream& input,
                     const std::function<void(std::string_view)>& write, Progress& progress) {
  const Clock clock;
  const Clock::Time start = clock.now();
  RowsReport report;
  std::uint64_t number = 0;
  progress.begin("run", 0, "rows");
  for (bool more = true; more;) {
    progress.throw_if_cancelled();
    std::vector<Line> lines;
    std::string text;
    while (lines.size() < kBlockRows && (more = static_cast<bool>(std::getline(input, text)))) {
      ++number;
      if (!blank(text)) lines.push_back(parse_line(text, number));
    }
    for (const std::string& line : answer_block(pipeline, lines, report)) write(line + "\n");
    report.rows += lines.size();
    progress.advance(lines.size());
  }
  progress.end();
  report.seconds = seconds_between(start, clock.now());
  return report;
}

}  // namespace berth::workflow
