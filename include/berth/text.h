// Text to ids and offsets, exactly as Hugging Face's `tokenizers` 0.22.2.
//
//   const auto tokenizer = text::Tokenizer::from_folder("my-model", {});
//   const text::Encoding encoding = tokenizer.encode("naïve café", {});
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace berth::text {

// Half open, in code points of the text as the caller sent it; (0, 0) for tokens that the text does not hold.
struct Span {
  std::uint32_t start = 0;
  std::uint32_t end = 0;
  friend bool operator==(const Span&, const Span&) = default;
};

constexpr std::int32_t kNone = -1;               // of word_ids and sequence_ids: not part of a text

// One row, or one window of a long one. All vectors are equally long.
struct Encoding {
  std::vector<std::int32_t> ids;
  std::vector<std::int32_t> type_ids;
  std::vector<std::uint8_t> special_tokens_mask;
  std::vector<Span> offsets;
  std::vector<std::int32_t> word_ids;            // index of the word (pre-token) in its text, or kNone
  std::vector<std::int32_t> sequence_ids;        // 0 first text, 1 second, or kNone
  bool truncated = false;                        // some of the text is not in here
  std::vector<Encoding> overflow;                // what truncation cut, as further windows (only when asked for)
};

enum class Truncation { longest_first, only_first, only_second };
enum class InvalidUtf8 { replace, refuse };      // as Python's errors="replace", or Error{invalid_input}

struct EncodeOptions {
  bool special_tokens = true;
  bool special_tokens_in_text = true;            // false: "[SEP]" typed by a user is plain text
  std::optional<std::size_t> max_length = {};    // of the whole row; nothing: no truncation
  Truncation truncation = Truncation::longest_first;
  std::size_t stride = 0;                        // tokens that consecutive windows share
  bool windows = false;                          // keep what was cut in `overflow`
  InvalidUtf8 invalid_utf8 = InvalidUtf8::replace;
};

struct LoadOptions {
  std::optional<bool> lowercase = {};            // overrides what the files say
};

struct Stages;                                   // what a tokenizer consists of: src/text/stages.h

// Immutable after loading: safe to share between threads.
class Tokenizer {
 public:
  // tokenizer.json, or vocab.txt with tokenizer_config.json (or without: then lowercase, with a warning).
  // tokenizer_config.json overrides case settings of tokenizer.json, as Transformers' fast classes do (with a warning).
  // Truncation and padding stored in tokenizer.json do not count. Throws Error that names the file and the field.
  static Tokenizer from_folder(const std::filesystem::path& folder, const LoadOptions& options);

  [[nodiscard]] Encoding encode(std::string_view text, const EncodeOptions& options) const;
  [[nodiscard]] Encoding encode_pair(std::string_view first, std::string_view second, const EncodeOptions& options) const;
  // A text that is split into words already; word_ids are indices into `words`, offsets restart at each word.
  [[nodiscard]] Encoding encode_words(const std::vector<std::string>& words, const EncodeOptions& options) const;

  [[nodiscard]] std::size_t vocabulary_size() const noexcept;               // with added tokens: the largest id is below it
  [[nodiscard]] std::optional<std::int32_t> id_of(std::string_view token) const;
  [[nodiscard]] std::string token_of(std::int32_t id) const;                // Error{invalid_input} when there is none
  [[nodiscard]] std::optional<std::int32_t> pad_id() const noexcept;
  [[nodiscard]] std::optional<std::int32_t> mask_id() const noexcept;
  [[nodiscard]] std::optional<std::int32_t> unknown_id() const noexcept;
  // model_max_length of tokenizer_config.json where that is a sane number.
  [[nodiscard]] std::optional<std::size_t> model_max_length() const noexcept;
  // Files that the tokenizer was read from: what must travel with a model.
  [[nodiscard]] const std::vector<std::filesystem::path>& files() const noexcept;

  ~Tokenizer();
  Tokenizer(Tokenizer&&) noexcept;
  Tokenizer& operator=(Tokenizer&&) noexcept;

 private:
  explicit Tokenizer(std::unique_ptr<Stages> stages);
  std::unique_ptr<Stages> stages_;
};

}  // namespace berth::text
