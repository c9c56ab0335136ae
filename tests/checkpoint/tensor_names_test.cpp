// Names as callers see them.
#include "checkpoint/tensor_names.h"

#include <gtest/gtest.h>

namespace berth::checkpoint {
namespace {

TEST(TensorNames, DropsTheBaseModelsPrefixOnce) {
  EXPECT_EQ(normalised_name("bert.encoder.layer.0.output.dense.weight", "bert."),
            "encoder.layer.0.output.dense.weight");
  EXPECT_EQ(normalised_name("bert.bert.x", "bert."), "bert.x");
  EXPECT_EQ(normalised_name("classifier.weight", "bert."), "classifier.weight");
  EXPECT_EQ(normalised_name("roberta.embeddings.x", "bert."), "roberta.embeddings.x");
  EXPECT_EQ(normalised_name("bert.x", ""), "bert.x");
}

TEST(TensorNames, DropsTheWrappersAroundIt) {
  EXPECT_EQ(normalised_name("module.bert.pooler.dense.bias", "bert."), "pooler.dense.bias");
  EXPECT_EQ(normalised_name("_orig_mod.module.model.bert.x", "bert."), "x");
  EXPECT_EQ(normalised_name("encoder.module.x", "bert."), "encoder.module.x");
}

TEST(TensorNames, GivesNormalizationWeightsTheirModernNames) {
  EXPECT_EQ(normalised_name("bert.embeddings.LayerNorm.gamma", "bert."), "embeddings.LayerNorm.weight");
  EXPECT_EQ(normalised_name("cls.predictions.transform.LayerNorm.beta", "bert."),
            "cls.predictions.transform.LayerNorm.bias");
  EXPECT_EQ(normalised_name("layer.gamma", "bert."), "layer.gamma");
  EXPECT_EQ(normalised_name("LayerNorm.gamma.x", "bert."), "LayerNorm.gamma.x");
}

TEST(TensorNames, NeverBecomeEmpty) {
  EXPECT_EQ(normalised_name("bert.", "bert."), "bert.");
  EXPECT_EQ(normalised_name("module.", "bert."), "module.");
  EXPECT_EQ(normalised_name("", "bert."), "");
}

}  // namespace
}  // namespace berth::checkpoint
