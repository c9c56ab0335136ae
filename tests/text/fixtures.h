// Tokenizer folders made on the spot, short calls, and the log that loading writes.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/file.h"
#include "base/log.h"
#include "berth/text.h"
#include "support/paths.h"

namespace berth::text::test {

using Ids = std::vector<std::int32_t>;
using Spans = std::vector<Span>;

// A folder that holds files a test wrote or copied.
class TokenizerFolder {
 public:
  TokenizerFolder& write(const std::string& name, std::string_view content);
  TokenizerFolder& copy(const fs::path& file);
  // vocab.txt of the cases: 156 tokens, [PAD] 0, [UNK] 1, [CLS] 2, [SEP] 3, [MASK] 4.
  TokenizerFolder& with_case_vocabulary() { return copy(berth::test::data("cases/vocab.txt")); }

  [[nodiscard]] const fs::path& path() const noexcept { return folder_.path(); }
  [[nodiscard]] Tokenizer load(const LoadOptions& options = {}) const {
    return Tokenizer::from_folder(path(), options);
  }

 private:
  TemporaryFolder folder_;
};

// The three settings of part A of the cases, over their vocabulary.
[[nodiscard]] Tokenizer uncased();
[[nodiscard]] Tokenizer cased();
[[nodiscard]] Tokenizer keep_accents();
[[nodiscard]] Tokenizer case_folder(const std::string& name, const LoadOptions& options = {});  // tests/data/cases/NAME

[[nodiscard]] Ids ids_of(const Tokenizer& tokenizer, std::string_view text);
// Without those of [CLS] and [SEP].
[[nodiscard]] Spans offsets_of(const Tokenizer& tokenizer, std::string_view text);

// What was logged as long as it lives.
class LogCapture {
 public:
  LogCapture();
  ~LogCapture();
  LogCapture(const LogCapture&) = delete;
  LogCapture& operator=(const LogCapture&) = delete;
  [[nodiscard]] const std::vector<std::string>& warnings() const noexcept { return warnings_; }

 private:
  std::vector<std::string> warnings_;
};

}  // namespace berth::text::test
