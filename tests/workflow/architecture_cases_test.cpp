// Part E of the project's list of cases, configurations and architectures, where a whole export shows it. What a config
// says by itself is in tests/checkpoint (labels_test, config_test), activations in cases_test.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/file.h"
#include "base/progress.h"
#include "berth/error.h"
#include "berth/workflow.h"
#include "support/editable_checkpoint.h"
#include "support/paths.h"

namespace berth::workflow {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::HasSubstr;

class ArchitectureCases : public ::testing::Test {
 protected:
  fs::path exported(const test::EditableCheckpoint& checkpoint) {
    const std::string number = std::to_string(++written_);
    const fs::path source = folder_.path() / ("checkpoint-" + number);
    test::write(checkpoint, source);
    ExportOptions options;
    options.verify = false;
    options.tokenizer = test::data("cases/tiny-cls");
    return export_checkpoint(source, folder_.path() / ("bundle-" + number), options, no_progress()).folder;
  }

  std::string export_error(const test::EditableCheckpoint& checkpoint) {
    try {
      (void)exported(checkpoint);
    } catch (const Error& error) {
      return error.what();
    }
    return "nothing was thrown";
  }

  TemporaryFolder folder_;
  int written_ = 0;
};

// tiny-cls renamed to what a RoBERTa without a head is, with that many positions, of which the first two are not used.
test::EditableCheckpoint roberta_with(std::int64_t positions) {
  const test::EditableCheckpoint bert = test::read_editable(test::data("cases/tiny-cls"));
  test::EditableCheckpoint roberta{bert.config, {}};
  roberta.config["model_type"] = "roberta";
  roberta.config["architectures"] = {"RobertaModel"};
  roberta.config["max_position_embeddings"] = positions;
  roberta.config["pad_token_id"] = 1;
  for (const auto& [name, tensor] : bert.tensors) {
    if (name.starts_with("bert.")) roberta.tensors["roberta." + name.substr(5)] = tensor;
  }
  test::EditableTensor& table = roberta.tensors.at("roberta.embeddings.position_embeddings.weight");
  table.shape[0] = positions;
  const std::vector<double> rows = table.values;
  table.values.clear();
  while (table.values.size() < static_cast<std::size_t>(positions * table.shape[1])) {
    table.values.insert(table.values.end(), rows.begin(), rows.begin() + table.shape[1]);
  }
  return roberta;
}

TEST_F(ArchitectureCases, E01PositionsBeginAfterThePaddingToken) {
  for (const std::int64_t positions : {514, 40}) {
    const std::int64_t longest = positions - 2;
    const bundle::Bundle bundle = bundle::open(exported(roberta_with(positions)), {});
    const engine::Engine engine(bundle.model_file, {});
    engine::Batch batch;
    batch.add(std::vector<std::int32_t>(static_cast<std::size_t>(longest), 7));
    EXPECT_EQ(engine.run(batch)[0].values.size(), static_cast<std::size_t>(longest * 8));
    engine::Batch longer;
    longer.add(std::vector<std::int32_t>(static_cast<std::size_t>(longest + 1), 7));
    try {
      (void)engine.run(longer);
      ADD_FAILURE() << longest + 1 << " tokens ran";
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::limit);
      EXPECT_THAT(error.what(), AllOf(HasSubstr(std::to_string(longest + 1)), HasSubstr(std::to_string(longest))));
    }
  }
}

TEST_F(ArchitectureCases, E04AModelTypeThatIsMissing) {
  test::EditableCheckpoint checkpoint = test::read_editable(test::data("cases/tiny-cls"));
  checkpoint.config.erase("model_type");
  checkpoint.config["architectures"] = {"BertForSequenceClassification"};
  EXPECT_EQ(bundle::open(exported(checkpoint), {}).manifest->family, "bert");
  checkpoint.config.erase("architectures");
  EXPECT_THAT(export_error(checkpoint), AllOf(HasSubstr("model_type"), HasSubstr("architectures")));
}

// What only looks like a BERT is never exported as one: here its own weights are missing.
TEST_F(ArchitectureCases, E04AnArchitectureThatOnlyLooksLikeBert) {
  test::EditableCheckpoint checkpoint = test::read_editable(test::data("cases/tiny-cls"));
  checkpoint.config["position_embedding_type"] = "relative_key";
  EXPECT_THAT(export_error(checkpoint), HasSubstr("attention.self.distance_embedding.weight: is missing"));
  checkpoint.config["position_embedding_type"] = "absolute";
  checkpoint.config["model_type"] = "deberta-v2";
  EXPECT_THAT(export_error(checkpoint), HasSubstr("architectures: names \"BertForSequenceClassification\""));
  checkpoint.config["architectures"] = {"DebertaV2ForSequenceClassification"};
  EXPECT_THAT(export_error(checkpoint), HasSubstr("attention.self.query_proj.weight: is missing"));
  checkpoint.config["model_type"] = "xlnet";
  EXPECT_THAT(export_error(checkpoint), AllOf(HasSubstr("xlnet"), HasSubstr("bert, roberta")));
}

TEST_F(ArchitectureCases, E06ConstantsComeFromTheFile) {
  test::EditableCheckpoint checkpoint = test::read_editable(test::data("cases/tiny-cls"));
  const auto epsilons = [&](double epsilon) {
    checkpoint.config["layer_norm_eps"] = epsilon;
    const graph::Model model = graph::read(bundle::open(exported(checkpoint), {}).model_file);
    std::vector<float> found;
    for (const graph::Node& node : model.graph.nodes) {
      for (const auto& [name, value] : node.attributes) {
        if (name == "epsilon") found.push_back(std::get<float>(value));
      }
    }
    return found;
  };
  EXPECT_THAT(epsilons(1e-5), AllOf(::testing::Not(::testing::IsEmpty()), ::testing::Each(1e-5F)));
  EXPECT_THAT(epsilons(1e-12), AllOf(::testing::Not(::testing::IsEmpty()), ::testing::Each(1e-12F)));
  checkpoint.config["num_attention_heads"] = 3;
  EXPECT_THAT(export_error(checkpoint), AllOf(HasSubstr("8"), HasSubstr("not divisible by 3")));
}

}  // namespace
}  // namespace berth::workflow
