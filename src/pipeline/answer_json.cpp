// Answers as JSON: the one place that turns them into it.
#include "pipeline/answer_json.h"

namespace berth::pipeline {
namespace {

using json::Value;

Value to_value(const Classification& result) {
  Value list = Value::array();
  for (const LabelScore& row : result) list.push_back({{"label", row.label}, {"score", row.score}});
  return list;
}

Value to_value(const TokenClassification& result) {
  Value list = Value::array();
  for (const TokenLabel& token : result) {
    Value object = {{"entity", token.entity},    {"score", token.score},  {"index", token.index}, {"word", token.word},
                    {"start", token.span.start}, {"end", token.span.end}, {"text", token.text}};
    if (token.word_index) object["word_index"] = *token.word_index;
    list.push_back(std::move(object));
  }
  return list;
}

}  // namespace

Value to_value(const Answer& answer) {
  Value object = {{"answer", std::visit([](const auto& result) { return to_value(result); }, answer.result)},
                  {"truncated", answer.truncated}};
  if (answer.truncated) object["read_chars"] = answer.read_chars;
  return object;
}

std::string to_json(const Answer& answer) {
  return to_value(answer).dump(-1, ' ', false, Value::error_handler_t::replace);
}

}  // namespace berth::pipeline
