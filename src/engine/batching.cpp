// Micro-batches: sort by length, cut at the least cost, fill padded rows.
#include "engine/batching.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <string>

#include "berth/error.h"

namespace berth::engine {
namespace {

std::size_t length_of(std::span<const std::int64_t> offsets, std::size_t sequence) {
  return static_cast<std::size_t>(offsets[sequence + 1] - offsets[sequence]);
}

[[noreturn]] void refuse(const std::string& message) { throw Error(ErrorKind::invalid_input, "batch", message); }

// The ends of the cheapest cuts of sorted `lengths` (falling): cost of a piece = its first length × its sequences +
// kRunCost.
std::vector<std::size_t> cheapest_ends(const std::vector<std::size_t>& lengths, std::size_t tokens) {
  const std::size_t count = lengths.size();
  std::vector<std::size_t> cost(count + 1, 0);  // of all sequences from i on
  std::vector<std::size_t> end(count, 0);
  for (std::size_t i = count; i-- > 0;) {
    cost[i] = std::numeric_limits<std::size_t>::max();
    const std::size_t room = std::max<std::size_t>(1, tokens / lengths[i]);
    for (std::size_t j = i + 1; j <= std::min(count, i + room); ++j) {
      const std::size_t candidate = lengths[i] * (j - i) + kRunCost + cost[j];
      if (candidate < cost[i]) {
        cost[i] = candidate;
        end[i] = j;
      }
    }
  }
  return end;
}

template <typename T>
void fill_row(Field field, const Batch& batch, std::size_t begin, std::size_t length, T* row) {
  for (std::size_t i = 0; i < length; ++i) {
    switch (field) {
      case Field::ids: row[i] = batch.ids[begin + i]; break;
      case Field::mask: row[i] = 1; break;
      case Field::type_ids: row[i] = batch.type_ids.empty() ? 0 : batch.type_ids[begin + i]; break;
      case Field::position_ids: row[i] = static_cast<T>(i); break;
    }
  }
}

}  // namespace

void check(const Batch& batch, const FixedShape& fixed) {
  const auto tokens = static_cast<std::int64_t>(batch.ids.size());
  if (batch.offsets.empty() || batch.offsets.front() != 0 || batch.offsets.back() != tokens) {
    refuse("has offsets that do not run from 0 to the number of ids, " + std::to_string(tokens));
  }
  if (!batch.type_ids.empty() && batch.type_ids.size() != batch.ids.size()) {
    refuse("has " + std::to_string(batch.type_ids.size()) + " type ids, expected none or one for each of " +
           std::to_string(tokens) + " ids");
  }
  for (std::size_t i = 0; i < batch.size(); ++i) {
    const std::string name = "sequence " + std::to_string(i);
    if (batch.offsets[i + 1] <= batch.offsets[i]) refuse(name + " has no tokens, expected at least one");
    if (fixed.sequence != 0 && length_of(batch.offsets, i) > fixed.sequence) {
      throw Error(ErrorKind::limit, "batch",
                  name + " has " + std::to_string(length_of(batch.offsets, i)) +
                      " tokens, and the graph has the fixed length " + std::to_string(fixed.sequence),
                  "cut the text (--max-length), or export with a larger --fixed-shape");
    }
  }
  const auto negative = std::find_if(batch.ids.begin(), batch.ids.end(), [](std::int32_t id) { return id < 0; });
  if (negative != batch.ids.end()) refuse("has the negative id " + std::to_string(*negative));
}

Plan plan_micro_batches(std::span<const std::int64_t> offsets, std::size_t tokens, const FixedShape& fixed) {
  Plan plan;
  plan.order.resize(offsets.size() - 1);
  std::iota(plan.order.begin(), plan.order.end(), std::size_t{0});
  std::stable_sort(plan.order.begin(), plan.order.end(),
                   [&](std::size_t a, std::size_t b) { return length_of(offsets, a) > length_of(offsets, b); });

  std::vector<std::size_t> lengths(plan.order.size(), fixed.sequence);
  if (fixed.sequence == 0) {
    std::transform(plan.order.begin(), plan.order.end(), lengths.begin(),
                   [&](std::size_t sequence) { return length_of(offsets, sequence); });
  }
  const std::vector<std::size_t> ends = fixed.batch == 0 ? cheapest_ends(lengths, tokens) : std::vector<std::size_t>();
  for (std::size_t first = 0; first < lengths.size();) {
    const std::size_t end = fixed.batch == 0 ? ends[first] : std::min(first + fixed.batch, lengths.size());
    const std::size_t rows = fixed.batch == 0 ? end - first : fixed.batch;
    plan.micro_batches.push_back({first, end - first, rows, lengths[first]});
    first = end;
  }
  return plan;
}

template <typename T>
void fill(Field field, const Batch& batch, const Plan& plan, const MicroBatch& micro_batch, T* out) {
  std::fill_n(out, micro_batch.rows * micro_batch.length, T{0});
  for (std::size_t i = 0; i < micro_batch.count; ++i) {
    const std::size_t sequence = plan.order[micro_batch.first + i];
    fill_row(field, batch, static_cast<std::size_t>(batch.offsets[sequence]), length_of(batch.offsets, sequence),
             out + i * micro_batch.length);
  }
  for (std::size_t i = micro_batch.count; field == Field::mask && i < micro_batch.rows; ++i) {
    out[i * micro_batch.length] = 1;
  }
}

template void fill(Field, const Batch&, const Plan&, const MicroBatch&, std::int64_t*);
template void fill(Field, const Batch&, const Plan&, const MicroBatch&, std::int32_t*);

}  // namespace berth::engine
