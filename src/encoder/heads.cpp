// The table of heads, and which head a checkpoint is to be exported with. Names of tasks are those of Transformers'
// pipelines, outputs those of Optimum's ONNX configs.
#include <algorithm>
#include <array>

#include "base/json.h"
#include "berth/encoder.h"
#include "berth/error.h"
#include "encoder/family.h"

namespace berth::encoder {
namespace {

const std::array<HeadRow, 5>& rows() {
  static const std::array<HeadRow, 5> table{{
      {Head::none, "feature-extraction", "Model", {"last_hidden_state", "pooler_output"}},
      {Head::sequence_classification, "text-classification", "ForSequenceClassification", {"logits"}},
      {Head::token_classification, "token-classification", "ForTokenClassification", {"logits"}},
      {Head::question_answering, "question-answering", "ForQuestionAnswering", {"start_logits", "end_logits"}},
      {Head::masked_lm, "fill-mask", "ForMaskedLM", {"logits"}},
  }};
  return table;
}

Head head_of_task(const std::string& task) {
  std::string known;
  for (const HeadRow& row : rows()) {
    if (row.task == task) return row.head;
    known.append(known.empty() ? "" : ", ").append(row.task);
  }
  throw Error(ErrorKind::usage, "task", "is \"" + task + "\", expected one of " + known);
}

// The stem counts where the family is known: "BertLMHeadModel" is no "BertModel". Elsewhere the suffix must do, and
// config_problems() has the word on the family.
bool is_architecture(std::string_view architecture, const Family* family, const HeadRow& row) {
  if (!architecture.ends_with(row.architecture_suffix)) return false;
  const std::string_view stem = architecture.substr(0, architecture.size() - row.architecture_suffix.size());
  return family == nullptr || stem == family->architecture_stem;
}

}  // namespace

std::span<const HeadRow> heads() { return rows(); }

const HeadRow& row_of(Head head) {
  const auto* const found =
      std::find_if(rows().begin(), rows().end(), [&](const HeadRow& row) { return row.head == head; });
  if (found == rows().end()) throw Error(ErrorKind::internal, "", "the table of heads lacks one");
  return *found;
}

Head choose_head(const checkpoint::EncoderConfig& config, const std::optional<std::string>& task) {
  if (task) return head_of_task(*task);
  const Family* const family = checkpoint::find_family(config.model_type);
  std::string known;
  for (const HeadRow& row : rows()) {
    if (is_architecture(config.architecture, family, row)) return row.head;
    known.append(known.empty() ? "" : ", ").append(family == nullptr ? "…" : family->architecture_stem);
    known.append(row.architecture_suffix);
  }
  const std::string found =
      config.architecture.empty() ? "names none" : "names " + json::describe(json::Value(config.architecture));
  throw Error(ErrorKind::unsupported, config.path + ": architectures", found + ", expected one of " + known,
              "name the task; feature-extraction works for every checkpoint of this family");
}

}  // namespace berth::encoder
