// The bundled texts, and how texts become bounded rows of ids.
#include "workflow/texts.h"

#include <algorithm>
#include <random>

#include "base/file.h"
#include "berth/error.h"

namespace berth::workflow {
namespace {

constexpr std::size_t kUsualTokens = 64;
constexpr std::size_t kLongTokens = 256;

std::string repeat(const std::string& text, int times) {
  std::string all;
  for (int i = 0; i < times; ++i) all += text;
  return all;
}

// All rows but the longest text's are cut to the usual length.
std::size_t limit_for(std::size_t row, std::size_t longest, const RowLimits& limits) {
  if (limits.full) return limits.model;
  return std::min(limits.model, row == longest ? kLongTokens : kUsualTokens);
}

std::size_t longest_of(const std::vector<std::string>& texts) {
  const auto longest = std::max_element(texts.begin(), texts.end(),
                                        [](const std::string& a, const std::string& b) { return a.size() < b.size(); });
  return static_cast<std::size_t>(longest - texts.begin());
}

}  // namespace

const std::vector<std::string>& bundled_texts() {
  static const std::vector<std::string> texts{
      "",
      "Good.",
      "The room was clean, the staff were friendly, and we would gladly come back next year.",
      "I waited two hours for a cold meal; nobody apologised, and the bill was wrong as well!",
      "Maria Lopez moved from Lisbon to New York in 1998 and founded a small company called Harbour Light.",
      "It cost $1,234.56 (about 20% off) -- don't buy it: see https://www.example.com/a/b?c=1&d=two#e",
      "这家酒店的位置很好，早餐也丰富，就是房间有点小。",
      "这本书是鲁迅写的，第一版在1923年出版于北京。",
      "我爱这部电影, but the ending was dull — 3/10 😀",
      "Café naïve Ångström, İstanbul, Straße, ﬁne ﬂavour, ＦＵＬＬ　ＷＩＤＴＨ",
      "これはひどい映画です。 영화가 정말 좋았어요. فيلم رائع. यह फिल्म अच्छी है।",
      repeat(
          "The first half of the film was slow and the second half, set in a harbour town, was slower still, but the "
          "music and the whole cast were wonderful. ",
          24),
  };
  return texts;
}

const std::vector<std::string>& selftest_extras() {
  static const std::vector<std::string> texts{"!", "no", "not bad at all", "好"};
  return texts;
}

std::vector<std::string> read_texts(const std::filesystem::path& file) {
  constexpr std::uint64_t kMaxBytes = 256U << 20;
  const std::string content = read_file(file, kMaxBytes);
  std::vector<std::string> texts;
  for (std::size_t start = 0; start < content.size();) {
    const std::size_t end = std::min(content.find('\n', start), content.size());
    std::string line = content.substr(start, end - start);
    if (line.ends_with('\r')) line.pop_back();
    texts.push_back(std::move(line));
    start = end + 1;
  }
  if (texts.empty()) throw Error(ErrorKind::invalid_input, file.string(), "holds no texts, expected one a line");
  return texts;
}

std::vector<TextRow> tokenize(const std::vector<std::string>& texts, const text::Tokenizer& tokenizer,
                              const RowLimits& limits) {
  std::vector<TextRow> rows;
  const std::size_t longest = longest_of(texts);
  for (std::size_t i = 0; i < texts.size(); ++i) {
    text::EncodeOptions options;
    options.max_length = limit_for(i, longest, limits);
    rows.push_back({texts[i], tokenizer.encode(texts[i], options)});
  }
  return rows;
}

std::vector<TextRow> seeded_rows(const std::vector<std::string>& texts, std::int64_t vocabulary,
                                 const RowLimits& limits) {
  constexpr std::size_t kBytesPerToken = 4;  // about what a tokenizer makes of prose
  std::mt19937 random(20260101);
  std::vector<TextRow> rows;
  const std::size_t longest = longest_of(texts);
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const std::size_t tokens = std::min(limit_for(i, longest, limits), texts[i].size() / kBytesPerToken + 2);
    TextRow row{texts[i], {}};
    for (std::size_t t = 0; t < tokens; ++t) {
      row.encoding.ids.push_back(static_cast<std::int32_t>(random() % static_cast<std::uint64_t>(vocabulary)));
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace berth::workflow
