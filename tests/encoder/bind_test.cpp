// Binding: which tensors a head takes, and how a checkpoint that does not fit is refused.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "base/file.h"
#include "berth/encoder.h"
#include "berth/error.h"
#include "support/editable_checkpoint.h"
#include "support/golden.h"
#include "support/paths.h"

namespace berth::encoder {
namespace {

using checkpoint::Checkpoint;
using testing::AllOf;
using testing::Contains;
using testing::HasSubstr;
using testing::Key;
using testing::Not;

Checkpoint open_case(const std::string& name) { return Checkpoint::open(test::data("cases/" + name), {}); }
Checkpoint open_golden(const std::string& name) { return Checkpoint::open(test::data("goldens/" + name), {}); }

Error error_of(const Checkpoint& checkpoint, Head head) {
  try {
    static_cast<void>(bind(checkpoint, head));
  } catch (const Error& error) {
    return error;
  }
  ADD_FAILURE() << "the checkpoint was bound";
  return {ErrorKind::internal, "", ""};
}

// The error for tiny-cls with something changed.
Error error_after(const std::function<void(test::EditableCheckpoint&)>& change) {
  test::EditableCheckpoint edited = test::read_editable(test::data("cases/tiny-cls"));
  change(edited);
  const TemporaryFolder folder;
  test::write(edited, folder.path());
  return error_of(Checkpoint::open(folder.path(), {}), Head::sequence_classification);
}

TEST(Bind, TakesWhatTheHeadNeedsAndNoMore) {
  const Checkpoint checkpoint = open_case("ck-extra-keys");
  const Weights weights = bind(checkpoint, Head::sequence_classification);
  EXPECT_EQ(weights.size(), 5U + 2 * 16 + 4);  // embeddings, two layers, pooler and classifier
  EXPECT_THAT(weights, Not(Contains(Key("embeddings.position_ids"))));
  EXPECT_EQ(weights.at("classifier.weight").data.data(), checkpoint.find("classifier.weight")->data.data()) << "a view";
}

TEST(Bind, NamesBothTensorsOfAMissingHead) {
  for (const char* const name : {"ck-missing-head", "ck-bare"}) {
    const Error error = error_of(open_case(name), Head::sequence_classification);
    EXPECT_EQ(error.kind(), ErrorKind::mismatch);
    EXPECT_THAT(error.what(), AllOf(HasSubstr(name), HasSubstr("classifier.weight: is missing, expected [2, 8]"),
                                    HasSubstr("classifier.bias: is missing, expected [2]")));
    EXPECT_THAT(error.hint(), HasSubstr("feature-extraction"));
  }
  EXPECT_NO_THROW(static_cast<void>(bind(open_case("ck-bare"), Head::none)));
}

TEST(Bind, NamesBothNumbersWhenLabelsAndHeadDisagree) {
  const Error error = error_of(open_case("ck-label-mismatch"), Head::sequence_classification);
  EXPECT_THAT(error.what(),
              HasSubstr("classifier.weight: has shape [2, 8], expected [3, 8] (the config has 3 labels)"));
  EXPECT_EQ(error.hint(), "");
}

TEST(Bind, ReportsAllFaultsAtOnceAndWhatElseThereIs) {
  const Error error = error_after([](test::EditableCheckpoint& edited) {
    edited.tensors.erase("bert.encoder.layer.1.attention.self.key.bias");
    edited.tensors.at("bert.embeddings.LayerNorm.weight") = {{4}, {1, 1, 1, 1}};
    edited.tensors["cls.stray"] = {{1}, {0}};
  });
  EXPECT_THAT(error.what(), AllOf(HasSubstr("encoder.layer.1.attention.self.key.bias: is missing, expected [8]"),
                                  HasSubstr("bert.embeddings.LayerNorm.weight: has shape [4], expected [8]"),
                                  HasSubstr("held beside these: cls.stray")));
}

TEST(Bind, SaysShortlyThatTheWholeModelHasAnotherWidth) {
  const Error error = error_after([](test::EditableCheckpoint& edited) { edited.config["hidden_size"] = 16; });
  EXPECT_THAT(error.what(), HasSubstr("and 14 more"));
  EXPECT_LT(error.message().size(), 4000U);
}

TEST(Bind, RefusesAConfigThatCannotBeExportedBeforeItsTensors) {
  const Error error = error_after([](test::EditableCheckpoint& edited) {
    edited.config["hidden_act"] = "snake";
    edited.config["position_embedding_type"] = "rotary";
    edited.tensors.clear();
  });
  EXPECT_EQ(error.kind(), ErrorKind::unsupported);
  EXPECT_THAT(error.what(), AllOf(HasSubstr("config.json: cannot be exported:"), HasSubstr("\"snake\""),
                                  HasSubstr("\"rotary\""), Not(HasSubstr("missing"))));
}

TEST(Bind, RefusesIntegersAsWeights) {
  const TemporaryFolder folder;
  std::filesystem::copy(test::data("cases/tiny-cls"), folder.path(), std::filesystem::copy_options::recursive);
  const std::string stored = "\"classifier.bias\":{\"dtype\":\"F32\"";
  std::string file = read_file(folder.path() / "model.safetensors", 1 << 20);
  ASSERT_NE(file.find(stored), std::string::npos);
  file.replace(file.find(stored) + stored.size() - 4, 3, "I32");
  std::filesystem::remove(folder.path() / "model.safetensors");
  FileWriter writer(folder.path() / "model.safetensors");
  writer.write(file);
  writer.finish();
  EXPECT_THAT(error_of(Checkpoint::open(folder.path(), {}), Head::sequence_classification).what(),
              HasSubstr("classifier.bias: has type I32, expected F32, F16, BF16 or F64"));
}

TEST(Bind, WorksWithoutAPoolerOnlyWhereNothingNeedsIt) {
  const Checkpoint checkpoint = open_golden("encoder-without-pooler");
  EXPECT_THAT(bind(checkpoint, Head::none), Not(Contains(Key("pooler.dense.weight"))));
  EXPECT_THAT(error_of(checkpoint, Head::sequence_classification).what(), HasSubstr("pooler.dense.weight: is missing"));
}

TEST(Bind, MissesTheOtherHalfOfAPooler) {
  const TemporaryFolder folder;
  test::EditableCheckpoint edited = test::read_editable(test::data("cases/ck-bare"));
  edited.tensors.erase("pooler.dense.bias");
  test::write(edited, folder.path());
  EXPECT_THAT(error_of(Checkpoint::open(folder.path(), {}), Head::none).what(),
              HasSubstr("pooler.dense.bias: is missing, expected [8]"));
}

TEST(Bind, LeavesOutADecoderThatIsTied) {
  EXPECT_THAT(bind(open_golden("masked-lm-tied"), Head::masked_lm),
              Not(Contains(Key("cls.predictions.decoder.weight"))));
  EXPECT_THAT(bind(open_golden("masked-lm-untied"), Head::masked_lm), Contains(Key("cls.predictions.decoder.weight")));
}

// Transformers ties by the config, not by what the file holds: a decoder that stands beside tied embeddings is not used.
TEST(Bind, FollowsTheConfigOnTyingNotTheFile) {
  const TemporaryFolder folder;
  test::EditableCheckpoint edited = test::read_editable(test::data("goldens/masked-lm-untied"));
  edited.config["tie_word_embeddings"] = true;
  test::write(edited, folder.path() / "tied");
  EXPECT_THAT(bind(Checkpoint::open(folder.path() / "tied", {}), Head::masked_lm),
              Not(Contains(Key("cls.predictions.decoder.weight"))));
  edited.config["tie_word_embeddings"] = false;
  edited.tensors.erase("cls.predictions.decoder.weight");
  test::write(edited, folder.path() / "untied");
  EXPECT_THAT(error_of(Checkpoint::open(folder.path() / "untied", {}), Head::masked_lm).message(),
              HasSubstr("cls.predictions.decoder.weight"));
}

TEST(Bind, KnowsTheBiasOfADecoderByEitherName) {
  const TemporaryFolder folder;
  test::EditableCheckpoint edited = test::read_editable(test::data("goldens/masked-lm-tied"));
  auto bias = edited.tensors.extract("cls.predictions.bias");
  ASSERT_FALSE(bias.empty());
  bias.key() = "cls.predictions.decoder.bias";
  edited.tensors.insert(std::move(bias));
  test::write(edited, folder.path());
  EXPECT_THAT(bind(Checkpoint::open(folder.path(), {}), Head::masked_lm), Contains(Key("cls.predictions.bias")));
}

}  // namespace
}  // namespace berth::encoder
