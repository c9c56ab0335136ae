// Each stage by its `type`, through one table a stage. Field names and which of them must be there are those of
// `tokenizers` 0.22.2.
#include "text/tokenizer_json.h"

#include <algorithm>
#include <limits>

#include "berth/error.h"
#include "text/json_reader.h"

namespace berth::text {
namespace {

constexpr std::uint64_t kMaxFileSize = std::uint64_t{128} << 20;
constexpr std::int64_t kMaxInt32 = std::numeric_limits<std::int32_t>::max();
// Real files say 100. The time for a word grows with its square in the worst case.
constexpr std::int64_t kMaxInputChars = 10'000;
constexpr std::size_t kMaxTemplateItems = 64;

template <typename Stage>
struct Row {
  std::string_view type;
  Stage (*read)(const JsonValue&);
};

template <typename Stage>
Stage read_stage(const JsonValue& value, std::string_view type, std::span<const Row<Stage>> table) {
  std::string supported;
  for (const Row<Stage>& row : table) {
    if (row.type == type) return row.read(value);
    supported += (supported.empty() ? "" : ", ") + std::string(row.type);
  }
  const auto said = value.find("type");
  (said ? *said : value).fail(ErrorKind::unsupported, "is \"" + std::string(type) + "\", supported: " + supported);
}

template <typename Stage>
Stage read_stage(const std::optional<JsonValue>& value, Stage when_absent, std::span<const Row<Stage>> table) {
  return value ? read_stage<Stage>(*value, value->require("type").string(), table) : std::move(when_absent);
}

// Normalizers and pre-tokenizers.

Normalizer read_bert_normalizer(const JsonValue& value) {
  BertNormalizer normalizer;
  normalizer.clean_text = value.require("clean_text").boolean();
  normalizer.handle_chinese_chars = value.require("handle_chinese_chars").boolean();
  if (const auto strip_accents = value.find("strip_accents")) normalizer.strip_accents = strip_accents->boolean();
  normalizer.lowercase = value.require("lowercase").boolean();
  return normalizer;
}

constexpr Row<Normalizer> kNormalizers[] = {{"BertNormalizer", read_bert_normalizer}};

constexpr Row<PreTokenizer> kPreTokenizers[] = {
    {"BertPreTokenizer", [](const JsonValue&) -> PreTokenizer { return BertPreTokenizer{}; }}};

// Models.

Vocabulary read_vocabulary(const JsonValue& value) {
  Vocabulary::Entries entries;
  for (const auto [token, id] : value.object()) {
    std::int64_t number = 0;
    if (id.get(number) != simdjson::SUCCESS) {
      value.fail(ErrorKind::invalid_input, "the id of \"" + std::string(token) + "\" is not a whole number");
    }
    entries.emplace_back(token, number);
  }
  return {std::move(entries), value.where()};
}

Model read_word_piece(const JsonValue& value) {
  const auto max_chars = static_cast<std::size_t>(value.require("max_input_chars_per_word").integer(0, kMaxInputChars));
  return make_word_piece(read_vocabulary(value.require("vocab")), value.require("unk_token").string(),
                         value.require("continuing_subword_prefix").string(), max_chars, value.where());
}

constexpr Row<Model> kModels[] = {{"WordPiece", read_word_piece}};

Model read_model(const JsonValue& value) {
  // Files of 2020 do not name the model; only WordPiece has a limit on the length of words.
  const auto type = value.find("type");
  const bool is_old_word_piece = !type && value.find("max_input_chars_per_word");
  return read_stage<Model>(value, is_old_word_piece ? "WordPiece" : value.require("type").string(), kModels);
}

// Post-processors.

std::int32_t read_int32(const JsonValue& value) { return static_cast<std::int32_t>(value.integer(0, kMaxInt32)); }

TemplateItem read_template_item(const JsonValue& item, const JsonValue& special_tokens) {
  if (const auto sequence = item.find("Sequence")) {
    const JsonValue id = sequence->require("id");
    const std::string name = id.string();
    if (name != "A" && name != "B") id.fail(ErrorKind::invalid_input, "is \"" + name + "\", expected \"A\" or \"B\"");
    return {name == "A" ? 0 : 1, {}, read_int32(sequence->require("type_id"))};
  }
  const JsonValue special = item.require("SpecialToken");
  TemplateItem result{kNone, {}, read_int32(special.require("type_id"))};
  for (const JsonValue& id : special_tokens.require(special.require("id").string()).require("ids").items()) {
    result.special_ids.push_back(read_int32(id));
  }
  return result;
}

// `texts` says which texts a row of this kind has; each may stand in it once.
Template read_template(const JsonValue& value, const JsonValue& special_tokens, std::int32_t texts) {
  Template row;
  const std::vector<JsonValue> items = value.items();
  if (items.size() > kMaxTemplateItems) {
    value.fail(ErrorKind::limit,
               "has " + std::to_string(items.size()) + " items, expected at most " + std::to_string(kMaxTemplateItems));
  }
  for (const JsonValue& item : items) {
    row.push_back(read_template_item(item, special_tokens));
    const std::int32_t sequence = row.back().sequence;
    const auto same = [sequence](const TemplateItem& other) { return other.sequence == sequence; };
    if (sequence == kNone) continue;
    if (sequence >= texts) item.fail(ErrorKind::invalid_input, "names a text that such a row does not have");
    if (std::count_if(row.begin(), row.end(), same) > 1) {
      item.fail(ErrorKind::unsupported, "repeats a text, supported: each text once");
    }
  }
  return row;
}

PostProcessor read_template_processing(const JsonValue& value) {
  const JsonValue special_tokens = value.require("special_tokens");
  return TemplateProcessing{read_template(value.require("single"), special_tokens, 1),
                            read_template(value.require("pair"), special_tokens, 2)};
}

// A special token as ["[SEP]", 102].
TemplateItem read_named_token(const JsonValue& value) {
  const std::vector<JsonValue> items = value.items();
  if (items.size() != 2) value.fail(ErrorKind::invalid_input, "is not a token and its id");
  return {kNone, {read_int32(items[1])}, 0};
}

PostProcessor read_bert_processing(const JsonValue& value) {
  const TemplateItem cls = read_named_token(value.require("cls"));
  const TemplateItem sep = read_named_token(value.require("sep"));
  return bert_rows(cls.special_ids[0], sep.special_ids[0]);
}

constexpr Row<PostProcessor> kPostProcessors[] = {{"BertProcessing", read_bert_processing},
                                                  {"TemplateProcessing", read_template_processing}};

// The document.

std::vector<DeclaredToken> read_added_tokens(const std::optional<JsonValue>& value) {
  std::vector<DeclaredToken> tokens;
  if (!value) return tokens;
  for (const JsonValue& item : value->items()) {
    const auto flag = [&item](std::string_view name) { return item.require(name).boolean(); };
    tokens.push_back({{item.require("content").string(), flag("single_word"), flag("lstrip"), flag("rstrip"),
                       flag("normalized"), flag("special")},
                      read_int32(item.require("id"))});
  }
  return tokens;
}

}  // namespace

TokenizerJson read_tokenizer_json(const std::filesystem::path& path) {
  const JsonDocument document(path, kMaxFileSize);
  const JsonValue root = document.root();
  if (const auto version = root.find("version"); version && version->string() != "1.0") {
    version->fail(ErrorKind::unsupported, "is \"" + version->string() + "\", supported: 1.0");
  }
  // The model first: of all stages, its kind says best what a file is.
  Model model = read_model(root.require("model"));
  return {read_added_tokens(root.find("added_tokens")),
          read_stage<Normalizer>(root.find("normalizer"), {}, kNormalizers),
          read_stage<PreTokenizer>(root.find("pre_tokenizer"), {}, kPreTokenizers), std::move(model),
          read_stage<PostProcessor>(root.find("post_processor"), texts_only(), kPostProcessors)};
}

}  // namespace berth::text
