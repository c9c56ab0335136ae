// Differences of outputs, in double precision.
#include "workflow/compare.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

#include "base/file.h"
#include "base/progress.h"
#include "berth/error.h"
#include "berth/graph.h"

namespace berth::workflow {
namespace {

constexpr std::string_view kHiddenStates = "hidden_states.";

// N of "hidden_states.N".
std::optional<std::int64_t> layer_of(std::string_view name) {
  if (!name.starts_with(kHiddenStates)) return std::nullopt;
  name.remove_prefix(kHiddenStates.size());
  std::int64_t layer = 0;
  const auto [rest, failure] = std::from_chars(name.data(), name.data() + name.size(), layer);
  if (failure != std::errc{} || rest != name.data() + name.size()) return std::nullopt;
  return layer;
}

// Differences of one output over all texts.
struct Tally {
  OutputComparison result;
  double sum = 0;
  std::size_t count = 0;

  void add(std::size_t text, std::span<const float> found, const std::vector<double>& expected) {
    if (found.size() != expected.size()) {
      throw Error(ErrorKind::mismatch, result.name,
                  "has " + std::to_string(found.size()) + " values for text " + std::to_string(text) + ", expected " +
                      std::to_string(expected.size()));
    }
    for (std::size_t i = 0; i < found.size(); ++i) {
      const double difference = distance(found[i], expected[i]);
      sum += difference;
      if (difference > result.max) {
        result.max = difference;
        result.text = text;
        result.index = i;
      }
    }
    count += found.size();
    result.mean = count == 0 ? 0 : sum / static_cast<double>(count);
  }
};

// How often the best label is the same; rows of `width` logits.
struct Agreement {
  std::size_t same = 0;
  std::size_t rows = 0;

  void add(std::span<const float> found, const std::vector<double>& expected, std::size_t width) {
    for (std::size_t start = 0; start + width <= found.size(); start += width) {
      const auto row = found.subspan(start, width);
      const auto other = std::span(expected).subspan(start, width);
      same += std::max_element(row.begin(), row.end()) - row.begin() ==
              std::max_element(other.begin(), other.end()) - other.begin();
      ++rows;
    }
  }
};

engine::Batch batch_of(std::span<const TextRow> rows) {
  engine::Batch batch;
  for (const TextRow& row : rows) batch.add(row.encoding.ids, row.encoding.type_ids);
  return batch;
}

double largest_distance(std::span<const float> a, std::span<const float> b) {
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) largest = std::max(largest, distance(a[i], b[i]));
  return largest;
}

// The texts, one at a time, as the model answers them: what batches are held against.
using Singles = std::vector<std::vector<engine::Output>>;

// Every text twice: texts of one length are what the engine certainly computes together.
double batched_difference(const engine::Engine& engine, std::span<const TextRow> rows, const Singles& singles) {
  std::vector<TextRow> twice(rows.begin(), rows.end());
  twice.insert(twice.end(), rows.begin(), rows.end());
  const engine::Batch batch = batch_of(twice);
  const std::vector<engine::Output> together = engine.run(batch);
  double largest = 0;
  for (std::size_t i = 0; i < twice.size(); ++i) {
    for (std::size_t o = 0; o < together.size(); ++o) {
      const std::vector<float>& single = singles[i % rows.size()][o].values;
      largest = std::max(largest, largest_distance(together[o].of(i, batch.offsets), single));
    }
  }
  return largest;
}

bool takes_any_shape_in_int64(const engine::Engine& engine) {
  return std::all_of(engine.inputs().begin(), engine.inputs().end(), [](const graph::Value& input) {
    return input.type == graph::ElementType::i64 && input.shape && input.shape->size() == 2 &&
           std::all_of(input.shape->begin(), input.shape->end(), [](const graph::Dimension& dimension) {
             return std::holds_alternative<std::string>(dimension);
           });
  });
}

// The second door, with columns of padding that no text needs: a graph that reads them shows it here.
double padded_difference(const engine::Engine& engine, std::span<const TextRow> rows, const Singles& singles,
                         std::size_t max_tokens) {
  constexpr std::size_t kExtraColumns = 7;
  std::size_t columns = 0;
  for (const TextRow& row : rows) columns = std::max(columns, row.encoding.ids.size());
  columns = std::min(columns + kExtraColumns, max_tokens);
  std::map<std::string, std::vector<std::int64_t>, std::less<>> values;
  for (const graph::Value& input : engine.inputs()) values[input.name].assign(rows.size() * columns, 0);
  const auto put = [&](std::string_view input, std::size_t at, std::int64_t value) {
    if (const auto found = values.find(input); found != values.end()) found->second[at] = value;
  };
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const text::Encoding& encoding = rows[i].encoding;
    for (std::size_t t = 0; t < encoding.ids.size(); ++t) {
      put("input_ids", i * columns + t, encoding.ids[t]);
      put("attention_mask", i * columns + t, 1);
      if (!encoding.type_ids.empty()) put("token_type_ids", i * columns + t, encoding.type_ids[t]);
    }
  }
  std::vector<engine::DenseTensor> inputs;
  const Shape shape{static_cast<std::int64_t>(rows.size()), static_cast<std::int64_t>(columns)};
  for (const auto& [name, flat] : values) inputs.push_back(engine::dense(name, shape, flat));

  std::vector<std::string> names;
  for (const engine::Output& output : singles.front()) names.push_back(output.name);
  const std::vector<engine::DenseTensor> padded = engine.run(inputs, names);
  double largest = 0;
  for (std::size_t o = 0; o < padded.size(); ++o) {
    std::vector<float> flat(static_cast<std::size_t>(element_count(padded[o].shape)));
    widen({padded[o].dtype, padded[o].shape, padded[o].data}, 0, element_count(padded[o].shape), flat.data());
    const std::size_t row_size = flat.size() / rows.size();
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const std::vector<float>& single = singles[i][o].values;
      const std::span<const float> row = std::span(flat).subspan(i * row_size, row_size);
      largest = std::max(largest, largest_distance(row.first(std::min(row.size(), single.size())), single));
    }
  }
  return largest;
}

}  // namespace

double distance(double a, double b) {
  const double difference = std::fabs(a - b);
  if (a == b) return 0;  // equal infinities too
  return std::isnan(difference) ? std::numeric_limits<double>::infinity() : difference;
}

Expected expect_reference(const encoder::Reference& reference) {
  return [&reference](const TextRow& row) {
    encoder::ReferenceInput input;
    input.ids.assign(row.encoding.ids.begin(), row.encoding.ids.end());
    input.type_ids.assign(row.encoding.type_ids.begin(), row.encoding.type_ids.end());
    input.type_ids.resize(input.ids.size(), 0);
    input.mask.assign(input.ids.size(), 1);
    encoder::ReferenceResult result = reference.run(input);
    Values values;
    for (auto& [name, tensor] : result.outputs) values[name] = std::move(tensor.values);
    for (std::size_t layer = 0; layer < result.hidden_states.size(); ++layer) {
      values[std::string(kHiddenStates) + std::to_string(layer)] = std::move(result.hidden_states[layer].values);
    }
    return values;
  };
}

Expected expect_model(const engine::Engine& model) {
  return [&model](const TextRow& row) {
    Values values;
    for (const engine::Output& output : model.run(batch_of({&row, 1}))) {
      values[output.name].assign(output.values.begin(), output.values.end());
    }
    return values;
  };
}

Comparison compare(const engine::Engine& engine, std::span<const TextRow> rows, const Expected& expected,
                   const Limits& limits, Progress& progress) {
  Comparison comparison;
  comparison.tolerance = limits.tolerance;
  comparison.texts = rows.size();
  std::vector<Tally> tallies;
  Agreement agreement;
  Singles singles;
  progress.begin("verify", rows.size(), "texts");
  for (std::size_t i = 0; i < rows.size(); ++i) {
    progress.throw_if_cancelled();
    comparison.tokens += rows[i].encoding.ids.size();
    singles.push_back(engine.run(batch_of(rows.subspan(i, 1))));
    const Values values = expected(rows[i]);
    for (const engine::Output& output : singles.back()) {
      const auto wanted = values.find(output.name);
      if (wanted == values.end()) continue;
      auto tally =
          std::find_if(tallies.begin(), tallies.end(), [&](const Tally& t) { return t.result.name == output.name; });
      if (tally == tallies.end()) tally = tallies.insert(tallies.end(), Tally{{output.name, 0, 0, 0, 0}, 0, 0});
      tally->add(i, output.values, wanted->second);
      if (output.name == "logits") agreement.add(output.values, wanted->second, static_cast<std::size_t>(output.width));
    }
    progress.advance(1);
  }
  progress.end();
  for (const Tally& tally : tallies) comparison.outputs.push_back(tally.result);
  if (comparison.outputs.empty()) comparison.faults.emplace_back("the two have no output in common");
  if (agreement.rows != 0) {
    comparison.label_agreement = static_cast<double>(agreement.same) / static_cast<double>(agreement.rows);
  }
  comparison.batch_max = batched_difference(engine, rows, singles);
  if (takes_any_shape_in_int64(engine))
    comparison.padded_max = padded_difference(engine, rows, singles, limits.max_tokens);
  return comparison;
}

std::optional<Drift> find_drift(const std::filesystem::path& model_file, const Expected& expected,
                                std::span<const TextRow> rows, const Limits& limits,
                                const engine::Options& engine_options, Progress& progress) {
  graph::Model model = graph::read(model_file);
  std::vector<graph::Value> hidden;
  for (const graph::Node& node : model.graph.nodes) {
    for (const std::string& output : node.outputs) {
      if (layer_of(output)) hidden.push_back({output, graph::ElementType::f32, std::nullopt});
    }
  }
  if (hidden.empty()) return std::nullopt;
  model.graph.outputs = std::move(hidden);
  const TemporaryFolder folder;
  graph::write(model, folder.path() / "model.onnx", {.external_data = true});  // no limit of 2 GiB
  const engine::Engine engine(folder.path() / "model.onnx", engine_options);
  const Comparison layers = compare(engine, rows, expected, limits, progress);
  std::optional<Drift> first;
  for (const OutputComparison& output : layers.outputs) {
    const std::int64_t layer = *layer_of(output.name);
    if (!(output.max <= limits.tolerance) && (!first || layer < first->layer)) first = Drift{layer, output.max};
  }
  return first;
}

}  // namespace berth::workflow
