// config.json by the row of its family: which fields, which values when they are missing, and the bounds that keep
// a hostile file from making later code allocate without measure. Source of truth: PretrainedConfig of Transformers.
#include "checkpoint/config.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "base/file.h"
#include "base/json.h"
#include "berth/error.h"
#include "checkpoint/family.h"
#include "checkpoint/file_kind.h"
#include "checkpoint/labels.h"

namespace berth::checkpoint {
namespace {

struct Range {
  std::int64_t low;
  std::int64_t high;
};

// Several times what the largest published encoders have.
constexpr Range kVocabulary{1, std::int64_t{1} << 24};
constexpr Range kWidth{1, std::int64_t{1} << 16};
constexpr Range kInnerWidth{1, std::int64_t{1} << 18};
constexpr Range kLayers{1, 1024};
constexpr Range kHeads{1, 1024};
constexpr Range kPositions{1, std::int64_t{1} << 20};
constexpr Range kSegments{0, std::int64_t{1} << 16};

// Settings that change the computation, so that none may be passed over in silence.
struct Refusal {
  std::string_view field;
  std::string_view reason;
};
constexpr auto kRefusals = std::to_array<Refusal>({
    {"is_decoder", "attention that looks only backwards is not an encoder's"},
    {"is_encoder_decoder", "berth runs encoders, without a decoder"},
    {"add_cross_attention", "berth runs encoders, without a decoder"},
});

template <typename T>
T read(const json::Object& config, const Field<T>& field) {
  if (field.name.empty()) return *field.fallback;
  return field.fallback ? config.get<T>(field.name, *field.fallback) : config.require<T>(field.name);
}

std::string read(const json::Object& config, const Field<std::string_view>& field) {
  std::string fallback(field.fallback.value_or(""));
  return field.name.empty() ? fallback : config.get<std::string>(field.name, std::move(fallback));
}

std::int64_t read_in_range(const json::Object& config, const Field<std::int64_t>& field, Range range) {
  const std::int64_t value = read(config, field);
  if (field.name.empty()) return value;
  if (value < range.low || value > range.high) {
    throw Error(ErrorKind::invalid_input, config.where(field.name),
                "is " + std::to_string(value) + ", expected " + std::to_string(range.low) + " to " +
                    std::to_string(range.high));
  }
  return value;
}

// A null is not a missing field here: it says that no token pads.
std::optional<std::int64_t> read_pad_token(const json::Object& config, const Field<std::int64_t>& field,
                                           std::int64_t vocab_size) {
  if (config.is_null(field.name)) return std::nullopt;
  return read_in_range(config, field, {0, vocab_size - 1});
}

double read_epsilon(const json::Object& config, const Field<double>& field) {
  const double value = read(config, field);
  if (!(value >= 0 && value <= 1)) {
    throw Error(ErrorKind::invalid_input, config.where(field.name),
                "is " + std::to_string(value) + ", expected 0 to 1");
  }
  return value;
}

std::string read_problem_type(const json::Object& config) {
  constexpr std::array<std::string_view, 3> kKnown{"regression", "single_label_classification",
                                                   "multi_label_classification"};
  std::string value = config.get<std::string>("problem_type", "");
  if (!value.empty() && std::find(kKnown.begin(), kKnown.end(), value) == kKnown.end()) {
    throw Error(ErrorKind::invalid_input, config.where("problem_type"),
                "is " + json::describe(value) +
                    ", expected regression, single_label_classification or multi_label_classification");
  }
  return value;
}

void refuse_other_computations(const json::Object& config) {
  if (config.has("quantization_config")) {
    throw Error(ErrorKind::unsupported, config.where("quantization_config"),
                "says that the weights are quantized, expected plain floating-point weights",
                "give the checkpoint as it was before; berth quantizes the exported model itself");
  }
  const json::Value* const pruned = config.find("pruned_heads");
  if (pruned != nullptr && !pruned->empty()) {
    throw Error(ErrorKind::unsupported, config.where("pruned_heads"),
                "is not empty, expected {}: all layers must have all their heads");
  }
  for (const Refusal& refusal : kRefusals) {
    if (config.get<bool>(refusal.field, false)) {
      throw Error(ErrorKind::unsupported, config.where(refusal.field),
                  "is true, expected false: " + std::string(refusal.reason));
    }
  }
}

void read_sizes(const json::Object& config, const ConfigFields& family, EncoderConfig& result) {
  result.vocab_size = read_in_range(config, family.vocab_size, kVocabulary);
  result.hidden_size = read_in_range(config, family.hidden_size, kWidth);
  result.embedding_size = read_in_range(config, family.embedding_size, {0, kWidth.high});
  if (result.embedding_size == 0) result.embedding_size = result.hidden_size;
  result.layers = read_in_range(config, family.layers, kLayers);
  result.heads = read_in_range(config, family.heads, kHeads);
  result.intermediate_size = read_in_range(config, family.intermediate_size, kInnerWidth);
  result.max_positions = read_in_range(config, family.max_positions, kPositions);
  result.type_vocab_size = read_in_range(config, family.type_vocab_size, kSegments);
  result.pad_token_id = read_pad_token(config, family.pad_token_id, result.vocab_size);
  if (result.hidden_size % result.heads != 0) {
    throw Error(ErrorKind::invalid_input, config.where(family.heads.name),
                "is " + std::to_string(result.heads) + ", but " + std::string(family.hidden_size.name) + " " +
                    std::to_string(result.hidden_size) + " is not divisible by " + std::to_string(result.heads));
  }
}

void read_fields(const json::Object& config, const ConfigFields& family, EncoderConfig& result) {
  refuse_other_computations(config);
  read_sizes(config, family, result);
  result.layer_norm_eps = read_epsilon(config, family.layer_norm_eps);
  result.activation = read(config, family.activation);
  result.head_activation = read(config, family.head_activation);
  result.position_embedding_type = read(config, family.position_embedding_type);
  result.tie_word_embeddings = config.get<bool>("tie_word_embeddings", true);
  result.problem_type = read_problem_type(config);
  result.labels = read_labels(config);
  if (family.read_own != nullptr) family.read_own(config, result);
}

std::string read_architecture(const json::Object& config) {
  const auto names = config.get<std::vector<std::string>>("architectures", {});
  return names.empty() ? std::string() : names.front();
}

std::string read_model_type(const json::Object& config, const std::string& architecture) {
  if (auto stated = config.get<std::string>("model_type"); stated && !stated->empty()) return std::move(*stated);
  if (architecture.empty()) {
    throw Error(ErrorKind::invalid_input, config.where(), "has neither \"model_type\" nor \"architectures\"",
                "add \"model_type\": known are " + family_names());
  }
  if (const Family* const family = family_of_architecture(architecture)) return std::string(family->model_type);
  throw Error(ErrorKind::unsupported, config.where("architectures"),
              "names " + json::describe(architecture) + ", and there is no \"model_type\"; known families are " +
                  family_names());
}

json::Value parse_document(std::string_view text, const std::string& name) {
  try {
    return json::parse(text, name);
  } catch (const Error& failure) {
    const auto kind = recognise(std::as_bytes(std::span(text)));
    if (!kind || kind->what == "a JSON text") throw;
    throw Error(failure.kind(), name, "is " + kind->what + "; expected a JSON text", kind->hint);
  }
}

}  // namespace

EncoderConfig parse_config(std::string_view text, const std::filesystem::path& path) {
  const std::string name = path.string();
  const json::Value document = parse_document(text, name);
  const json::Object config(document, name);

  EncoderConfig result;
  result.path = name;
  result.architecture = read_architecture(config);
  result.model_type = read_model_type(config, result.architecture);
  if (const Family* const family = find_family(result.model_type)) {
    read_fields(config, family->fields, result);
    return result;
  }
  // Many families spell their fields as BERT does. Where one does not, its name is the news, not the field.
  try {
    read_fields(config, families().front().fields, result);
  } catch (const Error& failure) {
    throw Error(ErrorKind::unsupported, config.where("model_type"),
                "is " + json::describe(result.model_type) + ", which berth does not know (" + failure.what() +
                    "); known are " + family_names());
  }
  return result;
}

EncoderConfig read_config(const std::filesystem::path& file) {
  return parse_config(read_file(file, kMaxConfigBytes), file);
}

}  // namespace berth::checkpoint
