// Tokenizer folders made on the spot.
#include "fixtures.h"

#include <fstream>

namespace berth::text::test {
namespace {

Tokenizer with_config(std::string_view config) {
  TokenizerFolder folder;
  folder.with_case_vocabulary().write("tokenizer_config.json", config);
  return folder.load();
}

}  // namespace

TokenizerFolder& TokenizerFolder::write(const std::string& name, std::string_view content) {
  std::ofstream(path() / name, std::ios::binary) << content;
  return *this;
}

TokenizerFolder& TokenizerFolder::copy(const fs::path& file) {
  fs::copy_file(file, path() / file.filename(), fs::copy_options::overwrite_existing);
  return *this;
}

Tokenizer uncased() { return with_config(R"({"do_lower_case": true})"); }
Tokenizer cased() { return with_config(R"({"do_lower_case": false})"); }
Tokenizer keep_accents() { return with_config(R"({"do_lower_case": true, "strip_accents": false})"); }

Tokenizer case_folder(const std::string& name, const LoadOptions& options) {
  return Tokenizer::from_folder(berth::test::data("cases/" + name), options);
}

Ids ids_of(const Tokenizer& tokenizer, std::string_view text) { return tokenizer.encode(text, {}).ids; }

Spans offsets_of(const Tokenizer& tokenizer, std::string_view text) {
  const Spans all = tokenizer.encode(text, {}).offsets;
  return {all.begin() + 1, all.end() - 1};
}

LogCapture::LogCapture() {
  set_log_sink([this](Severity severity, std::string_view message) {
    if (severity == Severity::warning) warnings_.emplace_back(message);
  });
}

LogCapture::~LogCapture() { set_log_sink({}); }

}  // namespace berth::text::test
