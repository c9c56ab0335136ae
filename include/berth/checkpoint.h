// A Hugging Face checkpoint folder as a config and named tensors, whatever the format or the age of the names.
//
//   const auto checkpoint = checkpoint::Checkpoint::open("my-model", {});
//   const TensorView* weight = checkpoint.find("embeddings.word_embeddings.weight");
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "berth/tensor.h"

namespace berth::checkpoint {

// What a checkpoint holds on top of its encoder.
enum class Head { none, sequence_classification, token_classification, question_answering, masked_lm };

// Which of a model's parts have a bias. All but ModernBERT's have all of them.
struct Biases {
  bool attention = true;
  bool feed_forward = true;
  bool norms = true;                             // of layer normalizations
  bool head_transform = true;                    // the dense layer before a head's last
  bool decoder = true;                           // a masked language model's last
};

// DeBERTa's disentangled attention (He et al. 2020, 2021).
struct DisentangledAttention {
  bool relative = false;                         // without, scores are those of content alone
  bool content_to_position = false;
  bool position_to_content = false;
  bool share_keys = false;                       // distances are projected by the layer's own query and key
  bool norm_distances = false;                   // the distances' embeddings pass a layer normalization
  bool absolute_positions = true;                // positions are added to the embeddings as well
  std::int64_t buckets = 0;                      // distances beyond half of them share rows by their logarithm; 0: none
  std::int64_t max_distance = 0;
  std::int64_t kernel_size = 0;                  // of the convolution beside the first layer; 0: there is none
  std::int64_t kernel_groups = 1;
  std::string kernel_activation;
  [[nodiscard]] std::int64_t span() const { return buckets > 0 ? buckets : max_distance; }  // rows a direction
};

// ModernBERT's rotary positions and windows (Su et al. 2021; Warner et al. 2024).
struct RotaryAttention {
  double global_theta = 0;
  double local_theta = 0;
  std::vector<bool> local;                       // by layer: sees a window only, and turns by local_theta
  std::int64_t window = 0;                       // the others see window / 2 tokens to either side
};

// What config.json says of an encoder, under one set of names for all families. Values are as found: whether a family
// supports them is for `encoder` to say.
struct EncoderConfig {
  std::string path;                              // of the file, for errors
  std::string model_type;                        // "bert"; from "architectures" when the file does not say
  std::string architecture;                      // "BertForSequenceClassification"; empty when the file does not say
  std::int64_t vocab_size = 0;
  std::int64_t embedding_size = 0;               // width of the embeddings: hidden_size, or what a projection widens to it
  std::int64_t hidden_size = 0;
  std::int64_t layers = 0;
  std::int64_t layer_groups = 0;                 // layers of a group share their weights; 0: none do
  std::int64_t layers_in_group = 1;              // that one step through a group runs, one after the other
  std::int64_t heads = 0;
  std::int64_t intermediate_size = 0;
  std::int64_t max_positions = 0;
  std::int64_t type_vocab_size = 0;              // 0: the model has no segments
  std::optional<std::int64_t> pad_token_id;
  double layer_norm_eps = 0;
  std::string activation;                        // "gelu"
  std::string head_activation;                   // of the dense layer before a head's last, where the config names it
  std::string position_embedding_type;           // "absolute"
  Biases biases;
  std::int64_t relative_buckets = 0;             // rows of MPNet's relative bias, of which 32 are in use; 0: the family has none
  std::optional<DisentangledAttention> disentangled;
  std::optional<RotaryAttention> rotary;
  std::string classifier_pooling;                // "cls" or "mean", where the config decides
  bool legacy_masked_lm = true;                  // which of its two masked language models a DeBERTa has
  bool tie_word_embeddings = true;               // a masked language model decodes with the word embeddings, whatever the file holds
  std::string problem_type;                      // empty when not set
  std::vector<std::string> labels;               // by id; LABEL_0 … where the file names none
};

// Reads and checks config.json: types, ranges, labels without gaps. Throws one Error that names the field.
[[nodiscard]] EncoderConfig read_config(const std::filesystem::path& file);

struct OpenOptions {
  std::optional<std::filesystem::path> config;   // instead of the folder's config.json
  std::vector<std::string> labels;               // instead of the config's, when not empty
};

// Immutable after open; safe to share between threads. Views stay valid as long as the Checkpoint lives.
class Checkpoint {
 public:
  // Maps the weights; copies none. Names are normalised: prefixes of wrappers ("module.") and of the base model
  // ("bert.") are dropped and LayerNorm.gamma/beta become weight/bias, so that callers see
  // "encoder.layer.0.output.LayerNorm.weight" and "classifier.weight". Throws Error{invalid_input, unsupported,
  // not_found, limit, io}.
  static Checkpoint open(const std::filesystem::path& folder, const OpenOptions& options);

  struct Entry {
    std::string stored_name;                     // as in the file, for messages
    TensorView view;
  };

  [[nodiscard]] const EncoderConfig& config() const noexcept { return config_; }
  [[nodiscard]] const std::filesystem::path& folder() const noexcept { return folder_; }
  [[nodiscard]] const std::vector<std::filesystem::path>& weight_files() const noexcept { return weight_files_; }
  [[nodiscard]] const std::map<std::string, Entry, std::less<>>& tensors() const noexcept { return tensors_; }
  [[nodiscard]] const TensorView* find(std::string_view name) const;

  // Bytes of all weight files together.
  [[nodiscard]] std::uint64_t weight_bytes() const noexcept;
  // Which checkpoint this is, from the bytes of config.json as they were at open and those of the weight files:
  //   sha256sum config.json model.safetensors | sha256sum
  // in the folder gives the same digits (a config from elsewhere goes under the name config.json). Reads all weights.
  [[nodiscard]] std::string hash() const;
  // Error{io} when a weight file shrank while it was being read: values read since may be zeros.
  void require_intact() const;

  ~Checkpoint();
  Checkpoint(Checkpoint&&) noexcept;
  Checkpoint& operator=(Checkpoint&&) noexcept;

 private:
  Checkpoint();

  std::filesystem::path folder_;
  EncoderConfig config_;
  std::vector<std::filesystem::path> weight_files_;
  std::map<std::string, Entry, std::less<>> tensors_;
  struct Storage;                                // the mapped files behind the views
  std::unique_ptr<Storage> storage_;
};

}  // namespace berth::checkpoint
