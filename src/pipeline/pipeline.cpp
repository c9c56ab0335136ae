// Texts in, answers out: tokenize, run the ragged batch, let the task read each row.
#include "berth/pipeline.h"

#include <algorithm>
#include <cmath>

#include "base/log.h"
#include "berth/error.h"
#include "pipeline/task.h"

namespace berth::pipeline {
namespace {

std::string list_of(const std::vector<std::string_view>& names) {
  std::string list;
  for (const std::string_view name : names) list += (list.empty() ? "" : ", ") + std::string(name);
  return list;
}

std::unique_ptr<const Task> make_task(const bundle::Bundle& bundle, const Options& options) {
  for (const TaskRow& row : tasks()) {
    if (row.name == bundle.task) return row.make(bundle, options);
  }
  throw Error(ErrorKind::unsupported, bundle.folder.string(),
              "is a model for " + bundle.task + ", this version answers for " + list_of(task_names()));
}

// The shortest of the model's limit, the tokenizer's and the caller's.
std::optional<std::size_t> limit_of(const bundle::Bundle& bundle, const text::Tokenizer& tokenizer,
                                    const Options& options) {
  std::optional<std::size_t> limit;
  const auto tighten = [&](std::optional<std::size_t> other) {
    if (other) limit = limit ? std::min(*limit, *other) : *other;
  };
  if (bundle.max_tokens) tighten(static_cast<std::size_t>(*bundle.max_tokens));
  tighten(tokenizer.model_max_length());
  if (options.max_length && limit && *options.max_length > *limit) {
    log_warning("the limit of " + std::to_string(*options.max_length) + " tokens is above the model's " +
                std::to_string(*limit) + ", which holds");
  }
  tighten(options.max_length);
  return limit;
}

void require_finite(std::span<const float> logits, const bundle::Bundle& bundle) {
  if (std::all_of(logits.begin(), logits.end(), [](float value) { return std::isfinite(value); })) return;
  throw Error(ErrorKind::internal, bundle.model_file.string(), "gave a NaN or infinite value for this text",
              "its weights are probably damaged: berth verify names the tensor");
}

}  // namespace

Pipeline::Pipeline(bundle::Bundle bundle, const engine::Options& engine_options, const Options& options)
    : bundle_(std::move(bundle)),
      tokenizer_(text::Tokenizer::from_folder(bundle_.tokenizer_folder, {})),
      engine_(bundle_.model_file, engine_options),
      task_(make_task(bundle_, options)) {
  encode_options_.max_length = limit_of(bundle_, tokenizer_, options);
}

Pipeline::~Pipeline() = default;
Pipeline::Pipeline(Pipeline&&) noexcept = default;
Pipeline& Pipeline::operator=(Pipeline&&) noexcept = default;

std::vector<Answer> Pipeline::run(std::span<const Input> inputs, engine::RunStatistics* statistics) const {
  std::vector<text::Encoding> encodings;
  encodings.reserve(inputs.size());
  engine::Batch batch;
  for (const Input& input : inputs) {
    encodings.push_back(task_->encode(tokenizer_, input, encode_options_));
    batch.add(encodings.back().ids, encodings.back().type_ids);
  }
  if (inputs.empty()) return {};

  const std::vector<std::string> wanted{"logits"};
  const engine::Output logits = std::move(engine_.run(batch, wanted, statistics).front());
  if (logits.per_token != task_->per_token() || logits.width != static_cast<std::int64_t>(bundle_.labels.size())) {
    throw Error(ErrorKind::mismatch, bundle_.model_file.string(),
                "gives logits " + std::string(logits.per_token ? "per token" : "per text") + " for " +
                    std::to_string(logits.width) + " labels; " + bundle_.task + " with the config's " +
                    std::to_string(bundle_.labels.size()) + " labels was expected",
                "check --task, and id2label in config.json");
  }

  std::vector<Answer> answers;
  answers.reserve(inputs.size());
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const std::span<const float> values = logits.of(i, batch.offsets);
    require_finite(values, bundle_);
    answers.push_back(task_->answer({inputs[i], encodings[i], tokenizer_, values}));
  }
  return answers;
}

}  // namespace berth::pipeline
