// The rule that makes goldens worth something: every component of every golden's checkpoint moves the outputs by more
// than a hundred times the tolerance. Each test changes one thing and looks; what by its mathematics cannot matter is
// named, with the reason, and must not.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <string_view>

#include "base/file.h"
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

bool ends_with_any(std::string_view name, std::initializer_list<std::string_view> endings) {
  return std::any_of(endings.begin(), endings.end(), [&](std::string_view ending) { return name.ends_with(ending); });
}

bool is_norm_gain(std::string_view name) { return ends_with_any(name, {"LayerNorm.weight", "LayerNorm.gamma"}); }

// Adding one vector to all keys adds one number to all scores of a query, and softmax does not see it.
bool is_key_bias(std::string_view name) { return name.ends_with("attention.self.key.bias"); }

// A part of another head: the encoder's outputs do not come from it.
bool is_left_out(std::string_view name, Head head) { return head == Head::none && name.starts_with("classifier."); }

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

  [[nodiscard]] std::vector<std::string> tensors_that(const std::function<bool(std::string_view)>& fits) const {
    std::vector<std::string> names;
    for (const auto& [name, tensor] : original_.tensors) {
      if (fits(name) && !is_left_out(name, head_)) names.push_back(name);
    }
    return names;
  }

  [[nodiscard]] std::string tensor_ending(std::string_view ending) const {
    return tensors_that([&](std::string_view name) { return name.ends_with(ending); }).at(0);
  }

  Golden golden_ = test::read_golden(GetParam());
  double threshold_ = 100 * golden_.tolerance;
  EditableCheckpoint original_ = test::read_editable(golden_.folder);
  Head head_ = head_of(golden_, Checkpoint::open(golden_.folder, {}));
  std::vector<double> outputs_ = outputs_of(golden_.folder);
  TemporaryFolder temporary_;
};

void fill(EditableTensor& tensor, double value) { std::fill(tensor.values.begin(), tensor.values.end(), value); }

void clear_row(EditableTensor& tensor, std::size_t row) {
  const auto width = static_cast<std::ptrdiff_t>(tensor.shape.at(1));
  std::fill_n(tensor.values.begin() + static_cast<std::ptrdiff_t>(row) * width, width, 0.0);
}

TEST_P(Sensitivity, EveryBiasAndEveryMatrixCounts) {
  for (const std::string& name :
       tensors_that([](auto tensor) { return !is_norm_gain(tensor) && !is_key_bias(tensor); })) {
    EXPECT_GT(move_by_tensor(name, [](EditableTensor& tensor) { fill(tensor, 0); }), threshold_) << name;
  }
}

TEST_P(Sensitivity, EveryGainOfLayerNormalizationCounts) {
  for (const std::string& name : tensors_that(is_norm_gain)) {
    const auto reverse = [](EditableTensor& tensor) { std::reverse(tensor.values.begin(), tensor.values.end()); };
    EXPECT_GT(move_by_tensor(name, reverse), threshold_) << name;
  }
}

TEST_P(Sensitivity, KeyBiasesCannotCount) {
  for (const std::string& name : tensors_that(is_key_bias)) {
    EXPECT_LT(move_by_tensor(name, [](EditableTensor& tensor) { fill(tensor, 0); }), kNothing) << name;
  }
}

TEST_P(Sensitivity, EveryPositionAndTypeInUseCounts) {
  std::size_t positions = 0;
  std::int64_t types = 0;
  for (const GoldenCase& one : golden_.cases) {
    positions = std::max(positions, static_cast<std::size_t>(one.sequence));
    types = std::max(types, *std::max_element(one.token_type_ids.begin(), one.token_type_ids.end()) + 1);
  }
  const std::string position_table = tensor_ending("position_embeddings.weight");
  for (std::size_t row = 0; row < static_cast<std::size_t>(original_.tensors.at(position_table).shape.at(0)); ++row) {
    const double moved = move_by_tensor(position_table, [&](EditableTensor& tensor) { clear_row(tensor, row); });
    EXPECT_EQ(moved > threshold_, row < positions) << "position " << row << " moves " << moved;
  }
  const std::string type_table = tensor_ending("token_type_embeddings.weight");
  EXPECT_EQ(types, original_.tensors.at(type_table).shape.at(0)) << "every type is in use";
  for (std::size_t row = 0; row < static_cast<std::size_t>(types); ++row) {
    EXPECT_GT(move_by_tensor(type_table, [&](EditableTensor& tensor) { clear_row(tensor, row); }), threshold_) << row;
  }
}

TEST_P(Sensitivity, TheActivationCounts) {
  const std::string own = original_.config.at("hidden_act").get<std::string>();
  for (const std::string name : {"gelu", "gelu_new", "quick_gelu", "relu", "silu", "tanh"}) {
    if (name == own) continue;
    EXPECT_GT(move_by_config("hidden_act", name), threshold_) << own << " to " << name;
  }
}

// Where variances are about 1, an epsilon of 1e-12 or 1e-5 is lost; two goldens are made so that it is not.
TEST_P(Sensitivity, EpsilonCountsWhereTheGoldenSaysSo) {
  const double other = original_.config.at("layer_norm_eps").get<double>() < 1e-8 ? 1e-5 : 1e-12;
  EXPECT_EQ(move_by_config("layer_norm_eps", other) > threshold_, golden_.epsilon_counts);
}

TEST_P(Sensitivity, TheNumberOfHeadsCounts) {
  const auto heads = original_.config.at("num_attention_heads").get<std::int64_t>();
  EXPECT_GT(move_by_config("num_attention_heads", heads == 1 ? 2 : heads / 2), threshold_);
}

TEST_P(Sensitivity, TheOrderOfLayersCounts) {
  const double moved = move([](EditableCheckpoint& checkpoint) {
    for (auto& [name, tensor] : checkpoint.tensors) {
      const std::size_t at = name.find("encoder.layer.0.");
      if (at == std::string::npos) continue;
      std::string next = name;
      next.replace(at, 16, "encoder.layer.1.");
      std::swap(tensor, checkpoint.tensors.at(next));
    }
  });
  EXPECT_GT(moved, threshold_);
}

TEST_P(Sensitivity, TheMaskCounts) {
  const auto see_all = [](ReferenceInput& input) { std::fill(input.mask.begin(), input.mask.end(), 1); };
  EXPECT_GT(test::largest_difference(outputs_of(golden_.folder, see_all), outputs_), threshold_);
}

INSTANTIATE_TEST_SUITE_P(Golden, Sensitivity, testing::ValuesIn(test::golden_names()),
                         [](const auto& parameter) { return test::test_name_of(parameter.param); });

}  // namespace
}  // namespace berth::encoder
