// The program on real models: what it answers is what Transformers answers (expected.jsonl beside each model).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "base/file.h"
#include "base/json.h"
#include "base/progress.h"
#include "berth/workflow.h"
#include "support/paths.h"
#include "support/process.h"

namespace berth {
namespace {

namespace fs = std::filesystem;
using json::Value;

constexpr double kTolerance = 1e-4;

std::vector<Value> read_rows(const std::string& lines) {
  std::vector<Value> rows;
  std::istringstream stream(lines);
  for (std::string line; std::getline(stream, line);) rows.push_back(json::parse(line, "row"));
  return rows;
}

class SystemModels : public ::testing::Test {
 protected:
  // Exported with verification, as a user does it.
  fs::path exported(const fs::path& checkpoint) {
    const fs::path bundle = folder_.path() / checkpoint.filename();
    const test::Finished finished = test::run_berth({"export", checkpoint.string(), "-o", bundle.string()});
    EXPECT_EQ(finished.exit_code, 0) << finished.messages;
    return bundle;
  }

  std::vector<Value> answers(const fs::path& bundle, const std::vector<Value>& rows, std::vector<std::string> options) {
    std::string input;
    for (const Value& row : rows) input += Value{{"text", row["text"]}}.dump() + "\n";
    options.insert(options.begin(), {"run", bundle.string(), "--jsonl", "-"});
    const test::Finished finished = test::run_berth(options, {.input = input});
    EXPECT_EQ(finished.exit_code, 0) << finished.messages;
    return read_rows(finished.output);
  }

  TemporaryFolder folder_;
};

// The logits, by the library's own doors; the answers, by the program.
void expect_logits(const fs::path& bundle, const Value& row, const engine::Engine& engine,
                   const text::Tokenizer& tokenizer) {
  text::EncodeOptions options;
  options.max_length = 512;
  const text::Encoding encoding = tokenizer.encode(row["text"].get<std::string>(), options);
  ASSERT_EQ(encoding.ids, row["input_ids"].get<std::vector<std::int32_t>>()) << row["text"];
  engine::Batch batch;
  batch.add(encoding.ids, encoding.type_ids);
  const std::vector<float> logits = engine.run(batch)[0].values;
  std::vector<double> expected;
  for (const Value& value : row["logits"].flatten()) expected.push_back(value.get<double>());
  ASSERT_EQ(logits.size(), expected.size()) << bundle;
  for (std::size_t i = 0; i < logits.size(); ++i) ASSERT_NEAR(logits[i], expected[i], kTolerance) << row["text"];
}

engine::Options engine_options() {
  engine::Options options;
  options.ort_library = test::ort_library();
  return options;
}

void expect_all_logits(const fs::path& bundle, const std::vector<Value>& rows) {
  const engine::Engine engine(bundle / "model.onnx", engine_options());
  const auto tokenizer = text::Tokenizer::from_folder(bundle, {});
  for (const Value& row : rows) expect_logits(bundle, row, engine, tokenizer);
}

class SystemSentiment : public SystemModels, public ::testing::WithParamInterface<std::string> {};

TEST_P(SystemSentiment, AnswersAsTransformersDoes) {
  const fs::path checkpoint = test::example_model(GetParam());
  const fs::path bundle = exported(checkpoint);
  const std::vector<Value> rows = read_rows(read_file(checkpoint / "expected.jsonl", 1U << 24));
  ASSERT_EQ(rows.size(), 40U);
  expect_all_logits(bundle, rows);
  const std::vector<Value> got = answers(bundle, rows, {});
  ASSERT_EQ(got.size(), rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const Value& best = got[i]["answer"][0];
    const auto probabilities = rows[i]["probabilities"].get<std::vector<double>>();
    EXPECT_EQ(best["label"], rows[i]["label"]) << rows[i]["text"];
    EXPECT_NEAR(best["score"].get<double>(), *std::max_element(probabilities.begin(), probabilities.end()), kTolerance);
    EXPECT_EQ(got[i]["truncated"].get<bool>(), rows[i]["input_ids"].size() == 512U);
  }
}

INSTANTIATE_TEST_SUITE_P(Examples, SystemSentiment, ::testing::Values("sentiment-small-en", "sentiment-small-zh"),
                         [](const auto& model) { return model.param.substr(model.param.size() - 2); });

TEST_F(SystemModels, TagsTokensAsTransformersDoes) {
  const std::optional<fs::path> checkpoint = test::shared("models/ner-small-en");
  if (!checkpoint) GTEST_SKIP() << "ner-small-en (16 MB) is not in the repository and not beside it";
  const fs::path bundle = exported(*checkpoint);
  const std::vector<Value> rows = read_rows(read_file(*checkpoint / "expected.jsonl", 1U << 24));
  ASSERT_EQ(rows.size(), 40U);
  expect_all_logits(bundle, rows);
  const std::vector<Value> got = answers(bundle, rows, {"--ignore-labels", ""});
  ASSERT_EQ(got.size(), rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto labels = rows[i]["labels"].get<std::vector<std::string>>();
    const Value& tokens = got[i]["answer"];
    ASSERT_EQ(tokens.size() + 2, labels.size()) << rows[i]["text"];
    for (const Value& token : tokens) EXPECT_EQ(token["entity"], labels[token["index"].get<std::size_t>()]);
  }
}

}  // namespace
}  // namespace berth
