// Multi-head attention as ONNX nodes (Vaswani et al. 2017). Which tokens attend to which, and how much their distance
// counts, is for a Scores to say: one kind of attention, one implementation.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "encoder/blocks.h"

namespace berth::encoder {

struct LayerScope {
  std::int64_t index = 0;  // of the hidden state that the layer reads
  std::string prefix;      // of its tensors: "encoder.layer.0."
  std::string scope;       // of its attention's nodes: "/encoder/layer.0/attention"

  [[nodiscard]] std::string module(std::string_view name) const { return prefix + std::string(name); }
};

class Scores {
 public:
  virtual ~Scores() = default;

  // [batch, heads, sequence, sequence] from query and key, [batch, sequence, hidden]: scaled, and with float's lowest
  // number where a query may not see a key.
  [[nodiscard]] virtual std::string of(const BlockContext& context, const LayerScope& layer, const std::string& query,
                                       const std::string& key) const = 0;
};

// Appends what all layers share, such as the mask's bias.
[[nodiscard]] std::unique_ptr<Scores> prepare_scores(const BlockContext& context);

// One for each kind; each in its own file.
[[nodiscard]] std::unique_ptr<Scores> prepare_plain(const BlockContext& context);
[[nodiscard]] std::unique_ptr<Scores> prepare_relative_key(const BlockContext& context);
[[nodiscard]] std::unique_ptr<Scores> prepare_relative_bias(const BlockContext& context);
[[nodiscard]] std::unique_ptr<Scores> prepare_disentangled(const BlockContext& context);
[[nodiscard]] std::unique_ptr<Scores> prepare_rotary(const BlockContext& context);

// The layer's attention, with its last dense layer, over [batch, sequence, hidden].
std::string self_attention(const BlockContext& context, const Scores& scores, const LayerScope& layer,
                           const std::string& x);

// What the kinds are made of.

// Q·Kᵀ / √d + bias, for a bias that broadcasts to [batch, heads, sequence, sequence].
[[nodiscard]] std::unique_ptr<Scores> plain_scores(std::string bias);

// What is added to scores so that tokens which the mask hides get no weight: [batch, 1, 1, sequence].
std::string mask_bias(const BlockContext& context);
// The same from 1.0 where a query sees a key and 0.0 elsewhere, of any shape.
std::string bias_of_visible(const BlockContext& context, const std::string& scope, const std::string& visible);

// [batch, sequence, hidden] to [batch, heads, sequence, width of a head], and with the last two axes swapped.
std::string split_heads(const BlockContext& context, const std::string& scope, const std::string& x);
std::string split_heads_transposed(const BlockContext& context, const std::string& scope, const std::string& x);

// Scores divided by the root of the width of a head times `factor`.
std::string scale(const BlockContext& context, const std::string& scope, const std::string& scores,
                  std::int64_t factor = 1);

}  // namespace berth::encoder
