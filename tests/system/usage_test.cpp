// The program as people use it: the road from a checkpoint to an answer, and the mistakes on it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>

#include "base/file.h"
#include "base/json.h"
#include "support/models.h"
#include "support/paths.h"
#include "support/process.h"

namespace berth {
namespace {

namespace fs = std::filesystem;
using test::Finished;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;

const std::string kTiny = test::data("cases/tiny-cls").string();

Finished run_program(const std::vector<std::string>& words, const std::string& input = "") {
  return test::run_berth(words, {.input = input});
}

class SystemUsage : public ::testing::Test {
 protected:
  [[nodiscard]] std::string path(const std::string& name) const { return (folder_.path() / name).string(); }
  [[nodiscard]] std::vector<std::string> left() const {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(folder_.path())) names.push_back(entry.path().filename().string());
    return names;
  }
  [[nodiscard]] std::string tiny_bundle() const {
    const Finished finished = run_program({"export", kTiny, "-o", path("tiny")});
    EXPECT_EQ(finished.exit_code, 0) << finished.messages;
    return path("tiny");
  }
  TemporaryFolder folder_;
};

TEST_F(SystemUsage, ExportSaysWhatItDidAndWhatIsNext) {
  const Finished finished = run_program({"export", kTiny, "-o", path("out")});
  EXPECT_EQ(finished.exit_code, 0);
  EXPECT_THAT(finished.output, IsEmpty());
  EXPECT_THAT(finished.messages,
              AllOf(HasSubstr("text-classification"), HasSubstr("max difference"), HasSubstr("next: berth run ")));
}

TEST_F(SystemUsage, AnswersTextsFromArgumentsStandardInputAndJsonl) {
  const std::string bundle = tiny_bundle();
  const auto score = [](const std::string& document) {
    const json::Value value = json::parse(document, "output");
    return (value.is_array() ? value[0] : value)["answer"][0]["score"].get<double>();
  };
  EXPECT_NEAR(score(run_program({"run", bundle, "hello world", "--json"}).output), 0.711247, 1e-5);
  EXPECT_NEAR(score(run_program({"run", bundle, "--json"}, "hello world\n").output), 0.711247, 1e-5);
  EXPECT_NEAR(score(run_program({"run", bundle, "--jsonl", "-"}, "{\"text\": \"hello world\"}\n").output), 0.711247,
              1e-5);
  const Finished person = run_program({"run", bundle, "hello world", "--top-k", "all"});
  EXPECT_THAT(person.output,
              AllOf(StartsWith("hello world\n"), HasSubstr("neg"), HasSubstr("71.1 %"), HasSubstr("28.9 %")));
}

TEST_F(SystemUsage, AnswersACheckpointAndSaysThatItIsNotVerified) {
  const Finished finished = run_program({"run", kTiny, "hello world", "--verbose"});
  EXPECT_EQ(finished.exit_code, 0) << finished.messages;
  EXPECT_THAT(finished.output, HasSubstr("71.1 %"));
  EXPECT_THAT(finished.messages, HasSubstr("not verified"));
}

TEST_F(SystemUsage, GivesEveryLineAnAnswerOrAnErrorInOrder) {
  const Finished finished = run_program({"run", tiny_bundle(), "--jsonl", "-"},
                                        "{\"text\": \"hello\"}\n\n{\"text\": 5}\n{broken\n{\"tokens\": [\"hello\", "
                                        "\"world\"]}\n{\"other\": 1}\n{\"text\": \"caf\xC3\xA9\"}");
  EXPECT_EQ(finished.exit_code, 4);
  std::vector<json::Value> rows;
  std::istringstream stream(finished.output);
  for (std::string line; std::getline(stream, line);) rows.push_back(json::parse(line, "row"));
  ASSERT_EQ(rows.size(), 6U);
  EXPECT_TRUE(rows[0].contains("answer") && rows[3].contains("answer") && rows[5].contains("answer"));
  EXPECT_EQ(rows[1]["error"]["where"], "line 3: text");
  EXPECT_EQ(rows[2]["error"]["where"], "line 4");
  EXPECT_EQ(rows[4]["error"]["where"], "line 6");
}

TEST_F(SystemUsage, VerifyFailsWithExitCodeThree) {
  const std::string bundle = tiny_bundle();
  EXPECT_EQ(run_program({"verify", bundle}).exit_code, 0);
  EXPECT_EQ(run_program({"verify", bundle, "--against", kTiny}).exit_code, 0);
  test::flip_weight_bit(fs::path(bundle) / "model.onnx", "encoder.layer.1.output.dense.weight");
  const Finished finished = run_program({"verify", bundle});
  EXPECT_EQ(finished.exit_code, 3);
  EXPECT_THAT(finished.messages, AllOf(HasSubstr("verification failed"), HasSubstr("logits"), HasSubstr("at value")));
  const Finished machine = run_program({"verify", bundle, "--json", "--against", kTiny});
  EXPECT_EQ(machine.exit_code, 3);
  EXPECT_EQ(json::parse(machine.output, "output")["passed"], false);
}

TEST_F(SystemUsage, CheckListsProblemsAndExitsThree) {
  EXPECT_EQ(run_program({"check", kTiny}).exit_code, 0);
  EXPECT_EQ(run_program({"check", kTiny + "/config.json"}).exit_code, 0);
  for (const char* const name : {"ir99", "opset99", "ext_traversal", "ext_missing", "ext_short"}) {
    const Finished finished = run_program({"check", test::data(std::string("cases/onnx/") + name + ".onnx")});
    EXPECT_EQ(finished.exit_code, 3) << name;
    EXPECT_THAT(finished.output, HasSubstr("problem: ")) << name;
  }
  EXPECT_THAT(run_program({"check", test::data("cases/onnx/ir99.onnx")}).output, HasSubstr("99"));
  EXPECT_THAT(run_program({"check", test::data("cases/onnx/ext_missing.onnx")}).output, HasSubstr("weights.bin"));
  EXPECT_EQ(run_program({"check", test::data("cases/ck-missing-head")}).exit_code, 3);
}

TEST_F(SystemUsage, ErrorsAreOneSentenceAndAHint) {
  const Finished missing = run_program({"run", path("nowhere"), "x"});
  EXPECT_EQ(missing.exit_code, 2);
  EXPECT_THAT(missing.messages, AllOf(StartsWith("berth: error: "), HasSubstr("nowhere")));
  EXPECT_EQ(run_program({"run", kTiny, "x", "--threads", "0"}).exit_code, 2);
  EXPECT_EQ(run_program({"run", kTiny, "x", "--threads", "-1"}).exit_code, 2);
  EXPECT_EQ(run_program({"run", kTiny, "x", "--threads", "abc"}).exit_code, 2);
  EXPECT_EQ(run_program({"run", kTiny, "x", "--top-k", "0"}).exit_code, 2);
  EXPECT_THAT(run_program({"exprot", kTiny}).messages, HasSubstr("export"));
  const Finished refused =
      run_program({"export", test::data("cases/ck-missing-head").string(), "-o", path("out"), "--json"});
  EXPECT_EQ(refused.exit_code, 1);
  EXPECT_THAT(json::parse(refused.output, "output")["error"]["message"].get<std::string>(),
              HasSubstr("classifier.weight"));
  EXPECT_THAT(left(), IsEmpty());
}

TEST_F(SystemUsage, TakesPathsWithSpacesAndAccents) {
  const std::string odd = path("un modèle à moi");
  EXPECT_EQ(run_program({"export", kTiny, "-o", odd}).exit_code, 0);
  EXPECT_EQ(run_program({"run", odd, "hello world"}).exit_code, 0);
}

// K-03: nothing in a bundle points back.
TEST_F(SystemUsage, ABundleStandsAlone) {
  fs::copy(kTiny, path("checkpoint"));
  ASSERT_EQ(run_program({"export", path("checkpoint"), "-o", path("bundle")}).exit_code, 0);
  fs::remove_all(path("checkpoint"));
  fs::rename(path("bundle"), path("moved"));
  EXPECT_EQ(run_program({"verify", path("moved")}).exit_code, 0);
  EXPECT_THAT(run_program({"run", path("moved"), "hello world"}).output, HasSubstr("71.1 %"));
}

// K-02: an export that is killed, at whatever moment, leaves no folder at the target; the next one clears what it left.
TEST_F(SystemUsage, AKilledExportLeavesNothingAtTheTarget) {
  const std::string checkpoint = test::example_model("sentiment-small-zh").string();
  int killed = 0;
  for (const int milliseconds : {1, 5, 10, 20, 30, 50, 80}) {
    const Finished finished =
        test::run_berth({"export", checkpoint, "-o", path("out")},
                        {.signal = SIGKILL, .signal_after = std::chrono::milliseconds(milliseconds)});
    if (finished.exit_code == 0) {
      fs::remove_all(path("out"));
    } else {
      ++killed;
      EXPECT_FALSE(fs::exists(path("out"))) << milliseconds;
    }
  }
  EXPECT_GT(killed, 0);
  ASSERT_EQ(run_program({"export", checkpoint, "-o", path("out")}).exit_code, 0);
  EXPECT_THAT(left(), ::testing::ElementsAre("out"));
}

TEST_F(SystemUsage, AnInterruptedExportLeavesNothing) {
  const Finished finished =
      test::run_berth({"export", test::example_model("sentiment-small-en").string(), "-o", path("out")},
                      {.signal = SIGINT, .signal_after = std::chrono::milliseconds(150)});
  if (finished.exit_code == 0) GTEST_SKIP() << "this machine exported the model before the signal came";
  EXPECT_EQ(finished.exit_code, 130) << finished.messages;
  EXPECT_THAT(left(), IsEmpty());
}

TEST_F(SystemUsage, OldOrMissingRuntimeIsNamed) {
  const std::string bundle = tiny_bundle();
  write_new_file(path("libonnxruntime.so"), "not a library");
  const Finished finished = run_program({"run", bundle, "x", "--ort-library", path("libonnxruntime.so")});
  EXPECT_EQ(finished.exit_code, 1);
  EXPECT_THAT(finished.messages, AllOf(HasSubstr("libonnxruntime.so"), Not(HasSubstr("terminate"))));
}

}  // namespace
}  // namespace berth
