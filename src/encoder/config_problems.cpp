// What a config says that cannot be exported. No weights are needed, so that `berth check` can answer before training.
#include <fmt/format.h>

#include <cmath>
#include <string>

#include "base/json.h"
#include "berth/encoder.h"
#include "encoder/activations.h"
#include "encoder/family.h"

namespace berth::encoder {
namespace {

using checkpoint::EncoderConfig;
using Problems = std::vector<std::string>;

// Cut and escaped: the text is a stranger's.
std::string in_quotes(const std::string& text) { return json::describe(json::Value(text)); }

void check_sizes(const EncoderConfig& config, Problems& problems) {
  struct Size {
    const char* field;
    std::int64_t value;
  };
  for (const Size& size : {Size{"vocab_size", config.vocab_size}, Size{"hidden_size", config.hidden_size},
                           Size{"num_hidden_layers", config.layers}, Size{"num_attention_heads", config.heads},
                           Size{"intermediate_size", config.intermediate_size}}) {
    if (size.value >= 1) continue;
    problems.push_back(std::string(size.field) + " is " + std::to_string(size.value) + ", expected 1 or more");
  }
  if (config.heads >= 1 && config.hidden_size % config.heads != 0) {
    problems.push_back("num_attention_heads is " + std::to_string(config.heads) +
                       ", expected a divisor of hidden_size " + std::to_string(config.hidden_size));
  }
}

void check_embeddings(const EncoderConfig& config, const Family& family, Problems& problems) {
  const std::int64_t never_taken = config.max_positions - max_tokens(config);
  if (config.max_positions <= never_taken) {
    problems.push_back("max_position_embeddings is " + std::to_string(config.max_positions) + ", expected " +
                       std::to_string(never_taken + 1) + " or more");
  }
  if (adds_types(family, config) && config.type_vocab_size < 1) {
    problems.push_back("type_vocab_size is " + std::to_string(config.type_vocab_size) + ", expected 1 or more");
  }
  if (family.fields.position_embedding_type.name.empty()) return;
  for (const char* const known : {"absolute", "relative_key", "relative_key_query"}) {
    if (config.position_embedding_type == known) return;
  }
  problems.push_back("position_embedding_type is " + in_quotes(config.position_embedding_type) +
                     ", expected absolute, relative_key or relative_key_query");
}

void check_activation(const std::string& field, const std::string& name, Problems& problems) {
  if (field.empty() || find_activation(name) != nullptr) return;
  std::string known;
  for (const ActivationRow& row : activations()) known.append(known.empty() ? "" : ", ").append(row.name);
  problems.push_back(field + " is " + in_quotes(name) + ", expected one of " + known);
}

// The convolution pads to the length of the text only with an odd kernel.
void check_convolution(const EncoderConfig& config, Problems& problems) {
  if (!config.disentangled || config.disentangled->kernel_size == 0) return;
  const checkpoint::DisentangledAttention& own = *config.disentangled;
  if (own.kernel_size % 2 == 0) {
    problems.push_back("conv_kernel_size is " + std::to_string(own.kernel_size) + ", expected an odd number");
  }
  if (config.hidden_size % own.kernel_groups != 0) {
    problems.push_back("conv_groups is " + std::to_string(own.kernel_groups) + ", expected a divisor of hidden_size " +
                       std::to_string(config.hidden_size));
  }
  check_activation("conv_act", own.kernel_activation, problems);
}

void check_arithmetic(const EncoderConfig& config, const Family& family, Problems& problems) {
  const auto epsilon = static_cast<float>(config.layer_norm_eps);  // as the graph has it
  if (!std::isfinite(epsilon) || epsilon <= 0) {
    problems.push_back(
        fmt::format("layer_norm_eps is {}, expected a number above 0 in single precision", config.layer_norm_eps));
  }
  check_activation(std::string(family.fields.activation.name), config.activation, problems);
  check_activation(std::string(family.fields.head_activation.name), config.head_activation, problems);
  if (config.rotary && config.hidden_size / config.heads % 2 != 0) {
    problems.push_back("num_attention_heads is " + std::to_string(config.heads) + ", expected heads of an even width");
  }
}

// Heads share names of tensors ("classifier"), so a wrong head could bind and answer nonsense. Architectures without a
// head of ours do not tell; then the tensors decide.
void check_head(const EncoderConfig& config, const Family& family, Head head, Problems& problems) {
  if (find_head(family, config, head) == nullptr) {
    problems.push_back("model_type is " + in_quotes(config.model_type) + ", a family without a head for " +
                       std::string(row_of(head).task));
  }
  const bool needs_labels = head == Head::sequence_classification || head == Head::token_classification;
  if (needs_labels && config.labels.empty()) problems.emplace_back("id2label is empty, expected 1 label or more");
  if (head == Head::none) return;
  for (const HeadRow& row : heads()) {
    if (row.head == Head::none || row.head == head) continue;
    const std::string stem(family.architecture_stem);
    if (config.architecture != stem + std::string(row.architecture_suffix)) continue;
    problems.push_back("architectures is " + in_quotes(config.architecture) + ", expected " +
                       in_quotes(stem + std::string(row_of(head).architecture_suffix)) + " for the task " +
                       std::string(row_of(head).task));
  }
}

}  // namespace

std::vector<std::string> config_problems(const EncoderConfig& config, Head head) {
  const Family* const family = checkpoint::find_family(config.model_type);
  if (family == nullptr) return {unsupported_family(config.model_type)};  // what the other fields mean is unknown
  Problems problems;
  check_sizes(config, problems);
  check_embeddings(config, *family, problems);
  check_arithmetic(config, *family, problems);
  check_convolution(config, problems);
  check_head(config, *family, head, problems);
  return problems;
}

}  // namespace berth::encoder
