// Loading a model into an ONNX Runtime session and reading what it takes and gives.
#include "engine/session.h"

#include <algorithm>
#include <utility>

#include "base/mapped_file.h"
#include "berth/error.h"
#include "engine/model_file.h"
#include "engine/ort_errors.h"
#include "engine/provider.h"

namespace berth::engine {
namespace {

namespace fs = std::filesystem;

graph::Value to_value(std::string name, const Ort::TypeInfo& info) {
  graph::Value value{std::move(name), graph::ElementType::undefined, std::nullopt};
  if (info.GetONNXType() != ONNX_TYPE_TENSOR) return value;
  const auto tensor = info.GetTensorTypeAndShapeInfo();
  value.type = static_cast<graph::ElementType>(tensor.GetElementType());  // ORT numbers types as ONNX does
  if (!tensor.HasShape()) return value;
  const std::vector<std::int64_t> sizes = tensor.GetShape();
  const std::vector<const char*> names = tensor.GetSymbolicDimensions();
  value.shape.emplace();
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    if (sizes[i] >= 0) {
      value.shape->emplace_back(sizes[i]);
    } else {
      value.shape->emplace_back(std::string(names[i]));
    }
  }
  return value;
}

Signature signature_of(const Ort::Session& session, const std::string& where) {
  std::vector<graph::Value> inputs;
  std::vector<graph::Value> outputs;
  const std::vector<std::string> input_names = session.GetInputNames();
  for (std::size_t i = 0; i < input_names.size(); ++i) {
    inputs.push_back(to_value(input_names[i], session.GetInputTypeInfo(i)));
  }
  const std::vector<std::string> output_names = session.GetOutputNames();
  for (std::size_t i = 0; i < output_names.size(); ++i) {
    outputs.push_back(to_value(output_names[i], session.GetOutputTypeInfo(i)));
  }
  return read_signature(std::move(inputs), std::move(outputs), where);
}

// ORT maps weights that lie beside the model. Under Load::copy they are handed over from mappings of our own, which ORT
// copies; these are gone when this returns, and with them all ties to the files.
Ort::Session create_session(const fs::path& model, Load load, Environment& environment, Ort::SessionOptions& settings) {
  const std::vector<std::string> names = inspect_model_file(model);
  if (load == Load::map || names.empty()) return Ort::Session(environment.ort, model.c_str(), settings);
  std::vector<MappedFile> files;
  std::vector<char*> addresses;
  std::vector<std::size_t> sizes;
  for (const std::string& name : names) {
    files.emplace_back(model.parent_path() / name);
    addresses.push_back(const_cast<char*>(reinterpret_cast<const char*>(files.back().bytes().data())));  // only read
    sizes.push_back(files.back().bytes().size());
  }
  settings.AddExternalInitializersFromFilesInMemory(names, addresses, sizes);
  Ort::Session session(environment.ort, model.c_str(), settings);
  for (const MappedFile& file : files) file.require_intact();
  return session;
}

}  // namespace

Engine::Session::Session(const fs::path& model, const Options& options)
    : where(model.string()),
      environment((check(options), engine::environment(options))),
      threads(plan_threads(options, environment.gate.threads())),
      batch_tokens(options.batch_tokens) {
  translated(where, [&] {
    Ort::SessionOptions settings = session_options(options, threads);
    const std::vector<std::string> available = Ort::GetAvailableProviders();
    provider = add_providers(settings, options, choose_providers(options, available));
    ort = create_session(model, options.load, environment, settings);
    signature = signature_of(ort, where);
  });
  observe_outputs();
}

// Where declared shapes do not say what an output is, two small runs do.
void Engine::Session::observe_outputs() {
  std::vector<std::string> names;
  std::vector<OutputMapping*> unknown;
  for (std::size_t i = 0; i < signature.outputs.size(); ++i) {
    if (signature.mappings[i].state != OutputMapping::State::unknown) continue;
    names.push_back(signature.outputs[i].name);
    unknown.push_back(&signature.mappings[i]);
  }
  if (names.empty()) return;

  const auto observe_run = [&](std::size_t batch, std::size_t sequence) {
    if (signature.fixed.batch != 0) batch = signature.fixed.batch;
    if (signature.fixed.sequence != 0) sequence = signature.fixed.sequence;
    const std::vector<std::int64_t> values(batch * sequence, 1);
    std::vector<DenseTensor> inputs;
    for (const FieldInput& field : signature.fields) {
      inputs.push_back({field.name, field.dtype, {std::int64_t(batch), std::int64_t(sequence)}, {}});
      inputs.back().data.resize(batch * sequence * size_of(field.dtype));
    }
    std::vector<RunShape> shapes;
    for (DenseTensor& output : run_dense(inputs, names)) {
      shapes.push_back({std::int64_t(batch), std::int64_t(sequence), std::move(output.shape)});
    }
    return shapes;
  };
  const std::vector<RunShape> small = observe_run(2, 5);
  const std::vector<RunShape> large = observe_run(3, 7);
  for (std::size_t i = 0; i < unknown.size(); ++i) *unknown[i] = observe(unknown[i]->layout.dtype, small[i], large[i]);
}

}  // namespace berth::engine
