// Answered from the mathematics of attention, not by asking the code under test.
#include "encoder/parts.h"

#include <cstdint>

#include "checkpoint/tensor_names.h"

namespace berth::encoder {
namespace {

std::string_view module_of(std::string_view name) { return name.substr(0, name.rfind('.')); }

}  // namespace

std::string Parts::normalised(const std::string& stored) const {
  return checkpoint::normalised_name(stored, family_.base_prefix);
}

bool Parts::is_norm_gain(std::string_view name) const {
  const std::string_view module = module_of(name);
  return name.ends_with(".weight") && (module.ends_with("norm") || module.ends_with("Norm"));
}

std::string Parts::why_without_effect(std::string_view name, Head head) const {
  if (head == Head::none && name.starts_with("classifier.")) return "it is part of another head";
  if (name == family_.embeddings.positions && !adds_positions(family_, config_)) return "no position is added";
  if (adds_one_number_to_all_scores_of_a_query(name)) return "softmax does not see what all scores have in common";
  const bool of_distances = name == family_.encoder.distances || module_of(name) == family_.encoder.distances_norm;
  if (of_distances && !uses_distances()) return "no score comes from distances";
  return {};
}

bool Parts::heads_show_in_shapes() const {
  switch (attention_of(family_, config_)) {
    case Attention::relative_key:
    case Attention::relative_key_query:
    case Attention::relative_bias: return true;
    case Attention::plain:
    case Attention::disentangled:
    case Attention::rotary: return false;
  }
  return false;
}

void Parts::positions_of(const ReferenceInput& input, std::set<std::size_t>& rows) const {
  const std::int64_t padding = position_padding(family_, config_);
  std::int64_t count = 0;
  for (std::size_t i = 0; i < input.ids.size(); ++i) {
    const bool is_token = input.ids[i] != padding;
    if (is_token) ++count;
    const std::int64_t after_padding = is_token ? padding + count : padding;
    rows.insert(family_.positions == Positions::from_zero ? i : static_cast<std::size_t>(after_padding));
  }
}

bool Parts::uses_distances() const {
  const auto& own = config_.disentangled;
  return own && own->relative && (own->content_to_position || own->position_to_content);
}

// A key's bias, where keys are multiplied with queries alone; a bias of the distances' keys; what is added to all
// distances, where they are multiplied with queries alone.
bool Parts::adds_one_number_to_all_scores_of_a_query(std::string_view name) const {
  const auto ends_with = [&](std::string_view module) { return !module.empty() && name.ends_with(bias_of(module)); };
  if (ends_with(family_.layer.distance_keys)) return true;
  if (!ends_with(family_.layer.key) && !ends_with(family_.encoder.distances_norm)) return false;
  const bool keys_meet_distances = uses_distances() && config_.disentangled->position_to_content;
  return !keys_meet_distances && attention_of(family_, config_) != Attention::relative_key_query;
}

}  // namespace berth::encoder
