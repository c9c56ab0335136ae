// Which tokens attend to which, and by how much, as each paper says it. Nothing here is shared with the graph.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "encoder/reference_blocks.h"

namespace berth::encoder::reference {

// One kind of attention in one layer.
struct Scoring {
  double scale = 1;  // of the products of queries and keys
  // Adds to the scaled scores of one head what depends on distances; empty: nothing does.
  std::function<void(std::size_t head, Rows query, Rows key, MutableRows scores)> add;
  // Whether query token i sees key token j.
  std::function<bool(std::size_t i, std::size_t j)> sees;
  // Turns a head's queries or keys by their positions; empty: nothing does.
  std::function<void(MutableRows rows)> turn;
};

[[nodiscard]] Scoring scoring_of(const Model& model, const std::string& prefix, std::int64_t layer,
                                 const ReferenceInput& input);

// softmax(scores)·V for each head, side by side in the result: [tokens, hidden].
[[nodiscard]] Matrix attention(const Model& model, Rows query, Rows key, Rows value, const Scoring& scoring);

}  // namespace berth::encoder::reference
