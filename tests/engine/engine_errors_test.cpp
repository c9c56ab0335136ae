// What a user sees when a model cannot be loaded or run.
#include <gmock/gmock.h>

#include <fstream>

#include "base/file.h"
#include "engine/engine_support.h"

namespace berth::engine {
namespace {

using test::batch_of;
using test::error_of;
using test::model;
using testing::HasSubstr;

Error refusal(const std::filesystem::path& path, Load load = Load::copy) {
  Options options;
  options.load = load;
  return error_of([&] { const Engine engine(path, options); });
}

struct Case {
  std::string path;
  std::string place;  // in the file
  ErrorKind kind;
  std::string message;
};

TEST(EngineErrors, SayWhyAModelCannotBeLoaded) {
  const TemporaryFolder folder;
  const std::string whole = read_file(model("tiny_bert.onnx"), 1 << 20);
  const auto written = [&](const std::string& name, const std::string& bytes) {
    std::ofstream(folder.path() / name, std::ios::binary) << bytes;
    return (folder.path() / name).string();
  };
  const auto committed = [](const std::string& name) { return berth::test::data("cases/onnx/" + name).string(); };
  const std::string tensor = ": tensor 'w'";
  const std::vector<Case> cases{
      {written("text.onnx", "this is not a model\n"), "", ErrorKind::invalid_input,
       "is a text file, expected an ONNX model"},
      {written("cut.onnx", whole.substr(0, 46304)), "", ErrorKind::invalid_input,
       "is not a readable ONNX model: a field of 46377 bytes where 46281 are left at byte 23"},
      {written("empty.onnx", ""), "", ErrorKind::invalid_input, "is empty, expected an ONNX model"},
      {(folder.path() / "none.onnx").string(), "", ErrorKind::not_found, "this model file is missing"},
      {folder.path().string(), "", ErrorKind::invalid_input, "is not a file, expected an ONNX model"},
      {committed("ir99.onnx"), "", ErrorKind::unsupported, "has IR version 99, and this ONNX Runtime reads up to 14"},
      {committed("opset99.onnx"), "", ErrorKind::unsupported,
       "needs opset 99 of ai.onnx, and this ONNX Runtime has up to 28"},
      {committed("ext_missing.onnx"), tensor, ErrorKind::not_found, "external data file 'weights.bin' is not there"},
      {committed("ext_traversal.onnx"), tensor, ErrorKind::invalid_input,
       "external data '../secret.bin' leaves the model's folder"},
      {committed("ext_short.onnx"), tensor, ErrorKind::invalid_input, "needs 16 bytes in 'w8.bin', which has 8"},
      {model("unknown_operator.onnx").string(), "", ErrorKind::unsupported,
       "uses operator Frobnicate, which this ONNX Runtime does not know at opset 17"},
      {model("unknown_domain.onnx").string(), "", ErrorKind::unsupported,
       "uses operator Frobnicate of domain com.example, which this ONNX Runtime does not know"},
  };
  for (const Load load : {Load::copy, Load::map}) {
    for (const Case& one : cases) {
      const Error error = refusal(one.path, load);
      EXPECT_EQ(error.kind(), one.kind) << one.path;
      EXPECT_EQ(error.message(), one.message);
      EXPECT_EQ(error.where(), one.path + one.place);
    }
  }
}

TEST(EngineErrors, NameAnIdBeyondTheVocabulary) {
  const Engine engine(model("tiny_bert.onnx"), {});
  const Error error = error_of([&] { static_cast<void>(engine.run(batch_of({{2, 9999, 3}}))); });
  EXPECT_EQ(error.kind(), ErrorKind::invalid_input);
  EXPECT_EQ(error.message(), "looks up row 9999 of a table whose last row is 155");
  EXPECT_NO_THROW(static_cast<void>(engine.run(batch_of({{2, 10, 3}}))));  // and goes on
}

TEST(EngineErrors, NameATextLongerThanThePositionTable) {
  const Engine engine(model("tiny_bert.onnx"), {});
  Batch batch;
  batch.add(std::vector<std::int32_t>(41, 10));
  EXPECT_EQ(error_of([&] { static_cast<void>(engine.run(batch)); }).kind(), ErrorKind::invalid_input);
}

TEST(EngineErrors, NameMemoryThatIsNotThere) {
  const Engine engine(model("expand.onnx"), {});
  const std::vector<float> value{1};
  const std::vector<std::int64_t> count{std::int64_t{1} << 45};
  const std::vector<DenseTensor> inputs{dense("value", {1}, value), dense("count", {1}, count)};
  const Error error = error_of([&] { static_cast<void>(engine.run(inputs)); });
  EXPECT_EQ(error.kind(), ErrorKind::limit);
  EXPECT_THAT(error.what(), HasSubstr("140737488355328 bytes"));
}

TEST(EngineErrors, RefuseTypesWithoutATensor) {
  const Engine engine(model("text_output.onnx"), {});
  const std::vector<std::int64_t> value{1};
  const std::vector<DenseTensor> inputs{dense("text", {1}, value)};
  const Error error = error_of([&] { static_cast<void>(engine.run(inputs)); });
  EXPECT_STREQ(error.what(), "text: is int64, expected text: string [1]");
}

TEST(EngineErrors, SayHowToGetAProviderThatIsAbsent) {
  Options options;
  options.providers = {"cuda"};
  const Error error = error_of([&] { const Engine engine(model("tiny_bert.onnx"), options); });
  EXPECT_EQ(error.kind(), ErrorKind::unsupported);
  EXPECT_THAT(error.hint(), HasSubstr("--ort-library"));
}

TEST(EngineErrors, KeepOneRuntimeAndOneBudgetForAProcess) {
  const Engine first(model("echo.onnx"), {});
  Options options;
  options.threads = 777;
  const Error budget = error_of([&] { const Engine engine(model("echo.onnx"), options); });
  EXPECT_EQ(budget.kind(), ErrorKind::usage);
  EXPECT_THAT(budget.what(), HasSubstr("is 777, but the first engine of this process fixed the budget at "));
  options = {};
  options.ort_library = berth::test::old_ort_library();
  EXPECT_EQ(error_of([&] { const Engine engine(model("echo.onnx"), options); }).kind(), ErrorKind::usage);
}

}  // namespace
}  // namespace berth::engine
