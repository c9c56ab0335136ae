// Parts of a checkpoint by the role they play, for every family by its row: what the sensitivity tests ask about tensors.
#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <string_view>

#include "berth/encoder.h"
#include "encoder/family.h"

namespace berth::encoder {

class Parts {
 public:
  explicit Parts(const checkpoint::EncoderConfig& config) : config_(config), family_(family_of(config)) {}

  [[nodiscard]] const Family& family() const { return family_; }
  [[nodiscard]] const checkpoint::EncoderConfig& config() const { return config_; }

  // A tensor's name in the file as the rows of families spell it; the questions below take such names.
  [[nodiscard]] std::string normalised(const std::string& stored) const;

  // The weight of a layer normalization.
  [[nodiscard]] bool is_norm_gain(std::string_view name) const;

  // Why this tensor cannot move the outputs; empty where it must.
  [[nodiscard]] std::string why_without_effect(std::string_view name, Head head) const;

  // Whether a layer's tensors tell how many heads there are: then another number is refused before it computes.
  [[nodiscard]] bool heads_show_in_shapes() const;

  // Adds the rows of the position table that a text takes.
  void positions_of(const ReferenceInput& input, std::set<std::size_t>& rows) const;

 private:
  [[nodiscard]] bool uses_distances() const;
  [[nodiscard]] bool adds_one_number_to_all_scores_of_a_query(std::string_view name) const;

  checkpoint::EncoderConfig config_;
  const Family& family_;
};

}  // namespace berth::encoder
