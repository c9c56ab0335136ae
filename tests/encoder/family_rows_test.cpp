// A family is a row: graphs of RoBERTa, DistilBERT and ELECTRA from rows alone, over the tensors of tiny-cls under
// those families' names.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/file.h"
#include "berth/encoder.h"
#include "encoder/bind.h"
#include "encoder/build.h"
#include "encoder/future_families.h"
#include "encoder/graph_facts.h"
#include "support/editable_checkpoint.h"
#include "support/paths.h"

namespace berth::encoder {
namespace {

using checkpoint::Checkpoint;
using test::EditableCheckpoint;
using testing::ElementsAre;
using testing::IsEmpty;

using Renames = std::vector<std::pair<std::string, std::string>>;

// Renames apply one after another, to names without the prefix.
EditableCheckpoint renamed(const std::string& model_type, Renames renames) {
  EditableCheckpoint original = test::read_editable(test::data("cases/tiny-cls"));
  EditableCheckpoint result{original.config, {}};
  result.config["model_type"] = model_type;
  for (auto& [name, tensor] : original.tensors) {
    std::string changed = name.starts_with("bert.") ? name.substr(5) : name;
    for (const auto& [old_part, new_part] : renames) {
      const std::size_t at = changed.find(old_part);
      if (at != std::string::npos) changed.replace(at, old_part.size(), new_part);
    }
    result.tensors.emplace(std::move(changed), std::move(tensor));
  }
  return result;
}

void narrow_embeddings(EditableCheckpoint& edited, std::int64_t width) {
  for (auto& [name, tensor] : edited.tensors) {
    if (!name.starts_with("embeddings.")) continue;
    tensor.shape.back() = width;
    tensor.values.resize(static_cast<std::size_t>(element_count(tensor.shape)));
  }
  edited.tensors["embeddings_project.weight"] = {{8, width},
                                                 std::vector<double>(static_cast<std::size_t>(8 * width), 0.5)};
  edited.tensors["embeddings_project.bias"] = {{8}, std::vector<double>(8, 0.5)};
}

class FamilyRows : public testing::Test {
 protected:
  // Every tensor of the checkpoint must have its place in the graph.
  graph::Graph sound_graph(const Family& family, const EditableCheckpoint& edited) {
    test::write(edited, folder_.path());
    checkpoint_.emplace(Checkpoint::open(folder_.path(), {}));
    BuildOptions options;
    options.head = Head::sequence_classification;
    EXPECT_EQ(bind_as(family, *checkpoint_, options.head).unused, "");
    const graph::Model model = build_as(family, *checkpoint_, options);
    EXPECT_THAT(graph::check(model, graph::runtime_limits()), IsEmpty());
    EXPECT_THAT(test::dead_values(model.graph), IsEmpty());
    return model.graph;
  }

 private:
  TemporaryFolder folder_;
  std::optional<Checkpoint> checkpoint_;
};

const Renames kHeadOfTwoLayers{{"classifier", "classifier.out_proj"}, {"pooler.dense", "classifier.dense"}};

TEST_F(FamilyRows, RobertaCountsPositionsFromThePaddingAndTakesNoSegments) {
  const graph::Graph graph = sound_graph(test::kRoberta, renamed("roberta", kHeadOfTwoLayers));
  EXPECT_THAT(test::names_of(graph.inputs), ElementsAre("input_ids", "attention_mask"));
  EXPECT_EQ(test::count_of(graph, "CumSum"), 1U);
  EXPECT_EQ(test::find_initializer(graph, "embeddings.token_type_embeddings.weight")->shape, (Shape{1, 8}));
}

TEST_F(FamilyRows, DistilbertHasNoSegmentsAtAllAndANamingOfItsOwn) {
  EditableCheckpoint edited = renamed("distilbert", {{"encoder.layer", "transformer.layer"},
                                                     {"self.query", "q_lin"},
                                                     {"self.key", "k_lin"},
                                                     {"self.value", "v_lin"},
                                                     {"attention.output.dense", "attention.out_lin"},
                                                     {"attention.output.LayerNorm", "sa_layer_norm"},
                                                     {"intermediate.dense", "ffn.lin1"},
                                                     {"output.dense", "ffn.lin2"},
                                                     {"output.LayerNorm", "output_layer_norm"},
                                                     {"pooler.dense", "pre_classifier"}});
  edited.tensors.erase("embeddings.token_type_embeddings.weight");
  const graph::Graph graph = sound_graph(test::kDistilbert, edited);
  EXPECT_THAT(test::names_of(graph.inputs), ElementsAre("input_ids", "attention_mask"));
  EXPECT_EQ(test::count_of(graph, "Relu"), 1U);
  EXPECT_EQ(test::count_of(graph, "Tanh"), 0U);
}

TEST_F(FamilyRows, ElectraProjectsEmbeddingsOfAnotherWidth) {
  EditableCheckpoint edited = renamed("electra", kHeadOfTwoLayers);
  narrow_embeddings(edited, 4);
  const graph::Graph graph = sound_graph(test::kElectra, edited);
  EXPECT_THAT(test::names_of(graph.inputs), ElementsAre("input_ids", "attention_mask", "token_type_ids"));
  EXPECT_EQ(test::find_initializer(graph, "embeddings_project.weight")->shape, (Shape{4, 8}));
  EXPECT_EQ(test::count_of(graph, "Erf"), 3U) << "two layers and the head";
}

TEST_F(FamilyRows, ElectraGoesWithoutProjectionWhereTheWidthsAgree) {
  const graph::Graph graph = sound_graph(test::kElectra, renamed("electra", kHeadOfTwoLayers));
  EXPECT_EQ(test::find_initializer(graph, "embeddings_project.weight"), nullptr);
}

}  // namespace
}  // namespace berth::encoder
