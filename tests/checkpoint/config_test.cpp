// config.json: what is read, what is filled in, and which field an error names.
#include "checkpoint/config.h"

#include <gmock/gmock.h>

#include "base/file.h"
#include "base/json.h"
#include "checkpoint/family.h"
#include "checkpoint/support.h"
#include "support/paths.h"

namespace berth::checkpoint {
namespace {

using test::expect_error;
using testing::ElementsAre;

// tiny-cls with one field changed; "null" text sets null, an empty text removes the field.
std::string tiny_with(const std::string& field, const std::string& json_text) {
  json::Value document = json::read_document(berth::test::data("cases/tiny-cls/config.json"));
  if (json_text.empty())
    document.erase(field);
  else
    document[field] = json::Value::parse(json_text);
  return document.dump();
}

EncoderConfig parse(const std::string& text) { return parse_config(text, "config.json"); }
EncoderConfig parse_tiny_with(const std::string& field, const std::string& json_text) {
  return parse(tiny_with(field, json_text));
}

TEST(Config, ReadsEveryFieldOfACheckpoint) {
  const auto path = berth::test::data("cases/tiny-cls/config.json");
  const EncoderConfig config = read_config(path);
  EXPECT_EQ(config.path, path.string());
  EXPECT_EQ(config.model_type, "bert");
  EXPECT_EQ(config.architecture, "BertForSequenceClassification");
  EXPECT_EQ(config.vocab_size, 156);
  EXPECT_EQ(config.hidden_size, 8);
  EXPECT_EQ(config.layers, 2);
  EXPECT_EQ(config.heads, 2);
  EXPECT_EQ(config.intermediate_size, 16);
  EXPECT_EQ(config.max_positions, 40);
  EXPECT_EQ(config.type_vocab_size, 2);
  EXPECT_EQ(config.pad_token_id, 0);
  EXPECT_EQ(config.layer_norm_eps, 1e-12);
  EXPECT_EQ(config.activation, "gelu");
  EXPECT_EQ(config.position_embedding_type, "absolute");
  EXPECT_EQ(config.problem_type, "");
  EXPECT_THAT(config.labels, ElementsAre("neg", "pos"));
}

TEST(Config, FillsInWhatTransformersFillsIn) {
  const EncoderConfig config = parse(R"({"model_type":"bert","num_hidden_layers":12,"num_attention_heads":12})");
  EXPECT_EQ(config.architecture, "");
  EXPECT_EQ(config.vocab_size, 30522);
  EXPECT_EQ(config.hidden_size, 768);
  EXPECT_EQ(config.intermediate_size, 3072);
  EXPECT_EQ(config.max_positions, 512);
  EXPECT_EQ(config.type_vocab_size, 2);
  EXPECT_EQ(config.pad_token_id, 0);
  EXPECT_EQ(config.layer_norm_eps, 1e-12);
  EXPECT_EQ(config.activation, "gelu");
  EXPECT_EQ(config.position_embedding_type, "absolute");
  EXPECT_THAT(config.labels, ElementsAre("LABEL_0", "LABEL_1"));
}

// Neither shows in the tensors' shapes: with a wrong guess the answers would be wrong and nothing would tell.
TEST(Config, DoesNotGuessTheNumbersOfLayersAndHeads) {
  for (const char* field : {"num_hidden_layers", "num_attention_heads"}) {
    expect_error([&] { (void)parse_tiny_with(field, ""); }, ErrorKind::invalid_input, {"config.json", field});
    expect_error([&] { (void)parse_tiny_with(field, "null"); }, ErrorKind::invalid_input, {"config.json", field});
  }
}

TEST(Config, KeepsValuesThatOnlyTheEncoderCanJudge) {
  EXPECT_EQ(parse_tiny_with("hidden_act", "\"snake\"").activation, "snake");
  EXPECT_EQ(parse_tiny_with("position_embedding_type", "\"relative_key\"").position_embedding_type, "relative_key");
  EXPECT_EQ(parse_tiny_with("layer_norm_eps", "1e-5").layer_norm_eps, 1e-5);
  EXPECT_EQ(parse_tiny_with("layer_norm_eps", "0").layer_norm_eps, 0);
  EXPECT_EQ(parse_tiny_with("type_vocab_size", "0").type_vocab_size, 0);
  EXPECT_EQ(parse_tiny_with("pad_token_id", "3").pad_token_id, 3);
  EXPECT_EQ(parse_tiny_with("pad_token_id", "null").pad_token_id, std::nullopt);
  EXPECT_EQ(parse_tiny_with("problem_type", "\"regression\"").problem_type, "regression");
  EXPECT_EQ(parse_tiny_with("problem_type", "null").problem_type, "");
}

TEST(Config, DerivesTheModelTypeFromTheArchitecture) {
  EXPECT_EQ(parse_tiny_with("model_type", "").model_type, "bert");
  json::Value base = json::Value::parse(tiny_with("architectures", R"(["BertModel"])"));
  base.erase("model_type");
  EXPECT_EQ(parse(base.dump()).model_type, "bert");
  for (const char* other : {"BertGenerationEncoder", "XLNetForTokenClassification", "Bert"}) {
    base["architectures"] = {other};
    expect_error([&] { (void)parse(base.dump()); }, ErrorKind::unsupported,
                 {"architectures", other, "model_type", "bert"});
  }
}

TEST(Config, NamesBothFieldsThatCouldTellTheModelType) {
  for (const char* text :
       {"{}", R"({"architectures":[]})", R"({"model_type":null,"architectures":null})", R"({"model_type":""})"}) {
    expect_error([&] { (void)parse(text); }, ErrorKind::invalid_input, {"config.json", "model_type", "architectures"});
  }
}

TEST(Config, ReadsUnknownModelTypesThatSpellTheirFieldsAsBertDoes) {
  const EncoderConfig config = parse_tiny_with("model_type", "\"squeezebert\"");
  EXPECT_EQ(config.model_type, "squeezebert");
  EXPECT_EQ(config.hidden_size, 8);
}

TEST(Config, NamesTheModelTypeWhenItsFieldsAreOthers) {
  expect_error([] { (void)parse(R"({"model_type":"gpt2","n_layer":12,"n_head":12})"); }, ErrorKind::unsupported,
               {"config.json: model_type", "\"gpt2\"", "num_hidden_layers", "known are bert"});
}

TEST(Config, RefusesOtherComputationsThanAnEncoders) {
  for (const char* field : {"is_decoder", "is_encoder_decoder", "add_cross_attention"}) {
    expect_error([&] { (void)parse_tiny_with(field, "true"); }, ErrorKind::unsupported, {field, "expected false"});
    EXPECT_EQ(parse_tiny_with(field, "false").hidden_size, 8);
  }
}

json::Value modernbert() {
  return json::Value::parse(R"({"model_type":"modernbert","architectures":["ModernBertModel"],"vocab_size":100,
    "hidden_size":8,"num_hidden_layers":4,"num_attention_heads":2,"pad_token_id":0})");
}

// Both spellings of the same: Transformers 4 counts layers and has a field a theta, Transformers 5 lists and nests
// them.
TEST(Config, ReadsModernBertsLayersAndThetasInBothSpellings) {
  json::Value older = modernbert();
  older.update({{"global_attn_every_n_layers", 2}, {"global_rope_theta", 90.0}, {"local_rope_theta", 7.0}});
  json::Value newer = modernbert();
  newer["layer_types"] = {"full_attention", "sliding_attention", "full_attention", "sliding_attention"};
  newer["rope_parameters"] = json::Value::parse(R"({"full_attention":{"rope_type":"default","rope_theta":90.0},
    "sliding_attention":{"rope_theta":7.0}})");
  for (const json::Value& config : {older, newer}) {
    const auto rotary = parse(config.dump()).rotary;
    EXPECT_EQ(rotary->local, (std::vector<bool>{false, true, false, true}));
    EXPECT_EQ(rotary->global_theta, 90);
    EXPECT_EQ(rotary->local_theta, 7);
  }
  EXPECT_EQ(parse(modernbert().dump()).rotary->local, (std::vector<bool>{false, true, true, false}));
}

TEST(Config, RefusesOtherSortsOfModernBertsLayers) {
  json::Value config = modernbert();
  config["layer_types"] = {"full_attention", "sliding_attention"};
  expect_error([&] { (void)parse(config.dump()); }, ErrorKind::invalid_input, {"layer_types", "2 entries", "4 layers"});
  config["layer_types"] = {"full_attention", "linear_attention", "full_attention", "full_attention"};
  expect_error([&] { (void)parse(config.dump()); }, ErrorKind::unsupported, {"layer_types", "linear_attention"});
  config = modernbert();
  config["rope_parameters"] = json::Value::parse(R"({"full_attention":{"rope_type":"yarn","rope_theta":90.0}})");
  expect_error([&] { (void)parse(config.dump()); }, ErrorKind::unsupported,
               {"rope_parameters: full_attention: rope_type", "yarn"});
}

TEST(Config, RefusesPrunedHeads) {
  expect_error([] { (void)parse_tiny_with("pruned_heads", R"({"1":[0]})"); }, ErrorKind::unsupported, {"pruned_heads"});
  EXPECT_EQ(parse_tiny_with("pruned_heads", "{}").hidden_size, 8);
}

TEST(Config, RefusesQuantizedWeights) {
  expect_error([] { (void)parse_tiny_with("quantization_config", R"({"quant_method":"bitsandbytes"})"); },
               ErrorKind::unsupported, {"quantization_config", "before"});
  EXPECT_EQ(parse_tiny_with("quantization_config", "null").hidden_size, 8);
}

TEST(Config, RefusesDeepNestingWithoutRecursion) {
  const std::string deep = std::string(1'000'000, '[') + std::string(1'000'000, ']');
  expect_error([&] { (void)parse("{\"hidden_size\":" + deep + "}"); }, ErrorKind::limit, {"config.json", "nested"});
}

TEST(Config, RefusesHeadsThatDoNotDivideTheWidth) {
  expect_error([] { (void)parse_tiny_with("num_attention_heads", "3"); }, ErrorKind::invalid_input,
               {"config.json: num_attention_heads", "hidden_size 8", "not divisible by 3"});
}

TEST(Config, RefusesSizesThatAreNone) {
  for (const char* field : {"vocab_size", "hidden_size", "num_hidden_layers", "num_attention_heads",
                            "intermediate_size", "max_position_embeddings"}) {
    for (const char* value : {"0", "-1", "4611686018427387904"}) {
      expect_error([&] { (void)parse_tiny_with(field, value); }, ErrorKind::invalid_input,
                   {field, value, "expected 1 to "});
    }
    for (const char* value : {"8.0", "\"8\"", "true", "[8]", "{}", "18446744073709551615"}) {
      SCOPED_TRACE(std::string(field) + " " + value);
      expect_error([&] { (void)parse_tiny_with(field, value); }, ErrorKind::invalid_input,
                   {field, "expected a whole number"});
    }
  }
  expect_error([] { (void)parse_tiny_with("type_vocab_size", "-1"); }, ErrorKind::invalid_input,
               {"type_vocab_size", "-1"});
  expect_error([] { (void)parse_tiny_with("num_hidden_layers", "1025"); }, ErrorKind::invalid_input, {"1 to 1024"});
}

TEST(Config, RefusesOtherValuesThatCannotBe) {
  expect_error([] { (void)parse_tiny_with("pad_token_id", "156"); }, ErrorKind::invalid_input,
               {"pad_token_id", "156", "0 to 155"});
  expect_error([] { (void)parse_tiny_with("pad_token_id", "-1"); }, ErrorKind::invalid_input, {"pad_token_id"});
  expect_error([] { (void)parse_tiny_with("layer_norm_eps", "-1e-5"); }, ErrorKind::invalid_input, {"layer_norm_eps"});
  expect_error([] { (void)parse_tiny_with("layer_norm_eps", "12"); }, ErrorKind::invalid_input,
               {"layer_norm_eps", "12"});
  expect_error([] { (void)parse_tiny_with("layer_norm_eps", "\"1e-12\""); }, ErrorKind::invalid_input,
               {"layer_norm_eps", "a number"});
  expect_error([] { (void)parse_tiny_with("hidden_act", "3"); }, ErrorKind::invalid_input, {"hidden_act", "a string"});
  expect_error([] { (void)parse_tiny_with("problem_type", "\"ranking\""); }, ErrorKind::invalid_input,
               {"problem_type", "ranking", "regression"});
  expect_error([] { (void)parse_tiny_with("architectures", "\"BertModel\""); }, ErrorKind::invalid_input,
               {"architectures", "a list"});
  expect_error([] { (void)parse_tiny_with("model_type", "7"); }, ErrorKind::invalid_input, {"model_type", "a string"});
}

TEST(Config, SaysWhatTheFileReallyIs) {
  expect_error([] { (void)parse(""); }, ErrorKind::invalid_input, {"config.json", "is empty"});
  expect_error([] { (void)parse("version https://git-lfs.github.com/spec/v1\n"); }, ErrorKind::invalid_input,
               {"Git LFS pointer"});
  expect_error([] { (void)parse("<html>"); }, ErrorKind::invalid_input, {"HTML page"});
  expect_error([] { (void)parse("{\"model_type\": }"); }, ErrorKind::invalid_input, {"not valid JSON", "line 1"});
  expect_error([] { (void)parse("[]"); }, ErrorKind::invalid_input, {"expected an object"});
}

TEST(Config, ToleratesAByteOrderMark) {
  EXPECT_EQ(parse("\xEF\xBB\xBF" + tiny_with("model_type", "\"bert\"")).layers, 2);
}

TEST(Config, RefusesAMissingFileAndAHugeOne) {
  const TemporaryFolder folder;
  expect_error([&] { (void)read_config(folder.path() / "config.json"); }, ErrorKind::not_found,
               {"config.json", "No such file"});
  test::write_text(folder.path() / "config.json", "{}");
  std::filesystem::resize_file(folder.path() / "config.json", kMaxConfigBytes + 1);
  expect_error([&] { (void)read_config(folder.path() / "config.json"); }, ErrorKind::limit, {"config.json", "at most"});
}

// A fallback lets a field be absent, a name lets it be read: a row with neither could give no value at all.
TEST(Families, EveryFieldHasANameOrAFallback) {
  for (const Family& row : families()) {
    EXPECT_FALSE(row.model_type.empty());
    EXPECT_FALSE(row.architecture_stem.empty());
    EXPECT_TRUE(row.base_prefix.ends_with('.'));
    const ConfigFields& fields = row.fields;
    for (const auto& field :
         {fields.vocab_size, fields.embedding_size, fields.hidden_size, fields.layers, fields.heads,
          fields.intermediate_size, fields.max_positions, fields.type_vocab_size, fields.pad_token_id}) {
      EXPECT_TRUE(field.fallback || !field.name.empty()) << row.model_type;
    }
    EXPECT_TRUE(fields.layer_norm_eps.fallback || !fields.layer_norm_eps.name.empty());
    for (const auto& field : {fields.activation, fields.head_activation, fields.position_embedding_type}) {
      EXPECT_TRUE(field.fallback || !field.name.empty()) << row.model_type;
    }
  }
}

}  // namespace
}  // namespace berth::checkpoint
