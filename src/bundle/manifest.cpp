// The manifest as JSON, both ways. Schema 1; a field is added without a new schema when older readers may ignore it.
#include "base/file.h"
#include "base/json.h"
#include "berth/bundle.h"
#include "berth/error.h"

namespace berth::bundle {
namespace {

using json::Object;
using json::Value;

constexpr std::int64_t kSchema = 1;

Value to_value(const graph::Value& value) {
  Value shape = Value::array();
  if (value.shape) {
    for (const graph::Dimension& dimension : *value.shape) {
      std::visit([&](const auto& extent) { shape.push_back(extent); }, dimension);
    }
  }
  return {{"name", value.name}, {"type", graph::name_of(value.type)}, {"shape", shape}};
}

graph::ElementType type_named(const std::string& name, const std::string& where) {
  for (std::int32_t code = 1; code <= static_cast<std::int32_t>(graph::ElementType::bf16); ++code) {
    const auto type = static_cast<graph::ElementType>(code);
    if (graph::name_of(type) == name) return type;
  }
  throw Error(ErrorKind::invalid_input, where, "is \"" + name + "\", which is no element type");
}

graph::Value to_graph_value(const Object& object) {
  graph::Value value;
  value.name = object.require<std::string>("name");
  value.type = type_named(object.require<std::string>("type"), object.where("type"));
  value.shape.emplace();
  const Value* const shape = object.find("shape");
  if (shape == nullptr || !shape->is_array()) {
    throw Error(ErrorKind::invalid_input, object.where("shape"), "is missing or no list, expected the dimensions");
  }
  for (const Value& extent : *shape) {
    if (extent.is_number_integer()) {
      value.shape->emplace_back(extent.get<std::int64_t>());
    } else if (extent.is_string()) {
      value.shape->emplace_back(extent.get<std::string>());
    } else {
      throw Error(ErrorKind::invalid_input, object.where("shape"),
                  "holds " + json::describe(extent) + ", expected a size or a name");
    }
  }
  return value;
}

// Calls `read` with each object of a list.
template <typename Read>
void for_each(const Object& parent, std::string_view field, Read read) {
  const Value* const list = parent.find(field);
  if (list == nullptr || !list->is_array()) {
    throw Error(ErrorKind::invalid_input, parent.where(field), "is missing or no list");
  }
  for (std::size_t i = 0; i < list->size(); ++i) {
    read(Object((*list)[i], parent.where(field) + "[" + std::to_string(i) + "]"));
  }
}

Value to_value(const Verification& verification) {
  Value outputs = Value::array();
  for (const OutputDifference& output : verification.outputs) {
    outputs.push_back({{"name", output.name}, {"max_difference", output.max}, {"mean_difference", output.mean}});
  }
  return {{"texts", verification.texts},
          {"tolerance", verification.tolerance},
          {"outputs", outputs},
          {"batch_max_difference", verification.batch_max}};
}

Verification to_verification(const Object& object) {
  Verification verification;
  verification.texts = object.require<std::int64_t>("texts");
  verification.tolerance = object.require<double>("tolerance");
  verification.batch_max = object.require<double>("batch_max_difference");
  for_each(object, "outputs", [&](const Object& output) {
    verification.outputs.push_back({output.require<std::string>("name"), output.require<double>("max_difference"),
                                    output.require<double>("mean_difference")});
  });
  return verification;
}

// A name that can only mean a file of the bundle itself.
std::string require_plain_name(const Object& object) {
  std::string name = object.require<std::string>("name");
  if (name.empty() || name == "." || name == ".." || name.find('/') != std::string::npos) {
    throw Error(ErrorKind::invalid_input, object.where("name"),
                "is \"" + name + "\", expected the name of a file in the bundle's own folder");
  }
  return name;
}

}  // namespace

std::string to_json(const Manifest& manifest) {
  Value files = Value::array();
  for (const FileEntry& file : manifest.files) {
    files.push_back({{"name", file.name}, {"size", file.size}, {"sha256", file.sha256}});
  }
  Value inputs = Value::array();
  for (const graph::Value& value : manifest.inputs) inputs.push_back(to_value(value));
  Value outputs = Value::array();
  for (const graph::Value& value : manifest.outputs) outputs.push_back(to_value(value));

  const Value document = {
      {"schema", kSchema},
      {"task", manifest.task},
      {"family", manifest.family},
      {"architecture", manifest.architecture},
      {"problem_type", manifest.problem_type},
      {"labels", manifest.labels},
      {"precision", manifest.precision},
      {"opset", manifest.opset},
      {"ir_version", manifest.ir_version},
      {"limits", {{"max_tokens", manifest.max_tokens}}},
      {"inputs", inputs},
      {"outputs", outputs},
      {"files", files},
      {"source", {{"sha256", manifest.source_sha256}}},
      {"made_by", {{"berth", manifest.tool_version}, {"onnxruntime", manifest.runtime_version}}},
      {"cpu_features", manifest.cpu_features},
      {"verification", manifest.verification ? to_value(*manifest.verification) : Value()},
  };
  return document.dump(2) + "\n";
}

Manifest read_manifest(const std::filesystem::path& file) {
  const Value document = json::read_document(file);
  const Object root(document, file.string());
  const auto schema = root.require<std::int64_t>("schema");
  if (schema != kSchema) {
    throw Error(ErrorKind::unsupported, root.where("schema"),
                "is " + std::to_string(schema) + ", this berth reads " + std::to_string(kSchema),
                "use the version of berth that made the bundle, or a later one");
  }
  Manifest manifest;
  manifest.task = root.require<std::string>("task");
  manifest.family = root.require<std::string>("family");
  manifest.architecture = root.get<std::string>("architecture", "");
  manifest.problem_type = root.get<std::string>("problem_type", "");
  manifest.labels = root.require<std::vector<std::string>>("labels");
  manifest.precision = root.require<std::string>("precision");
  manifest.opset = root.require<std::int64_t>("opset");
  manifest.ir_version = root.require<std::int64_t>("ir_version");
  manifest.cpu_features = root.get<std::vector<std::string>>("cpu_features", {});
  const auto part = [&](std::string_view field) {
    const Value* const value = root.find(field);
    static const Value nothing = Value::object();
    return Object(value != nullptr ? *value : nothing, root.where(field));
  };
  manifest.max_tokens = part("limits").require<std::int64_t>("max_tokens");
  if (manifest.max_tokens < 1) {
    throw Error(ErrorKind::invalid_input, root.where("limits: max_tokens"),
                "is " + std::to_string(manifest.max_tokens) + ", expected 1 or more");
  }
  manifest.source_sha256 = part("source").require<std::string>("sha256");
  manifest.tool_version = part("made_by").require<std::string>("berth");
  manifest.runtime_version = part("made_by").get<std::string>("onnxruntime", "");
  for_each(root, "inputs", [&](const Object& value) { manifest.inputs.push_back(to_graph_value(value)); });
  for_each(root, "outputs", [&](const Object& value) { manifest.outputs.push_back(to_graph_value(value)); });
  for_each(root, "files", [&](const Object& entry) {
    const auto size = entry.require<std::int64_t>("size");
    if (size < 0) throw Error(ErrorKind::invalid_input, entry.where("size"), "is negative");
    manifest.files.push_back(
        {require_plain_name(entry), static_cast<std::uint64_t>(size), entry.require<std::string>("sha256")});
  });
  if (root.has("verification")) manifest.verification = to_verification(part("verification"));
  return manifest;
}

}  // namespace berth::bundle
