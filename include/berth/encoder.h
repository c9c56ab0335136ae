// What an encoder is: families and heads as tables, and two independent readings of a checkpoint, a graph and a
// reference in plain double precision, which the rest of berth holds against each other.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "berth/checkpoint.h"
#include "berth/graph.h"
#include "berth/tensor.h"

namespace berth::encoder {

using checkpoint::Head;

struct HeadRow {
  Head head;
  std::string_view task;                         // "text-classification", as Transformers' pipelines and `--task` spell it
  std::string_view architecture_suffix;          // "ForSequenceClassification"
  std::vector<std::string_view> outputs;         // in the order of Optimum's exports
};

[[nodiscard]] std::span<const HeadRow> heads();
[[nodiscard]] const HeadRow& row_of(Head head);

// The head that `task` names, or else the one that the config's architecture has. Error{usage} or Error{unsupported}
// with the names that are known.
[[nodiscard]] Head choose_head(const checkpoint::EncoderConfig& config, const std::optional<std::string>& task);

// Every reason why this config cannot be exported with this head, each one sentence "FIELD is X, expected …";
// empty when it can. Needs no weights.
[[nodiscard]] std::vector<std::string> config_problems(const checkpoint::EncoderConfig& config, Head head);

// The tensors that a head needs, by the checkpoint's normalised names, with their shapes checked.
using Weights = std::map<std::string, TensorView, std::less<>>;

// Throws one Error that lists every missing and mis-shaped tensor with expected and found (and what the checkpoint
// holds beside them), or every one of config_problems(). An infinite or NaN weight is found by `verify`, not here: this
// reads no values.
[[nodiscard]] Weights bind(const checkpoint::Checkpoint& checkpoint, Head head);

// How many tokens the model can take: positions less the family's offset.
[[nodiscard]] std::int64_t max_tokens(const checkpoint::EncoderConfig& config);
// Whether the exported graph has the input token_type_ids.
[[nodiscard]] bool takes_type_ids(const checkpoint::EncoderConfig& config);

struct BuildOptions {
  Head head = Head::none;
  std::int64_t opset = 17;                       // 11 … 23
  std::optional<std::pair<std::int64_t, std::int64_t>> fixed_shape;         // batch, sequence; dynamic without
  std::vector<std::string> outputs;              // a subset of the head's outputs, or "hidden_states.N"; all of the head's when empty
};

// The checkpoint as an ONNX graph whose weights are views on it: the checkpoint must outlive the model. Inputs
// input_ids, attention_mask, token_type_ids (i64 [batch_size, sequence_length]), outputs f32, names and order as in
// Optimum's exports; a checkpoint without a pooler gives no pooler_output. Logs what the checkpoint holds that the head
// does not need. Value "hidden_states.0" is the embeddings' output, "hidden_states.N" that of layer N: every graph
// made here has them by name, as outputs only when asked for.
[[nodiscard]] graph::Model build(const checkpoint::Checkpoint& checkpoint, const BuildOptions& options);

// One text for the reference: ids, and for each a segment and whether attention may see it. All of one length.
struct ReferenceInput {
  std::vector<std::int64_t> ids;
  std::vector<std::int64_t> type_ids;
  std::vector<std::int64_t> mask;
};

struct ReferenceTensor {
  Shape shape;                                   // without the batch axis: [sequence, width], [width] or [sequence]
  std::vector<double> values;
};

struct ReferenceResult {
  std::map<std::string, ReferenceTensor> outputs;         // by the head's output names
  std::vector<ReferenceTensor> hidden_states;             // embeddings, then each layer: [sequence, hidden]
};

// The encoder in double precision, written from the papers (Vaswani et al. 2017, Devlin et al. 2018, Ba et al. 2016)
// with nothing shared with build() but the names of tensors. Slow, but uses `threads` threads. An immutable object,
// safe to share.
class Reference {
 public:
  Reference(const checkpoint::Checkpoint& checkpoint, Head head, std::size_t threads);  // the checkpoint must outlive it
  [[nodiscard]] ReferenceResult run(const ReferenceInput& input) const;

 private:
  const checkpoint::Checkpoint& checkpoint_;
  Head head_;
  std::size_t threads_;
  Weights weights_;
};

}  // namespace berth::encoder
