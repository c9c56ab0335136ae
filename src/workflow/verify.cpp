// berth verify: which comparison a path asks for.
#include "base/file.h"
#include "base/progress.h"
#include "berth/error.h"
#include "berth/workflow.h"
#include "workflow/reference_check.h"
#include "workflow/selftest.h"
#include "workflow/tokenizer_files.h"

namespace berth::workflow {
namespace {

namespace fs = std::filesystem;

encoder::Head head_of_task(const std::string& task) {
  checkpoint::EncoderConfig any;
  return encoder::choose_head(any, task);
}

std::size_t max_tokens_of(const bundle::Bundle& bundle) {
  constexpr std::int64_t kUsual = 512;
  return static_cast<std::size_t>(bundle.max_tokens.value_or(kUsual));
}

Comparison verify_checkpoint(const fs::path& path, const VerifyOptions& options, Progress& progress) {
  const TemporaryFolder folder;
  ExportOptions export_options;
  export_options.verify = false;
  const ExportReport exported = export_checkpoint(path, folder.path() / "model", export_options, progress);
  return verify(exported.folder, path, options, progress);
}

Comparison verify_against_checkpoint(const bundle::Bundle& bundle, const fs::path& against,
                                     const VerifyOptions& options, Progress& progress) {
  const auto checkpoint = checkpoint::Checkpoint::open(against, {{}, bundle.labels});
  const CheckpointTokenizer tokenizer = find_tokenizer(bundle.tokenizer_folder, checkpoint.config());
  const std::size_t max_tokens = max_tokens_of(bundle);
  const std::vector<TextRow> rows = verification_rows(tokenizer.tokenizer ? &*tokenizer.tokenizer : nullptr,
                                                      checkpoint.config().vocab_size, max_tokens, options);
  const engine::Engine engine(bundle.model_file, options.engine);
  return compare_with_reference(engine, bundle.model_file, checkpoint, head_of_task(bundle.task), rows,
                                {options.tolerance.value_or(kTolerance), max_tokens}, options.engine, progress);
}

Comparison verify_against_model(const bundle::Bundle& bundle, const fs::path& against, const VerifyOptions& options,
                                Progress& progress) {
  const bundle::Bundle other = bundle::open(against, {{}, bundle.task});
  const auto tokenizer = text::Tokenizer::from_folder(bundle.tokenizer_folder, {});
  const auto other_tokenizer = text::Tokenizer::from_folder(other.tokenizer_folder, {});
  const std::size_t max_tokens = std::min(max_tokens_of(bundle), max_tokens_of(other));
  const std::vector<TextRow> rows = verification_rows(&tokenizer, 0, max_tokens, options);
  const std::vector<TextRow> other_rows = verification_rows(&other_tokenizer, 0, max_tokens, options);
  const engine::Engine engine(bundle.model_file, options.engine);
  const engine::Engine other_engine(other.model_file, options.engine);
  Comparison comparison = compare(engine, rows, expect_model(other_engine), {options.tolerance.value_or(kTolerance), max_tokens}, progress);
  comparison.subject = against.string();
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (rows[i].encoding.ids != other_rows[i].encoding.ids) {
      comparison.faults.push_back("the two tokenizers give other ids for text " + std::to_string(i));
    }
  }
  return comparison;
}

}  // namespace

Comparison verify(const fs::path& path, const std::optional<fs::path>& against, const VerifyOptions& options,
                  Progress& progress) {
  if (!bundle::holds_model(path)) {
    if (!fs::exists(path)) throw Error(ErrorKind::not_found, path.string(), "does not exist");
    if (against) {
      throw Error(ErrorKind::usage, "--against", "compares models, and " + path.string() + " holds none",
                  "export it first: berth export " + path.string() + " -o DIR");
    }
    return verify_checkpoint(path, options, progress);
  }
  const bundle::Bundle bundle = bundle::open(path, {});
  if (!against) {
    if (!fs::exists(bundle.folder / bundle::kSelftestFile)) {
      throw Error(ErrorKind::usage, path.string(), "has no selftest.jsonl to be verified by",
                  "name what to compare with: --against CHECKPOINT, or --against OTHER_MODEL");
    }
    if (options.texts || options.tolerance || options.full) {
      throw Error(ErrorKind::usage, path.string(), "is verified by its self-test, which has texts and tolerance of its own",
                  "to choose them, name what to compare with: --against CHECKPOINT, or --against OTHER_MODEL");
    }
    return run_selftest(bundle, options.engine, progress);
  }
  return bundle::holds_model(*against) ? verify_against_model(bundle, *against, options, progress)
                                       : verify_against_checkpoint(bundle, *against, options, progress);
}

}  // namespace berth::workflow
