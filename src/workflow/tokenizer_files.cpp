// Finding a checkpoint's tokenizer and holding it against the embedding table.
#include "workflow/tokenizer_files.h"

#include <array>

#include "base/log.h"
#include "berth/error.h"

namespace berth::workflow {
namespace {

namespace fs = std::filesystem;

// What Transformers' tokenizers are saved as; copied whole when the tokenizer itself cannot be read yet.
constexpr std::array<std::string_view, 10> kTokenizerFiles{"tokenizer.json",
                                                          "tokenizer_config.json",
                                                          "special_tokens_map.json",
                                                          "added_tokens.json",
                                                          "vocab.txt",
                                                          "vocab.json",
                                                          "merges.txt",
                                                          "spiece.model",
                                                          "spm.model",
                                                          "sentencepiece.bpe.model"};

std::vector<fs::path> known_files(const fs::path& folder) {
  std::vector<fs::path> files;
  for (const std::string_view name : kTokenizerFiles) {
    if (fs::is_regular_file(folder / name)) files.push_back(folder / name);
  }
  return files;
}

void require_rows(const text::Tokenizer& tokenizer, const fs::path& folder, const checkpoint::EncoderConfig& config) {
  const auto size = static_cast<std::int64_t>(tokenizer.vocabulary_size());
  if (size <= config.vocab_size) return;
  const std::int64_t id = size - 1;
  throw Error(ErrorKind::mismatch, folder.string(),
              "the tokenizer gives the id " + std::to_string(id) + " (" +
                  tokenizer.token_of(static_cast<std::int32_t>(id)) + "), the embedding table has " +
                  std::to_string(config.vocab_size) + " rows",
              "resize the model's embeddings to the tokenizer (resize_token_embeddings) and train the new rows, or "
              "export with the tokenizer that the model was trained with: --tokenizer DIR");
}

}  // namespace

CheckpointTokenizer find_tokenizer(const fs::path& folder, const checkpoint::EncoderConfig& config) {
  CheckpointTokenizer found;
  try {
    found.tokenizer = text::Tokenizer::from_folder(folder, {});
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::unsupported) throw;
    log_warning(std::string(error.what()) + "; the files are copied, and verification uses seeded ids");
    found.files = known_files(folder);
    return found;
  }
  found.files = found.tokenizer->files();
  require_rows(*found.tokenizer, folder, config);
  return found;
}

}  // namespace berth::workflow
