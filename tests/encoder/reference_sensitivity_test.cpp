// The rule that makes goldens worth something: every component of every golden's checkpoint moves the outputs by more
// than a hundred times the tolerance. Each test changes one thing and looks; what by its mathematics cannot matter is
// named, with the reason, and must not.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <set>
#include <string_view>

#include "base/file.h"
#include "berth/error.h"
#include "encoder/parts.h"
#include "encoder/reference_runs.h"
#include "support/editable_checkpoint.h"
#include "support/golden.h"

namespace berth::encoder {
namespace {

using checkpoint::Checkpoint;
using test::EditableCheckpoint;
using test::EditableTensor;
using test::Golden;
using test::GoldenCase;

constexpr double kNothing = 1e-9;  // "does not move": rounding in double precision

class Sensitivity : public testing::TestWithParam<std::string> {
 protected:
  using ChangeInput = std::function<void(ReferenceInput&)>;

  // All outputs of all cases, one after the other.
  [[nodiscard]] std::vector<double> outputs_of(const std::filesystem::path& folder,
                                               const ChangeInput& change = {}) const {
    const Checkpoint checkpoint = Checkpoint::open(folder, {});
    const Reference reference(checkpoint, head_of(golden_, checkpoint), 1);
    std::vector<double> all;
    for (const GoldenCase& one : golden_.cases) {
      for (std::int64_t row = 0; row < one.batch; ++row) {
        ReferenceInput input = input_of(one, row);
        if (change) change(input);
        for (const auto& [name, tensor] : reference.run(input).outputs) {
          all.insert(all.end(), tensor.values.begin(), tensor.values.end());
        }
      }
    }
    return all;
  }

  // How far the outputs move when the checkpoint is changed.
  [[nodiscard]] double move(const std::function<void(EditableCheckpoint&)>& change) const {
    EditableCheckpoint changed = original_;
    change(changed);
    write(changed, temporary_.path());
    return test::largest_difference(outputs_of(temporary_.path()), outputs_);
  }

  [[nodiscard]] double move_by_tensor(const std::string& name,
                                      const std::function<void(EditableTensor&)>& change) const {
    return move([&](EditableCheckpoint& checkpoint) { change(checkpoint.tensors.at(name)); });
  }

  [[nodiscard]] double move_by_config(const std::string& field, const json::Value& value) const {
    return move([&](EditableCheckpoint& checkpoint) { checkpoint.config[field] = value; });
  }

  // Names in the file.
  [[nodiscard]] std::vector<std::string> tensors_that(const std::function<bool(std::string_view)>& fits) const {
    std::vector<std::string> names;
    for (const auto& [name, tensor] : original_.tensors) {
      if (fits(parts_.normalised(name))) names.push_back(name);
    }
    return names;
  }

  [[nodiscard]] std::vector<std::string> tensors_called(std::string_view normalised) const {
    return tensors_that([&](std::string_view name) { return name == normalised; });
  }

  // Moves by names of an activation, but where the field already holds it.
  void expect_activations_to_count(std::string_view field, const std::string& own) const {
    for (const std::string name : {"gelu", "gelu_new", "quick_gelu", "relu", "silu", "tanh"}) {
      if (name == own) continue;
      EXPECT_GT(move_by_config(std::string(field), name), threshold_) << field << ": " << own << " to " << name;
    }
  }

  Golden golden_ = test::read_golden(GetParam());
  double threshold_ = 100 * golden_.tolerance;
  EditableCheckpoint original_ = test::read_editable(golden_.folder);
  Parts parts_{Checkpoint::open(golden_.folder, {}).config()};
  const Family& family_ = parts_.family();
  const checkpoint::EncoderConfig& config_ = parts_.config();
  Head head_ = choose_head(config_, golden_.task);
  std::vector<double> outputs_ = outputs_of(golden_.folder);
  TemporaryFolder temporary_;
};

void fill(EditableTensor& tensor, double value) { std::fill(tensor.values.begin(), tensor.values.end(), value); }

void clear_row(EditableTensor& tensor, std::size_t row) {
  const auto width = static_cast<std::ptrdiff_t>(tensor.shape.at(1));
  std::fill_n(tensor.values.begin() + static_cast<std::ptrdiff_t>(row) * width, width, 0.0);
}

TEST_P(Sensitivity, EveryBiasAndEveryMatrixCounts) {
  for (const std::string& name : tensors_that([&](std::string_view tensor) {
         return !parts_.is_norm_gain(tensor) && parts_.why_without_effect(tensor, head_).empty();
       })) {
    EXPECT_GT(move_by_tensor(name, [](EditableTensor& tensor) { fill(tensor, 0); }), threshold_) << name;
  }
}

TEST_P(Sensitivity, EveryGainOfLayerNormalizationCounts) {
  const auto reverse = [](EditableTensor& tensor) { std::reverse(tensor.values.begin(), tensor.values.end()); };
  std::size_t gains = 0;
  for (const std::string& name : tensors_that([&](std::string_view tensor) { return parts_.is_norm_gain(tensor); })) {
    if (!parts_.why_without_effect(parts_.normalised(name), head_).empty()) continue;
    EXPECT_GT(move_by_tensor(name, reverse), threshold_) << name;
    ++gains;
  }
  EXPECT_GE(gains, 3U);
}

TEST_P(Sensitivity, WhatByItsMathematicsCannotCountDoesNot) {
  for (const auto& [name, tensor] : original_.tensors) {
    const std::string why = parts_.why_without_effect(parts_.normalised(name), head_);
    if (why.empty()) continue;
    EXPECT_LT(move_by_tensor(name, [](EditableTensor& changed) { fill(changed, 0); }), kNothing) << name << ": " << why;
  }
}

TEST_P(Sensitivity, EveryPositionInUseCounts) {
  if (!adds_positions(family_, config_)) return;
  std::set<std::size_t> used;
  for (const GoldenCase& one : golden_.cases) {
    for (std::int64_t row = 0; row < one.batch; ++row) parts_.positions_of(input_of(one, row), used);
  }
  const std::string table = tensors_called(family_.embeddings.positions).at(0);
  for (std::size_t row = 0; row < static_cast<std::size_t>(original_.tensors.at(table).shape.at(0)); ++row) {
    const double moved = move_by_tensor(table, [&](EditableTensor& tensor) { clear_row(tensor, row); });
    EXPECT_EQ(moved > threshold_, used.contains(row)) << "position " << row << " moves " << moved;
  }
}

TEST_P(Sensitivity, EveryTypeInUseCounts) {
  if (!adds_types(family_, config_)) return;
  std::int64_t last = 0;
  for (const GoldenCase& one : golden_.cases) {
    last = std::max(last, *std::max_element(one.token_type_ids.begin(), one.token_type_ids.end()));
  }
  const std::string table = tensors_called(family_.embeddings.types).at(0);
  EXPECT_EQ(last, takes_type_ids(family_, config_) ? config_.type_vocab_size - 1 : 0) << "every type is in use";
  for (std::int64_t row = 0; row < config_.type_vocab_size; ++row) {
    const auto clear = [&](EditableTensor& tensor) { clear_row(tensor, static_cast<std::size_t>(row)); };
    EXPECT_EQ(move_by_tensor(table, clear) > threshold_, row <= last) << "type " << row;
  }
}

TEST_P(Sensitivity, EveryBucketInUseCounts) {
  if (family_.encoder.relative_bias.empty()) return;
  constexpr std::int64_t kBucketsInUse = 32;
  std::int64_t counted = 0;
  const std::string table = tensors_called(family_.encoder.relative_bias).at(0);
  for (std::int64_t row = 0; row < config_.relative_buckets; ++row) {
    const auto clear = [&](EditableTensor& tensor) { clear_row(tensor, static_cast<std::size_t>(row)); };
    const bool moved = move_by_tensor(table, clear) > threshold_;
    EXPECT_FALSE(moved && row >= kBucketsInUse) << row;
    if (moved) ++counted;
  }
  // Before and after: no distance beyond 7 shares its bucket with a nearer one. The last begins near 100.
  constexpr std::int64_t kFarthestBucketBegins = 100;
  if (max_tokens(config_) > kFarthestBucketBegins) {
    EXPECT_EQ(counted, kBucketsInUse - 1) << "all but the one for distance 0 in the future";
  } else {
    EXPECT_GE(counted, 15);
  }
}

TEST_P(Sensitivity, TheActivationCounts) {
  expect_activations_to_count(family_.fields.activation.name, config_.activation);
  const HeadLayout& layout = *find_head(family_, config_, head_);
  if (layout.transform_configured) {
    expect_activations_to_count(family_.fields.head_activation.name, config_.head_activation);
  }
}

// Where variances are about 1, an epsilon of 1e-12 or 1e-5 is lost; some goldens are made so that it is not.
TEST_P(Sensitivity, EpsilonCountsWhereTheGoldenSaysSo) {
  const std::string field(family_.fields.layer_norm_eps.name);
  if (field.empty()) return;
  const double other = config_.layer_norm_eps < 1e-8 ? 1e-5 : 1e-12;
  EXPECT_EQ(move_by_config(field, other) > threshold_, golden_.epsilon_counts);
}

TEST_P(Sensitivity, TheNumberOfHeadsCounts) {
  const std::string field(family_.fields.heads.name);
  const std::int64_t other = config_.heads == 1 ? 2 : config_.heads / 2;
  if (parts_.heads_show_in_shapes()) {
    EXPECT_THROW(static_cast<void>(move_by_config(field, other)), Error);
  } else {
    EXPECT_GT(move_by_config(field, other), threshold_);
  }
}

TEST_P(Sensitivity, TheOrderOfLayersCounts) {
  if (config_.layer_groups == 1) return;  // all layers are the same
  const std::string stem(family_.encoder.layer_stem);
  std::size_t swapped = 0;
  const double moved = move([&](EditableCheckpoint& checkpoint) {
    for (auto& [name, tensor] : checkpoint.tensors) {
      const std::size_t at = name.find(stem + "0.");
      if (at == std::string::npos) continue;
      std::string next = name;
      next.replace(at, stem.size() + 2, stem + "1.");
      const auto other = checkpoint.tensors.find(next);  // ModernBERT's first layer lacks a normalization
      if (other == checkpoint.tensors.end()) continue;
      std::swap(tensor, other->second);
      ++swapped;
    }
  });
  EXPECT_GT(moved, threshold_);
  EXPECT_GE(swapped, 4U);
}

// What only some families have; the fields and values are in the goldens.
TEST_P(Sensitivity, TheFieldsThatTheGoldenNamesCount) {
  for (const auto& [field, value] : golden_.counts) {
    EXPECT_GT(move_by_config(field, value), threshold_) << field << " to " << value;
  }
  for (const auto& [field, value] : golden_.counts_not) {
    EXPECT_LT(move_by_config(field, value), kNothing) << field << " to " << value;
  }
}

TEST_P(Sensitivity, TheMaskCounts) {
  const auto see_all = [](ReferenceInput& input) { std::fill(input.mask.begin(), input.mask.end(), 1); };
  EXPECT_GT(test::largest_difference(outputs_of(golden_.folder, see_all), outputs_), threshold_);
}

INSTANTIATE_TEST_SUITE_P(Golden, Sensitivity, testing::ValuesIn(test::golden_names()),
                         [](const auto& parameter) { return test::test_name_of(parameter.param); });

}  // namespace
}  // namespace berth::encoder
