// A checkpoint as an ONNX graph: inputs, embeddings, layers, head, the outputs that were asked for, provenance. The
// graph holds views on the weights, so that building it takes no time that grows with them.
#include "encoder/build.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "base/log.h"
#include "base/version.h"
#include "berth/error.h"
#include "encoder/bind.h"
#include "encoder/blocks.h"
#include "encoder/head_graph.h"
#include "encoder/layer.h"
#include "encoder/unused_parts.h"

namespace berth::encoder {
namespace {

using Dimensions = std::vector<graph::Dimension>;

constexpr std::int64_t kLowestOpset = 11;   // the operators that no form of older opsets could stand for: Range, CumSum
constexpr std::int64_t kHighestOpset = 23;  // newer ones are untried
constexpr std::int64_t kMostFixedTokens = 1 << 18;  // every run of a fixed graph computes all of them

void check_options(const checkpoint::EncoderConfig& config, const BuildOptions& options) {
  if (options.opset < kLowestOpset || options.opset > kHighestOpset) {
    throw Error(ErrorKind::usage, "opset",
                "is " + std::to_string(options.opset) + ", expected " + std::to_string(kLowestOpset) + " to " +
                    std::to_string(kHighestOpset));
  }
  if (!options.fixed_shape) return;
  const auto [batch, sequence] = *options.fixed_shape;
  const bool fits = batch >= 1 && sequence >= 1 && sequence <= max_tokens(config) && batch <= kMostFixedTokens / sequence;
  if (!fits) {
    throw Error(ErrorKind::usage, "fixed shape",
                "is " + std::to_string(batch) + "x" + std::to_string(sequence) +
                    ", expected a batch of 1 or more, a sequence of 1 to " + std::to_string(max_tokens(config)) +
                    ", and " + std::to_string(kMostFixedTokens) + " tokens together at most");
  }
}

// [batch, sequence], by Optimum's names when they are dynamic.
Dimensions token_dimensions(const BuildOptions& options) {
  if (!options.fixed_shape) return {std::string("batch_size"), std::string("sequence_length")};
  return {options.fixed_shape->first, options.fixed_shape->second};
}

std::vector<graph::Value> inputs_of(const BlockContext& context, const Dimensions& tokens) {
  std::vector<graph::Value> inputs;
  for (const char* const name : {"input_ids", "attention_mask", "token_type_ids"}) {
    const bool is_types = name == std::string_view("token_type_ids");
    if (is_types && !takes_type_ids(context.family, context.config)) continue;
    inputs.push_back({name, graph::ElementType::i64, tokens});
  }
  return inputs;
}

std::string hidden_state_name(std::int64_t index) { return "hidden_states." + std::to_string(index); }

graph::Value select_output(const std::string& name, const std::vector<graph::Value>& head_outputs,
                           const checkpoint::EncoderConfig& config, const Dimensions& tokens) {
  std::string known;
  for (const graph::Value& output : head_outputs) {
    if (output.name == name) return output;
    known += output.name + ", ";
  }
  for (std::int64_t index = 0; index <= config.layers; ++index) {
    if (name != hidden_state_name(index)) continue;
    return {name, graph::ElementType::f32, Dimensions{tokens[0], tokens[1], config.hidden_size}};
  }
  throw Error(
      ErrorKind::usage, "outputs",
      "names \"" + name + "\", expected " + known + hidden_state_name(0) + " to " + hidden_state_name(config.layers));
}

std::vector<graph::Value> select_outputs(const BuildOptions& options, std::vector<graph::Value> head_outputs,
                                         const checkpoint::EncoderConfig& config, const Dimensions& tokens) {
  if (options.outputs.empty()) return head_outputs;
  std::vector<graph::Value> selected;
  for (const std::string& name : options.outputs) {
    const bool twice =
        std::any_of(selected.begin(), selected.end(), [&](const graph::Value& output) { return output.name == name; });
    if (twice) throw Error(ErrorKind::usage, "outputs", "names \"" + name + "\" twice, expected each once");
    selected.push_back(select_output(name, head_outputs, config, tokens));
  }
  return selected;
}

// Where the model comes from and what it can take; nothing of when, where or by whom it was made.
std::vector<std::pair<std::string, std::string>> metadata_of(const Family& family,
                                                             const checkpoint::EncoderConfig& config, Head head) {
  std::vector<std::pair<std::string, std::string>> metadata{{"model_type", config.model_type},
                                                            {"task", std::string(row_of(head).task)}};
  if (!config.architecture.empty()) metadata.emplace_back("source_architecture", config.architecture);
  metadata.emplace_back(graph::kMaxTokensKey, std::to_string(max_tokens(family, config)));
  metadata.emplace_back(graph::kVocabularyKey, std::to_string(config.vocab_size));
  return metadata;
}

void log_differences(const Binding& binding, const HeadLayout& layout) {
  if (!binding.unused.empty()) log_info("ignored: " + binding.unused);
  const std::string optional = weight_of(layout.transform);
  if (layout.transform_optional && !binding.weights.contains(optional)) {
    log_info("the checkpoint has no " + optional + ": the model goes without " +
             std::string(row_of(layout.head).outputs.back()));
  }
}

graph::Graph build_graph(const BlockContext& context, const HeadLayout& layout, const BuildOptions& options) {
  GraphBuilder& builder = context.builder;
  const Dimensions tokens = token_dimensions(options);
  embeddings(context);
  std::string hidden = builder.name_last(hidden_state_name(0));
  const std::unique_ptr<Scores> scores = prepare_scores(context);
  for (std::int64_t index = 0; index < context.config.layers; ++index) {
    layers_after(context, *scores, index, hidden);
    hidden = builder.name_last(hidden_state_name(index + 1));
  }
  std::vector<graph::Value> head_outputs = append_head(context, layout, after_last_layer(context, hidden), tokens);

  graph::Graph graph = std::move(builder).take();
  graph.name = context.config.model_type;
  graph.inputs = inputs_of(context, tokens);
  graph.outputs = select_outputs(options, std::move(head_outputs), context.config, tokens);
  remove_unused(graph);
  return graph;
}

}  // namespace

graph::Model build_as(const Family& family, const checkpoint::Checkpoint& checkpoint, const BuildOptions& options) {
  const checkpoint::EncoderConfig& config = checkpoint.config();
  const Binding binding = bind_as(family, checkpoint, options.head);
  const HeadLayout& layout = *find_head(family, config, options.head);
  log_differences(binding, layout);

  GraphBuilder builder(binding.weights, options.opset);
  const auto sequence_length = options.fixed_shape ? std::optional(options.fixed_shape->second) : std::nullopt;
  graph::Model model;
  model.ir_version = graph::lowest_ir_version(options.opset);
  model.opsets = {{"", options.opset}};
  model.producer_name = "berth";
  model.producer_version = kVersion;
  model.metadata = metadata_of(family, config, options.head);
  model.graph = build_graph({builder, family, config, sequence_length}, layout, options);
  return model;
}

graph::Model build(const checkpoint::Checkpoint& checkpoint, const BuildOptions& options) {
  require_exportable(checkpoint.config(), options.head);
  check_options(checkpoint.config(), options);
  return build_as(family_of(checkpoint.config()), checkpoint, options);
}

}  // namespace berth::encoder
