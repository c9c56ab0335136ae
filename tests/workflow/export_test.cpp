// Exports: what a bundle holds, that it is the same every time, that it stands alone, and that a failed one leaves
// nothing.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/file.h"
#include "base/file_ops.h"
#include "base/progress.h"
#include "berth/error.h"
#include "berth/workflow.h"
#include "support/models.h"
#include "support/paths.h"

namespace berth::workflow {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::vector<std::string> names_in(const fs::path& folder) {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder)) names.push_back(entry.path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

std::string content(const fs::path& file) { return read_file(file, 1U << 30); }

template <typename Call>
std::string error_of(Call call) {
  try {
    call();
  } catch (const Error& error) {
    return std::string(error.what()) + " | " + error.hint();
  }
  return "no error";
}

class Export : public ::testing::Test {
 protected:
  ExportReport run(const std::string& checkpoint, const std::string& name, ExportOptions options = {}) {
    if (!options.tokenizer && !fs::exists(test::data("cases/" + checkpoint) / "vocab.txt")) {
      options.tokenizer = test::data("cases/tiny-cls");
    }
    return export_checkpoint(test::data("cases/" + checkpoint), folder_.path() / name, options, no_progress());
  }
  TemporaryFolder folder_;
};

TEST_F(Export, HoldsAllThatMustTravelTogether) {
  const ExportReport report = run("tiny-cls", "out");
  EXPECT_THAT(names_in(report.folder),
              ElementsAre("config.json", "manifest.json", "model.onnx", "selftest.jsonl", "special_tokens_map.json",
                          "tokenizer.json", "tokenizer_config.json", "vocab.txt"));
  const bundle::Bundle bundle = bundle::open(report.folder, {});
  EXPECT_THAT(bundle::changed_files(bundle), IsEmpty());
  EXPECT_EQ(bundle.manifest->files.size(), 7U);
  EXPECT_EQ(bundle.manifest->labels, (std::vector<std::string>{"neg", "pos"}));
  EXPECT_EQ(bundle.manifest->max_tokens, 40);
  EXPECT_EQ(bundle.manifest->verification->texts, 12);
  EXPECT_LT(bundle.manifest->verification->outputs[0].max, 1e-5);
  EXPECT_EQ(bundle::read_selftest(report.folder / "selftest.jsonl").size(), 16U);
}

TEST_F(Export, GivesTheSameBytesEveryTime) {
  const fs::path first = run("tiny-cls", "first").folder;
  const fs::path second = run("tiny-cls", "second").folder;
  for (const std::string& name : names_in(first)) EXPECT_EQ(content(first / name), content(second / name)) << name;
}

TEST_F(Export, VerifiesByItsSelfTestAndSeesAChange) {
  const fs::path bundle = run("tiny-cls", "out").folder;
  EXPECT_TRUE(verify(bundle, std::nullopt, {}, no_progress()).passed());
  test::flip_weight_bit(bundle / "model.onnx", "encoder.layer.1.output.dense.weight");
  const Comparison result = verify(bundle, std::nullopt, {}, no_progress());
  EXPECT_FALSE(result.passed());
  EXPECT_THAT(result.failure(), HasSubstr("model.onnx has SHA-256"));
}

TEST_F(Export, SeesATokenizerThatGivesOtherIds) {
  const fs::path bundle = run("tiny-cls", "out").folder;
  fs::remove(bundle / "tokenizer_config.json");
  write_new_file(bundle / "tokenizer_config.json", R"({"do_lower_case": false})");
  fs::remove(bundle / "manifest.json");
  EXPECT_THAT(verify(bundle, std::nullopt, {}, no_progress()).failure(), HasSubstr("other ids than at publication"));
}

TEST_F(Export, NeverOverwrites) {
  run("tiny-cls", "out");
  EXPECT_THAT(error_of([&] { run("tiny-cls", "out"); }), HasSubstr("exists already"));
  EXPECT_THAT(error_of([&] {
                export_checkpoint(test::data("cases/tiny-cls"), test::data("cases/tiny-cls"), {}, no_progress());
              }),
              HasSubstr("exists already"));
  EXPECT_TRUE(fs::exists(test::data("cases/tiny-cls/model.safetensors")));
}

TEST_F(Export, RefusesWhatDoesNotFitTogether) {
  EXPECT_THAT(error_of([&] { run("ck-missing-head", "a"); }),
              AllOf(HasSubstr("classifier.weight"), HasSubstr("classifier.bias")));
  EXPECT_THAT(error_of([&] { run("ck-label-mismatch", "b"); }), AllOf(HasSubstr("3"), HasSubstr("2")));
  EXPECT_THAT(error_of([&] {
                ExportOptions options;
                options.tokenizer = test::data("cases/tok-added");
                run("tiny-cls", "c", options);
              }),
              AllOf(HasSubstr("156"), HasSubstr("covid")));
  EXPECT_THAT(error_of([&] {
                ExportOptions options;
                options.labels = {"a", "b", "c"};
                run("tiny-cls", "d", options);
              }),
              AllOf(HasSubstr("3"), HasSubstr("2")));
  EXPECT_THAT(names_in(folder_.path()), IsEmpty());
}

TEST_F(Export, TakesLabelsFromTheCaller) {
  ExportOptions options;
  options.labels = {"bad", "good"};
  const fs::path bundle = run("tiny-cls", "out", options).folder;
  EXPECT_EQ(bundle::open(bundle, {}).labels, options.labels);
  EXPECT_EQ(checkpoint::read_config(bundle / "config.json").labels, options.labels);
}

TEST_F(Export, WritesWeightsBesideTheGraphWhenAsked) {
  ExportOptions options;
  options.external_data = true;
  const fs::path bundle = run("tiny-cls", "out", options).folder;
  EXPECT_TRUE(fs::exists(bundle / "model.onnx.data"));
  EXPECT_TRUE(verify(bundle, std::nullopt, {}, no_progress()).passed());
}

TEST_F(Export, FixesTheShapeWhenAsked) {
  ExportOptions options;
  options.fixed_shape = {{2, 16}};
  const ExportReport report = run("tiny-cls", "out", options);
  EXPECT_EQ(report.manifest.max_tokens, 16);
  EXPECT_EQ(report.manifest.inputs[0].shape->at(1), graph::Dimension(std::int64_t{16}));
  EXPECT_TRUE(verify(report.folder, test::data("cases/tiny-cls"), {}, no_progress()).passed());
}

// Writes fail one after another, from the first system call on: the target is absent, or whole, and nothing lies beside
// it.
TEST_F(Export, IsWholeOrAbsentWhateverWriteFails) {
  class FailAt final : public FileOps {
   public:
    explicit FailAt(int countdown) : countdown_(countdown) {}
    [[nodiscard]] bool failed() const { return countdown_ <= 0; }
    int create(const fs::path& path) override { return step(path), FileOps::create(path); }
    void write(int descriptor, const fs::path& path, std::span<const std::byte> bytes) override {
      step(path), FileOps::write(descriptor, path, bytes);
    }
    void sync(int descriptor, const fs::path& path) override { step(path), FileOps::sync(descriptor, path); }
    void make_folder(const fs::path& path) override { step(path), FileOps::make_folder(path); }
    void sync_folder(const fs::path& path) override { step(path), FileOps::sync_folder(path); }
    void rename(const fs::path& from, const fs::path& to) override { step(to), FileOps::rename(from, to); }

   private:
    void step(const fs::path& path) {
      if (--countdown_ == 0) throw_io_error(path, "cannot be written", ENOSPC);
    }
    int countdown_;
  };
  ExportOptions options;
  options.verify = false;
  for (int n = 1;; ++n) {
    ASSERT_LT(n, 500);
    FailAt ops(n);
    const ScopedFileOps scoped(ops);
    const std::string error = error_of([&] { run("tiny-cls", "out", options); });
    const std::vector<std::string> left = names_in(folder_.path());
    if (!ops.failed()) {
      EXPECT_EQ(error, "no error");
      EXPECT_GT(n, 15);
      break;
    }
    EXPECT_THAT(error, HasSubstr("No space left"));
    // Only the sync of the parent comes after the rename: then the folder is there, and whole.
    if (!left.empty()) {
      EXPECT_THAT(left, ElementsAre("out"));
      EXPECT_THAT(bundle::changed_files(bundle::open(folder_.path() / "out", {})), IsEmpty());
      fs::remove_all(folder_.path() / "out");
    }
  }
}

}  // namespace
}  // namespace berth::workflow
