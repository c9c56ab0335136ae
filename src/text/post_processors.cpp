// The kinds of post-processor.
#include "text/post_processors.h"

#include <utility>

namespace berth::text {

const Template& template_of(const PostProcessor& post_processor, bool is_pair) {
  return std::visit(
      [is_pair](const TemplateProcessing& processing) -> const Template& {
        return is_pair ? processing.pair : processing.single;
      },
      post_processor);
}

std::size_t special_tokens_of(const Template& row) noexcept {
  std::size_t count = 0;
  for (const TemplateItem& item : row) count += item.special_ids.size();
  return count;
}

TemplateProcessing texts_only() {
  const TemplateItem first{0, {}, 0};
  const TemplateItem second{1, {}, 1};
  return {{first}, {first, second}};
}

TemplateProcessing bert_rows(std::int32_t cls, std::int32_t sep) {
  Template single{{kNone, {cls}, 0}, {0, {}, 0}, {kNone, {sep}, 0}};
  Template pair = single;
  pair.insert(pair.end(), {{1, {}, 1}, {kNone, {sep}, 1}});
  return {std::move(single), std::move(pair)};
}

}  // namespace berth::text
