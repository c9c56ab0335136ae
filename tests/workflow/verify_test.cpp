// Verification can fail: each way to damage a model is caught, with the output and the layer that show it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "base/file.h"
#include "base/progress.h"
#include "berth/error.h"
#include "berth/workflow.h"
#include "support/models.h"
#include "support/paths.h"

namespace berth::workflow {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

class Verify : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    folder_ = new TemporaryFolder;
    bundle_ = test::export_tiny("tiny-cls", folder_->path());
  }
  static void TearDownTestSuite() {
    delete folder_;
    folder_ = nullptr;
  }

  // The verdict on a copy of the model whose graph `change` damaged, against the checkpoint.
  static Comparison verdict(const std::function<void(graph::Graph&)>& change) {
    static int copies = 0;
    const fs::path copy = folder_->path() / ("copy-" + std::to_string(++copies));
    test::with_changed_graph(bundle_, copy, change);
    return verify(copy, test::data("cases/tiny-cls"), {}, no_progress());
  }

  static const graph::Node& node_with_input(const graph::Graph& graph, const std::string& input) {
    const auto found = std::find_if(graph.nodes.begin(), graph.nodes.end(), [&](const graph::Node& node) {
      return std::find(node.inputs.begin(), node.inputs.end(), input) != node.inputs.end();
    });
    if (found == graph.nodes.end()) throw std::invalid_argument("no node reads " + input);
    return *found;
  }

  static inline TemporaryFolder* folder_ = nullptr;
  static inline fs::path bundle_;
};

TEST_F(Verify, PassesAnUntouchedModel) {
  const Comparison result = verdict([](graph::Graph&) {});
  EXPECT_TRUE(result.passed()) << result.failure();
  EXPECT_EQ(result.texts, 12U);
  EXPECT_EQ(result.outputs.size(), 1U);
  EXPECT_LT(result.outputs[0].max, 1e-5);
  EXPECT_EQ(result.label_agreement, 1.0);
  EXPECT_FALSE(result.drift);
}

TEST_F(Verify, CatchesOneFlippedWeightAndNamesItsLayer) {
  const Comparison result = verdict([](graph::Graph& graph) {
    float& weight = test::values_of(graph, "encoder.layer.1.intermediate.dense.weight")[5];
    weight = -weight - 0.5F;
  });
  EXPECT_FALSE(result.passed());
  ASSERT_TRUE(result.drift);
  EXPECT_EQ(result.drift->layer, 2);
  EXPECT_THAT(result.failure(), HasSubstr("output logits differs from the reference by"));
}

TEST_F(Verify, CatchesTwoLayersThatChangedPlaces) {
  const Comparison result = verdict([](graph::Graph& graph) {
    for (graph::Tensor& tensor : graph.initializers) {
      if (tensor.name.starts_with("encoder.layer.0."))
        tensor.name.replace(14, 1, "x");
      else if (tensor.name.starts_with("encoder.layer.1."))
        tensor.name.replace(14, 1, "0");
    }
    for (graph::Tensor& tensor : graph.initializers) {
      if (tensor.name.starts_with("encoder.layer.x.")) tensor.name.replace(14, 1, "1");
    }
  });
  EXPECT_FALSE(result.passed());
  ASSERT_TRUE(result.drift);
  EXPECT_EQ(result.drift->layer, 1);
}

TEST_F(Verify, CatchesAnotherEpsilon) {
  const Comparison result = verdict([](graph::Graph& graph) {
    for (graph::Node& node : graph.nodes) {
      for (auto& [name, value] : node.attributes) {
        if (name == "epsilon") value = 0.01F;
      }
    }
  });
  EXPECT_FALSE(result.passed());
  ASSERT_TRUE(result.drift);
  EXPECT_EQ(result.drift->layer, 0);
}

TEST_F(Verify, CatchesADroppedBias) {
  const Comparison result = verdict([](graph::Graph& graph) {
    const std::span<float> bias = test::values_of(graph, "encoder.layer.0.output.dense.bias");
    std::fill(bias.begin(), bias.end(), 0.0F);
  });
  EXPECT_FALSE(result.passed());
  ASSERT_TRUE(result.drift);
  EXPECT_EQ(result.drift->layer, 1);
}

// Alone, a text has no padding: only the batch shows that the mask is not read.
TEST_F(Verify, CatchesAMaskThatIsIgnored) {
  const Comparison result = verdict([](graph::Graph& graph) {
    const std::string reader = node_with_input(graph, "attention_mask").name;
    graph.initializers.push_back(graph::constant("ones/one", std::vector<std::int64_t>{1}, {1}));
    graph.nodes.insert(graph.nodes.begin(), {"Max", "ones", {"attention_mask", "ones/one"}, {"all_ones"}, {}, ""});
    for (graph::Node& node : graph.nodes) {
      if (node.name == reader) {
        std::replace(node.inputs.begin(), node.inputs.end(), std::string("attention_mask"), std::string("all_ones"));
      }
    }
  });
  EXPECT_FALSE(result.passed());
  EXPECT_LT(result.outputs[0].max, 1e-5);
  EXPECT_GT(result.padded_max.value(), 1e-3);
  EXPECT_THAT(result.failure(), HasSubstr("padding moves an answer"));
}

TEST_F(Verify, ComparesTwoModels) {
  const fs::path other = folder_->path() / "other";
  test::with_changed_graph(bundle_, other,
                           [](graph::Graph& graph) { test::values_of(graph, "classifier.bias")[1] += 0.25F; });
  EXPECT_TRUE(verify(bundle_, bundle_, {}, no_progress()).passed());
  const Comparison result = verify(other, bundle_, {}, no_progress());
  EXPECT_FALSE(result.passed());
  EXPECT_NEAR(result.outputs[0].max, 0.25, 1e-5);
  EXPECT_EQ(result.outputs[0].index, 1U);
}

TEST_F(Verify, ExportsACheckpointToVerifyIt) {
  const Comparison result = verify(test::data("cases/tiny-cls"), std::nullopt, {}, no_progress());
  EXPECT_TRUE(result.passed()) << result.failure();
}

TEST_F(Verify, AsksForSomethingToCompareWith) {
  const fs::path plain = folder_->path() / "plain";
  test::with_changed_graph(bundle_, plain, [](graph::Graph&) {});
  try {
    (void)verify(plain, std::nullopt, {}, no_progress());
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::usage);
    EXPECT_THAT(error.hint(), HasSubstr("--against"));
  }
}

}  // namespace
}  // namespace berth::workflow
