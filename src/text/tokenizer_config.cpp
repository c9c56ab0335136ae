// The small files beside a tokenizer. The truth is `PreTrainedTokenizerBase._from_pretrained` and
// `BertTokenizerFast.__init__` of Transformers 4.57.6.
#include "text/tokenizer_config.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <iterator>

#include "base/json.h"
#include "berth/error.h"

namespace berth::text {
namespace {

namespace fs = std::filesystem;

// The fast classes that hold BertNormalizer's settings against their own arguments.
constexpr std::string_view kBertClasses[] = {"BertTokenizer",
                                             "ConvBertTokenizer",
                                             "DistilBertTokenizer",
                                             "DPRContextEncoderTokenizer",
                                             "DPRQuestionEncoderTokenizer",
                                             "DPRReaderTokenizer",
                                             "ElectraTokenizer",
                                             "FunnelTokenizer",
                                             "LayoutLMTokenizer",
                                             "LxmertTokenizer",
                                             "MobileBertTokenizer",
                                             "RetriBertTokenizer",
                                             "SqueezeBertTokenizer"};

// The `model_type`s of config.json for which Transformers takes one of them when no class is named.
constexpr std::string_view kBertModelTypes[] = {"bert",   "convbert", "distilbert", "electra",       "ernie",
                                                "funnel", "layoutlm", "lxmert",     "megatron-bert", "mobilebert",
                                                "nezha",  "qdqbert",  "retribert",  "squeezebert"};

template <typename List, typename Value>
bool contains(const List& list, const Value& value) {
  return std::find(std::begin(list), std::end(list), value) != std::end(list);
}

// A file's object, or an empty one.
class File {
 public:
  explicit File(const fs::path& path)
      : value_(fs::exists(path) ? json::read_document(path) : json::Value::object()), object_(value_, path.string()) {}
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  const json::Object* operator->() const noexcept { return &object_; }
  const json::Object& operator*() const noexcept { return object_; }

 private:
  json::Value value_;
  json::Object object_;
};

std::string without_fast(std::string name) {
  constexpr std::string_view kFast = "Fast";
  if (name.ends_with(kFast)) name.resize(name.size() - kFast.size());
  return name;
}

void read_class(const File& tokenizer_config, const File& model_config, TokenizerConfig& config) {
  auto name = tokenizer_config->get<std::string>("tokenizer_class");
  if (!name) name = model_config->get<std::string>("tokenizer_class");
  config.tokenizer_class = without_fast(name.value_or(""));
  config.is_bert_class = name ? contains(kBertClasses, config.tokenizer_class)
                              : contains(kBertModelTypes, model_config->get<std::string>("model_type", ""));
}

std::optional<std::size_t> read_model_max_length(const json::Object& file) {
  // Transformers writes 1e30 for "no limit".
  const auto length = file.get<double>("model_max_length");
  constexpr double kMaxSane = 1e9;
  if (!length || *length < 1 || *length > kMaxSane || *length != std::floor(*length)) return std::nullopt;
  return static_cast<std::size_t>(*length);
}

// A token as a string, or as an object with its flags.
AddedToken read_token(const json::Value& value, const std::string& where, bool special) {
  if (value.is_string()) return {.content = value.get<std::string>(), .normalized = !special, .special = special};
  const json::Object object(value, where);
  AddedToken token;
  token.content = object.require<std::string>("content");
  token.single_word = object.get("single_word", false);
  token.lstrip = object.get("lstrip", false);
  token.rstrip = object.get("rstrip", false);
  token.special = object.get("special", special) || special;
  token.normalized = object.get("normalized", !token.special);
  return token;
}

// The first of the files that names the token, or BERT's own name.
AddedToken read_special(std::string_view field, const char* usual, std::initializer_list<const json::Object*> files) {
  for (const json::Object* file : files) {
    if (const json::Value* const value = file->find(field)) return read_token(*value, file->where(field), true);
  }
  return {.content = usual, .special = true};
}

void read_additional(const json::Object& file, std::vector<AddedToken>& tokens) {
  const json::Value* const list = file.find("additional_special_tokens");
  if (list == nullptr || !list->is_array()) return;
  for (const json::Value& value : *list) {
    AddedToken token = read_token(value, file.where("additional_special_tokens"), true);
    if (!contains(tokens, token)) tokens.push_back(std::move(token));
  }
}

std::int32_t read_id(const std::string& text, const std::string& where) {
  std::int32_t id = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), id);
  if (error != std::errc() || end != text.data() + text.size() || id < 0) {
    throw Error(ErrorKind::invalid_input, where, "has the id \"" + text + "\", expected a whole number");
  }
  return id;
}

// "added_tokens_decoder": {"103": {"content": "[MASK]", …}}
std::vector<DeclaredToken> read_decoder(const json::Object& file) {
  const json::Object decoder(*file.find("added_tokens_decoder"), file.where("added_tokens_decoder"));
  std::vector<DeclaredToken> tokens;
  for (const auto& [id, value] : decoder.value().items()) {
    const std::int32_t number = read_id(id, decoder.where());
    tokens.push_back({read_token(value, decoder.where(id), false), number});
  }
  return tokens;
}

// added_tokens.json, as older versions wrote it: {"[NEW]": 30522}
std::vector<DeclaredToken> read_added_tokens(const json::Object& file, const TokenizerConfig& config) {
  std::vector<DeclaredToken> tokens;
  for (const auto& [content, value] : file.value().items()) {
    const auto names = [&content = content](const AddedToken& token) { return token.content == content; };
    const bool special = std::any_of(config.additional_special.begin(), config.additional_special.end(), names) ||
                         names(config.unk) || names(config.cls) || names(config.sep) || names(config.pad) ||
                         names(config.mask);
    const std::int32_t id = read_id(std::to_string(file.require<std::int64_t>(content)), file.where(content));
    AddedToken token{.content = content, .normalized = !special, .special = special};
    tokens.push_back({std::move(token), id});
  }
  return tokens;
}

}  // namespace

TokenizerConfig read_tokenizer_config(const fs::path& folder) {
  const File file(folder / "tokenizer_config.json");
  const File special_map(folder / "special_tokens_map.json");
  const File added_tokens(folder / "added_tokens.json");

  TokenizerConfig config;
  read_class(file, File(folder / "config.json"), config);
  config.do_lower_case = file->get<bool>("do_lower_case");
  config.strip_accents = file->get<bool>("strip_accents");
  config.tokenize_chinese_chars = file->get<bool>("tokenize_chinese_chars");
  config.model_max_length = read_model_max_length(*file);

  // Since added_tokens_decoder exists, the two other files only repeat what tokenizer_config.json says.
  const bool is_current = file->has("added_tokens_decoder");
  const json::Object* const first = is_current ? &*file : &*special_map;
  const json::Object* const then = is_current ? &*special_map : &*file;
  config.unk = read_special("unk_token", "[UNK]", {first, then});
  config.cls = read_special("cls_token", "[CLS]", {first, then});
  config.sep = read_special("sep_token", "[SEP]", {first, then});
  config.pad = read_special("pad_token", "[PAD]", {first, then});
  config.mask = read_special("mask_token", "[MASK]", {first, then});
  read_additional(*file, config.additional_special);
  if (!is_current) read_additional(*special_map, config.additional_special);
  config.added = is_current ? read_decoder(*file) : read_added_tokens(*added_tokens, config);
  std::stable_sort(config.added.begin(), config.added.end(),
                   [](const DeclaredToken& a, const DeclaredToken& b) { return a.id < b.id; });
  return config;
}

}  // namespace berth::text
