// Exports and altered copies of tiny models.
#include "support/models.h"

#include <algorithm>
#include <cstring>
#include <stdexcept>

#include "base/file.h"
#include "base/progress.h"
#include "support/paths.h"

namespace berth::test {

namespace fs = std::filesystem;

fs::path export_tiny(const std::string& checkpoint, const fs::path& folder, workflow::ExportOptions options) {
  const fs::path source = data("cases/" + checkpoint);
  options.verify = false;
  if (!fs::exists(source / "vocab.txt")) options.tokenizer = data("cases/tiny-cls");
  return workflow::export_checkpoint(source, folder / checkpoint, options, no_progress()).folder;
}

fs::path with_changed_graph(const fs::path& bundle, const fs::path& target,
                            const std::function<void(graph::Graph&)>& change) {
  fs::copy(bundle, target, fs::copy_options::recursive);
  graph::Model model = graph::read(bundle / "model.onnx");
  change(model.graph);
  fs::remove(target / "model.onnx");
  fs::remove(target / "manifest.json");  // its hashes no longer hold
  graph::write(model, target / "model.onnx", {});
  return target;
}

std::span<float> values_of(graph::Graph& graph, const std::string& initializer) {
  const auto found = std::find_if(graph.initializers.begin(), graph.initializers.end(),
                                  [&](const graph::Tensor& tensor) { return tensor.name == initializer; });
  if (found == graph.initializers.end()) throw std::invalid_argument("no initializer " + initializer);
  auto own = std::make_shared<std::vector<std::byte>>(found->source.data.begin(), found->source.data.end());
  const std::span<float> values(reinterpret_cast<float*>(own->data()), own->size() / sizeof(float));
  found->source.data = *own;
  found->owned = std::move(own);
  return values;
}

void flip_weight_bit(const fs::path& model, const std::string& initializer) {
  std::string content = read_file(model, 1U << 30);
  {
    graph::Model read = graph::read(model);
    const std::span<float> values = values_of(read.graph, initializer);
    const auto* const bytes = reinterpret_cast<const char*>(values.data());
    const auto found = std::search(content.begin(), content.end(), bytes, bytes + values.size_bytes());
    if (found == content.end()) throw std::invalid_argument(initializer + " is not stored as it is read");
    found[3] = static_cast<char>(found[3] ^ 0x40);
  }
  fs::remove(model);
  write_new_file(model, content);
}

}  // namespace berth::test
