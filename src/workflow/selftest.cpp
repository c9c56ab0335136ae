// Recording and running the self-test.
#include "workflow/selftest.h"

#include <algorithm>
#include <utility>

#include "base/progress.h"
#include "berth/error.h"
#include "berth/text.h"
#include "workflow/compare.h"

namespace berth::workflow {
namespace {

// Single texts only: their segments are all zero.
engine::Batch batch_of(const std::vector<std::int32_t>& ids) {
  engine::Batch batch;
  batch.add(ids);
  return batch;
}

// A tokenizer that gives other ids than at publication is a fault of its own: the outputs could not be the same.
void check_tokens(const text::Tokenizer& tokenizer, const bundle::SelftestRow& row, std::size_t number,
                  Comparison& comparison) {
  if (row.offsets.empty()) return;
  text::EncodeOptions options;
  options.max_length = row.ids.size();  // as it was cut then
  const text::Encoding encoding = tokenizer.encode(row.text, options);
  if (encoding.ids != row.ids) {
    comparison.faults.push_back("the tokenizer gives other ids than at publication for text " + std::to_string(number));
  } else if (encoding.offsets != row.offsets) {
    comparison.faults.push_back("the tokenizer gives other offsets than at publication for text " +
                                std::to_string(number));
  }
}

void compare_outputs(const engine::Engine& engine, const bundle::SelftestRow& row, std::size_t number,
                     Comparison& comparison, std::vector<std::size_t>& counts) {
  const engine::Batch batch = batch_of(row.ids);
  const std::vector<engine::Output> outputs = engine.run(batch);
  for (const bundle::SelftestOutput& recorded : row.outputs) {
    const auto found = std::find_if(outputs.begin(), outputs.end(),
                                    [&](const engine::Output& output) { return output.name == recorded.name; });
    if (found == outputs.end() || std::cmp_not_equal(found->values.size(), recorded.count)) {
      comparison.faults.push_back("the model has no output " + recorded.name + " of the size it had at publication");
      continue;
    }
    auto total = std::find_if(comparison.outputs.begin(), comparison.outputs.end(),
                              [&](const OutputComparison& output) { return output.name == recorded.name; });
    if (total == comparison.outputs.end()) {
      total = comparison.outputs.insert(comparison.outputs.end(), {recorded.name, 0, 0, 0, 0});
      counts.push_back(0);
    }
    std::size_t& count = counts[static_cast<std::size_t>(total - comparison.outputs.begin())];
    const auto stride = static_cast<std::size_t>(recorded.stride);
    for (std::size_t i = 0; i < recorded.values.size(); ++i) {
      const double difference = distance(found->values[i * stride], recorded.values[i]);
      total->mean += (difference - total->mean) / static_cast<double>(++count);
      if (difference > total->max) {
        total->max = difference;
        total->text = number;
        total->index = i * stride;
      }
    }
  }
}

}  // namespace

std::vector<bundle::SelftestRow> record_selftest(const engine::Engine& engine, std::span<const TextRow> rows,
                                                 double tolerance) {
  std::vector<bundle::SelftestRow> recorded;
  for (const TextRow& row : rows) {
    const engine::Batch batch = batch_of(row.encoding.ids);
    bundle::SelftestRow entry{row.text, row.encoding.ids, row.encoding.offsets, {}, tolerance};
    for (const engine::Output& output : engine.run(batch)) {
      entry.outputs.push_back(bundle::sample_output(output, 0, batch.offsets));
    }
    recorded.push_back(std::move(entry));
  }
  return recorded;
}

Comparison run_selftest(const bundle::Bundle& bundle, const engine::Options& engine_options, Progress& progress) {
  Comparison comparison;
  comparison.subject = bundle::kSelftestFile;
  comparison.faults = bundle::changed_files(bundle);
  const std::vector<bundle::SelftestRow> rows = bundle::read_selftest(bundle.folder / bundle::kSelftestFile);
  const bool tokenized = std::any_of(rows.begin(), rows.end(), [](const auto& row) { return !row.offsets.empty(); });
  const auto tokenizer =
      tokenized ? std::optional(text::Tokenizer::from_folder(bundle.tokenizer_folder, {})) : std::nullopt;
  const engine::Engine engine(bundle.model_file, engine_options);
  std::vector<std::size_t> counts;
  progress.begin("verify", rows.size(), "texts");
  for (std::size_t i = 0; i < rows.size(); ++i) {
    progress.throw_if_cancelled();
    if (tokenizer) check_tokens(*tokenizer, rows[i], i, comparison);
    compare_outputs(engine, rows[i], i, comparison, counts);
    comparison.tokens += rows[i].ids.size();
    comparison.tolerance = rows[i].tolerance;
    progress.advance(1);
  }
  progress.end();
  comparison.texts = rows.size();
  return comparison;
}

}  // namespace berth::workflow
