// A folder opened as a whole: names, tied tensors, the hash, and a file that changes underneath.
#include "berth/checkpoint.h"

#include <gmock/gmock.h>

#include <cstdlib>
#include <thread>

#include "base/file.h"
#include "base/hash.h"
#include "checkpoint/support.h"
#include "support/paths.h"

namespace berth::checkpoint {
namespace {

namespace fs = std::filesystem;
using test::expect_error;
using test::safetensors_of;
using test::write_text;

fs::path case_folder(const std::string& name) { return berth::test::data("cases/" + name); }

// A folder with the config of tiny-cls and these weights.
void fill(const fs::path& folder, const std::string& weights) {
  fs::copy_file(case_folder("tiny-cls") / "config.json", folder / "config.json");
  write_text(folder / "model.safetensors", weights);
}

std::string entry(const std::string& name, int begin, int end) {
  return "\"" + name + R"(":{"dtype":"U8","shape":[)" + std::to_string(end - begin) + R"(],"data_offsets":[)" +
         std::to_string(begin) + "," + std::to_string(end) + "]}";
}

double sum_of(const TensorView& view) {
  std::vector<double> values(static_cast<std::size_t>(element_count(view.shape)));
  widen(view, 0, static_cast<std::int64_t>(values.size()), values.data());
  double sum = 0;
  for (const double value : values) sum += value;
  return sum;
}

TEST(Checkpoint, OpensAFolderWithoutCopyingItsWeights) {
  const Checkpoint checkpoint = Checkpoint::open(case_folder("tiny-cls"), {});
  EXPECT_EQ(checkpoint.folder(), case_folder("tiny-cls"));
  EXPECT_EQ(checkpoint.config().model_type, "bert");
  EXPECT_THAT(checkpoint.weight_files(), testing::ElementsAre(case_folder("tiny-cls") / "model.safetensors"));
  EXPECT_EQ(checkpoint.weight_bytes(), fs::file_size(case_folder("tiny-cls") / "model.safetensors"));
  EXPECT_EQ(checkpoint.tensors().size(), 41U);
  const TensorView* const words = checkpoint.find("embeddings.word_embeddings.weight");
  ASSERT_NE(words, nullptr);
  EXPECT_EQ(words->shape, (Shape{156, 8}));
  EXPECT_EQ(checkpoint.tensors().at("classifier.weight").stored_name, "classifier.weight");
  EXPECT_EQ(checkpoint.tensors().at("pooler.dense.bias").stored_name, "bert.pooler.dense.bias");
  EXPECT_EQ(checkpoint.find("bert.pooler.dense.bias"), nullptr);
  EXPECT_NO_THROW(checkpoint.require_intact());
}

TEST(Checkpoint, GivesOldAndNewNamesTheSameTensors) {
  const Checkpoint modern = Checkpoint::open(case_folder("tiny-cls"), {});
  const Checkpoint old = Checkpoint::open(case_folder("ck-gamma-beta"), {});
  ASSERT_EQ(modern.tensors().size(), old.tensors().size());
  for (const auto& [name, modern_entry] : modern.tensors()) {
    const TensorView* const view = old.find(name);
    ASSERT_NE(view, nullptr) << name;
    EXPECT_TRUE(
        std::equal(view->data.begin(), view->data.end(), modern_entry.view.data.begin(), modern_entry.view.data.end()))
        << name;
  }
  EXPECT_EQ(old.tensors().at("embeddings.LayerNorm.weight").stored_name, "bert.embeddings.LayerNorm.gamma");
}

TEST(Checkpoint, OpensWhatOnlyTheEncoderCanJudge) {
  EXPECT_NE(Checkpoint::open(case_folder("ck-extra-keys"), {}).find("embeddings.position_ids"), nullptr);
  EXPECT_NE(Checkpoint::open(case_folder("ck-bare"), {}).find("pooler.dense.weight"), nullptr);
  EXPECT_EQ(Checkpoint::open(case_folder("ck-missing-head"), {}).find("classifier.weight"), nullptr);
  EXPECT_EQ(Checkpoint::open(case_folder("ck-bf16"), {}).find("classifier.weight")->dtype, DType::bf16);
  const Checkpoint mismatch = Checkpoint::open(case_folder("ck-label-mismatch"), {});
  EXPECT_EQ(mismatch.config().labels.size(), 3U);
  EXPECT_EQ(mismatch.find("classifier.weight")->shape.at(0), 2);
}

TEST(Checkpoint, TakesAnotherConfigAndOtherLabels) {
  OpenOptions options;
  options.config = case_folder("ck-label-mismatch") / "config.json";
  EXPECT_EQ(Checkpoint::open(case_folder("tiny-cls"), options).config().labels.size(), 3U);
  options.labels = {"bad", "good"};
  EXPECT_THAT(Checkpoint::open(case_folder("tiny-cls"), options).config().labels, testing::ElementsAre("bad", "good"));
}

TEST(Checkpoint, AcceptsTiedTensorsThatWereSavedTwice) {
  const TemporaryFolder folder;
  fill(folder.path(), safetensors_of("{" + entry("bert.x", 0, 2) + "," + entry("module.bert.x", 2, 4) + "}", "abab"));
  const Checkpoint checkpoint = Checkpoint::open(folder.path(), {});
  EXPECT_EQ(checkpoint.tensors().size(), 1U);
  EXPECT_EQ(checkpoint.tensors().at("x").stored_name, "bert.x");
}

TEST(Checkpoint, RefusesTwoTensorsOfOneName) {
  const std::initializer_list<std::pair<std::string, std::string>> files{
      {entry("bert.x", 0, 2) + "," + entry("module.x", 2, 4), "abac"},
      {entry("bert.x", 0, 2) + "," + entry("module.x", 2, 5), "ababa"},
      {entry("bert.x", 0, 2) + R"(,"module.x":{"dtype":"I8","shape":[2],"data_offsets":[2,4]})", "abab"},
      {entry("bert.x", 0, 2) + R"(,"module.x":{"dtype":"U8","shape":[1,2],"data_offsets":[2,4]})", "abab"},
  };
  for (const auto& [header, data] : files) {
    const TemporaryFolder folder;
    fill(folder.path(), safetensors_of("{" + header + "}", data));
    expect_error([&] { (void)Checkpoint::open(folder.path(), {}); }, ErrorKind::invalid_input,
                 {"model.safetensors: bert.x", "module.x", "not equal"});
  }
}

TEST(Checkpoint, RefusesTheLayoutsOfOtherFrameworks) {
  const TemporaryFolder folder;
  fill(folder.path(), safetensors_of(R"({"__metadata__":{"format":"tf"}})"));
  expect_error([&] { (void)Checkpoint::open(folder.path(), {}); }, ErrorKind::unsupported,
               {"TensorFlow", "save_pretrained"});
}

// (cd FOLDER && sha256sum config.json model.safetensors | sha256sum)
TEST(Checkpoint, HashesWhatSha256sumHashes) {
  const fs::path folder = case_folder("tiny-cls");
  const std::string lines = sha256_of_file(folder / "config.json") + "  config.json\n" +
                            sha256_of_file(folder / "model.safetensors") + "  model.safetensors\n";
  EXPECT_EQ(Checkpoint::open(folder, {}).hash(), sha256_of(test::bytes_of(lines)));
}

TEST(Checkpoint, HashTellsConfigsAndWeightsApart) {
  const std::string tiny = Checkpoint::open(case_folder("tiny-cls"), {}).hash();
  EXPECT_NE(tiny, Checkpoint::open(case_folder("ck-gamma-beta"), {}).hash());
  OpenOptions options;
  options.config = case_folder("ck-label-mismatch") / "config.json";
  EXPECT_NE(tiny, Checkpoint::open(case_folder("tiny-cls"), options).hash());
}

TEST(Checkpoint, ViewsOutliveAMove) {
  Checkpoint first = Checkpoint::open(case_folder("tiny-cls"), {});
  const TensorView view = *first.find("classifier.bias");
  const double sum = sum_of(view);
  Checkpoint second = std::move(first);
  EXPECT_EQ(sum_of(view), sum);
  EXPECT_EQ(second.find("classifier.bias")->data.data(), view.data.data());
}

TEST(Checkpoint, CanBeReadFromManyThreads) {
  const Checkpoint checkpoint = Checkpoint::open(case_folder("tiny-cls"), {});
  const std::string expected = checkpoint.hash();
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      EXPECT_EQ(checkpoint.hash(), expected);
      EXPECT_NE(checkpoint.find("classifier.bias"), nullptr);
    });
  }
  for (std::thread& thread : threads) thread.join();
}

TEST(Checkpoint, SurvivesAFileThatShrinksAndSaysSo) {
  const TemporaryFolder folder;
  fill(folder.path(), test::read_text(case_folder("tiny-cls") / "model.safetensors"));
  const Checkpoint checkpoint = Checkpoint::open(folder.path(), {});
  fs::resize_file(folder.path() / "model.safetensors", 4096);
  double sum = 0;
  for (const auto& [name, tensor] : checkpoint.tensors()) sum += sum_of(tensor.view);
  expect_error([&] { checkpoint.require_intact(); }, ErrorKind::io, {"model.safetensors", "shrank"});
  expect_error([&] { (void)checkpoint.hash(); }, ErrorKind::io, {"model.safetensors", "shrank"});
}

// The rest of the last page reads as zeros without a signal.
TEST(Checkpoint, NoticesAFileThatLosesItsLastByte) {
  const TemporaryFolder folder;
  fill(folder.path(), safetensors_of("{" + entry("x", 0, 2) + "}", "ab"));
  const Checkpoint checkpoint = Checkpoint::open(folder.path(), {});
  fs::resize_file(folder.path() / "model.safetensors", checkpoint.weight_bytes() - 1);
  expect_error([&] { checkpoint.require_intact(); }, ErrorKind::io, {"model.safetensors", "shrank"});
}

TEST(Checkpoint, IsNotDisturbedByAFileThatIsReplaced) {
  const TemporaryFolder folder;
  fill(folder.path(), test::read_text(case_folder("tiny-cls") / "model.safetensors"));
  const Checkpoint checkpoint = Checkpoint::open(folder.path(), {});
  const std::string before = checkpoint.hash();
  write_text(folder.path() / "new", "other bytes");
  fs::rename(folder.path() / "new", folder.path() / "model.safetensors");
  write_text(folder.path() / "config.json", "{}");
  EXPECT_EQ(checkpoint.hash(), before);
}

}  // namespace
}  // namespace berth::checkpoint
