// From a checkpoint's folder to a tokenizer, by the rules of Transformers' AutoTokenizer.
#include <algorithm>
#include <memory>

#include "base/file.h"
#include "base/log.h"
#include "base/utf8.h"
#include "berth/error.h"
#include "text/stages.h"
#include "text/tokenizer_config.h"
#include "text/tokenizer_json.h"

namespace berth::text {
namespace {

constexpr std::uint64_t kMaxVocabularyFile = std::uint64_t{128} << 20;
constexpr std::size_t kMaxInputCharsPerWord = 100;
constexpr const char* kContinuingPrefix = "##";

struct Folder {
  fs::path path;
  TokenizerConfig config;
  LoadOptions options;

  [[nodiscard]] fs::path json() const { return path / "tokenizer.json"; }
  [[nodiscard]] fs::path vocabulary() const { return path / "vocab.txt"; }
  [[nodiscard]] fs::path config_file() const { return path / "tokenizer_config.json"; }
};

// What a BERT class of Transformers normalizes by, whatever tokenizer.json says.
BertNormalizer settings_of_class(const Folder& folder) {
  const TokenizerConfig& config = folder.config;
  return {.clean_text = true,
          .handle_chinese_chars = config.tokenize_chinese_chars.value_or(true),
          .strip_accents = config.strip_accents,
          .lowercase = folder.options.lowercase.value_or(config.do_lower_case.value_or(true))};
}

std::string name_of(std::optional<bool> setting) { return !setting ? "null" : *setting ? "true" : "false"; }

// The class wins over the file, with a warning that names both.
void apply_class(const Folder& folder, Normalizer& normalizer) {
  auto* const bert = std::get_if<BertNormalizer>(&normalizer);
  if (bert == nullptr || !folder.config.is_bert_class) return;
  const BertNormalizer wanted = settings_of_class(folder);
  std::string changes;
  const auto set = [&changes](const char* name, auto& setting, auto value) {
    if (setting == value) return;
    changes +=
        std::string(changes.empty() ? "" : ", ") + name + " " + name_of(value) + " instead of " + name_of(setting);
    setting = value;
  };
  set("lowercase", bert->lowercase, wanted.lowercase);
  set("strip_accents", bert->strip_accents, wanted.strip_accents);
  set("handle_chinese_chars", bert->handle_chinese_chars, wanted.handle_chinese_chars);
  if (changes.empty()) return;
  log_warning(folder.config_file().string() + " (or its default) overrides " + folder.json().string() + ": " + changes +
              ", as in Transformers");
}

void apply_options(const Folder& folder, Normalizer& normalizer) {
  if (!folder.options.lowercase) return;
  auto* const bert = std::get_if<BertNormalizer>(&normalizer);
  if (bert == nullptr) {
    throw Error(ErrorKind::unsupported, folder.json().string() + ": normalizer",
                "has no setting for lowercase that could be overridden");
  }
  bert->lowercase = *folder.options.lowercase;
}

// One token a line, whose number is the id; blank lines count. Lines end as in Python's text files.
Vocabulary read_vocabulary_file(const fs::path& path) {
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  const std::string file = read_file(path, kMaxVocabularyFile);
  std::string_view text = file;
  if (const auto invalid = utf8::find_invalid(text)) {
    throw Error(ErrorKind::invalid_input, path.string(), "is not UTF-8 at byte " + std::to_string(*invalid));
  }
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  Vocabulary::Entries entries;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find_first_of("\r\n"), text.size());
    entries.emplace_back(text.substr(0, end), static_cast<std::int64_t>(entries.size()));
    const std::size_t line_end = text.substr(end).starts_with("\r\n") ? 2 : 1;
    text.remove_prefix(std::min(end + line_end, text.size()));
  }
  return {std::move(entries), path.string()};
}

std::int32_t require_id(const Vocabulary& vocabulary, const std::string& token, const fs::path& file) {
  if (const auto id = vocabulary.id_of(token)) return *id;
  throw Error(ErrorKind::invalid_input, file.string(), "has no token \"" + token + "\", which every row needs",
              "use the vocabulary that the model was trained with");
}

void check_class(const Folder& folder) {
  const std::string& name = folder.config.tokenizer_class;
  if (name.empty() || folder.config.is_bert_class) return;
  throw Error(ErrorKind::unsupported, folder.config_file().string() + ": tokenizer_class",
              "is \"" + name + "\", which berth cannot read from vocab.txt, supported: BertTokenizer and its kin",
              "save the tokenizer with save_pretrained() as tokenizer.json");
}

Stages read_from_vocabulary(const Folder& folder) {
  check_class(folder);
  const fs::path file = folder.vocabulary();
  const TokenizerConfig& config = folder.config;
  if (!config.do_lower_case && !folder.options.lowercase) {
    log_warning(file.string() + ": no do_lower_case in " + folder.config_file().string() +
                ", so texts are lowercased, as in Transformers");
  }
  Vocabulary vocabulary = read_vocabulary_file(file);
  const std::int32_t cls = require_id(vocabulary, config.cls.content, file);
  const std::int32_t sep = require_id(vocabulary, config.sep.content, file);
  return {.added_tokens = {},
          .normalizer = settings_of_class(folder),
          .pre_tokenizer = BertPreTokenizer{},
          .model = make_word_piece(std::move(vocabulary), config.unk.content, kContinuingPrefix, kMaxInputCharsPerWord,
                                   file.string()),
          .post_processor = bert_rows(cls, sep)};
}

// tokenizer.json's tokens first, then those of the small files that it does not have. A special token that is in no
// vocabulary is left out, where Transformers would give it an id that no embedding has.
void add_tokens(const Folder& folder, const std::vector<DeclaredToken>& from_json, Stages& stages) {
  const TokenizerConfig& config = folder.config;
  const Vocabulary& vocabulary = vocabulary_of(stages.model);
  stages.added_tokens.add(from_json, vocabulary);
  stages.added_tokens.add(config.added, vocabulary);
  std::vector<DeclaredToken> special;
  for (const AddedToken& token : {config.unk, config.sep, config.pad, config.cls, config.mask}) {
    if (vocabulary.id_of(token.content)) special.push_back({token});
  }
  for (const AddedToken& token : config.additional_special) special.push_back({token});
  std::erase_if(special, [&](const DeclaredToken& declared) {
    return stages.added_tokens.id_of(declared.token.content).has_value();
  });
  stages.added_tokens.add(special, vocabulary);
}

void check_special_ids(const Folder& folder, const Stages& stages) {
  const std::size_t limit = std::max(vocabulary_of(stages.model).id_limit(), stages.added_tokens.id_limit());
  for (const bool is_pair : {false, true}) {
    for (const TemplateItem& item : template_of(stages.post_processor, is_pair)) {
      for (const std::int32_t id : item.special_ids) {
        if (static_cast<std::size_t>(id) < limit) continue;
        throw Error(ErrorKind::invalid_input, folder.json().string() + ": post_processor",
                    "adds id " + std::to_string(id) + ", expected less than the " + std::to_string(limit) +
                        " ids of the vocabulary");
      }
    }
  }
}

Stages read_stages(const Folder& folder) {
  if (!fs::exists(folder.json())) {
    Stages stages = read_from_vocabulary(folder);
    add_tokens(folder, {}, stages);
    stages.added_tokens.prepare(stages.normalizer);
    return stages;
  }
  TokenizerJson json = read_tokenizer_json(folder.json());
  Stages stages{.added_tokens = {},
                .normalizer = json.normalizer,
                .pre_tokenizer = json.pre_tokenizer,
                .model = std::move(json.model),
                .post_processor = std::move(json.post_processor)};
  apply_options(folder, stages.normalizer);
  add_tokens(folder, json.added_tokens, stages);
  // In this order, as in Transformers: the contents of added tokens keep the file's normalization.
  stages.added_tokens.prepare(stages.normalizer);
  apply_class(folder, stages.normalizer);
  check_special_ids(folder, stages);
  return stages;
}

std::vector<fs::path> files_of(const fs::path& folder) {
  std::vector<fs::path> files;
  for (const char* name :
       {"tokenizer.json", "tokenizer_config.json", "special_tokens_map.json", "vocab.txt", "added_tokens.json"}) {
    if (fs::exists(folder / name)) files.push_back(folder / name);
  }
  return files;
}

}  // namespace

Tokenizer Tokenizer::from_folder(const fs::path& path, const LoadOptions& options) {
  if (!fs::exists(path / "tokenizer.json") && !fs::exists(path / "vocab.txt")) {
    throw Error(ErrorKind::not_found, path.string(), "has neither tokenizer.json nor vocab.txt",
                "copy the tokenizer's files beside the model, or save them with tokenizer.save_pretrained()");
  }
  const Folder folder{path, read_tokenizer_config(path), options};
  Tokenizer tokenizer(std::make_unique<Stages>(read_stages(folder)));
  Stages& stages = *tokenizer.stages_;
  stages.pad_id = tokenizer.id_of(folder.config.pad.content);
  stages.mask_id = tokenizer.id_of(folder.config.mask.content);
  stages.model_max_length = folder.config.model_max_length;
  stages.files = files_of(path);
  return tokenizer;
}

}  // namespace berth::text
