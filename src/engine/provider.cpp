// The table of providers; a new one is a row and an append function.
#include "engine/provider.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <unordered_map>

#include "base/log.h"
#include "berth/error.h"
#include "engine/ort_errors.h"

namespace berth::engine {
namespace {

using ProviderOptions = std::unordered_map<std::string, std::string>;

void append_cuda(Ort::SessionOptions& session, const ProviderOptions& options) {
  Ort::CUDAProviderOptions cuda;
  cuda.Update(options);
  session.AppendExecutionProvider_CUDA_V2(*cuda);
}

void append_tensorrt(Ort::SessionOptions& session, const ProviderOptions& options) {
  Ort::TensorRTProviderOptions tensorrt;
  tensorrt.Update(options);
  session.AppendExecutionProvider_TensorRT_V2(*tensorrt);
}

struct Row {
  std::string_view name;
  std::string_view ort_name;
  void (*append)(Ort::SessionOptions&, const ProviderOptions&);  // null for the one that is always there
};

constexpr std::array kRows = {
    Row{"cpu", "CPUExecutionProvider", nullptr},
    Row{"cuda", "CUDAExecutionProvider", append_cuda},
    Row{"tensorrt", "TensorrtExecutionProvider", append_tensorrt},
};

const Row& row_of(const std::string& name) {
  const auto row = std::find_if(kRows.begin(), kRows.end(), [&](const Row& r) { return r.name == name; });
  if (row != kRows.end()) return *row;
  std::string names;
  for (const Row& known : kRows) names += (names.empty() ? "" : ", ") + std::string(known.name);
  throw Error(ErrorKind::usage, "provider", "'" + name + "' is unknown, expected one of " + names);
}

bool cpu_follows(const std::vector<std::string>& providers, const std::string& name) {
  const auto at = std::find(providers.begin(), providers.end(), name);
  return std::find(at, providers.end(), "cpu") != providers.end();
}

// Passes over a provider that is not there when the caller allowed the CPU in its place.
void pass_over(const Options& options, const std::string& name, const Error& reason) {
  if (!cpu_follows(options.providers, name)) throw reason;
  log_warning(std::string(reason.what()) + "; going on without it");
}

// "cuda.device_id" belongs to cuda; "device_id" to the first provider of the list.
std::pair<std::string, std::string> split_key(const Options& options, const std::string& key) {
  const std::size_t dot = key.find('.');
  if (dot == std::string::npos) return {options.providers.front(), key};
  return {key.substr(0, dot), key.substr(dot + 1)};
}

void check_options(const Options& options) {
  if (options.providers.empty())
    throw Error(ErrorKind::usage, "provider", "is empty, expected a list such as cuda,cpu");
  for (const std::string& name : options.providers) static_cast<void>(row_of(name));
  for (const auto& [key, value] : options.provider_options) {
    const std::string owner = split_key(options, key).first;
    if (row_of(owner).append == nullptr) {
      throw Error(ErrorKind::usage, "provider-option", "'" + key + "' goes to " + owner + ", which takes no options",
                  "name the provider before the option, as in cuda." + key);
    }
    if (std::find(options.providers.begin(), options.providers.end(), owner) == options.providers.end()) {
      throw Error(ErrorKind::usage, "provider-option",
                  "'" + key + "' goes to " + owner + ", which is not among the providers", "add --provider " + owner);
    }
  }
}

}  // namespace

std::vector<ChosenProvider> choose_providers(const Options& options, std::span<const std::string> available) {
  check_options(options);
  std::vector<ChosenProvider> chosen;
  for (const std::string& name : options.providers) {
    const Row& row = row_of(name);
    if (row.append == nullptr) break;  // the CPU takes every node, so what follows it never runs
    if (std::find(available.begin(), available.end(), row.ort_name) == available.end()) {
      pass_over(options, name,
                Error(ErrorKind::unsupported, "provider", name + " is not in this ONNX Runtime",
                      "give the library of a GPU build of ONNX Runtime with --ort-library, or use --provider cpu"));
      continue;
    }
    ChosenProvider provider{name, {}};
    for (const auto& [key, value] : options.provider_options) {
      const auto [owner, option] = split_key(options, key);
      if (owner == name) provider.options.emplace_back(option, value);
    }
    chosen.push_back(std::move(provider));
  }
  return chosen;
}

std::string add_providers(Ort::SessionOptions& session, const Options& options, std::vector<ChosenProvider> chosen) {
  std::string first = "cpu";
  for (const ChosenProvider& provider : chosen) {
    try {
      row_of(provider.name).append(session, ProviderOptions(provider.options.begin(), provider.options.end()));
    } catch (const Ort::Exception& exception) {
      pass_over(options, provider.name,
                translate(exception.what(), exception.GetOrtErrorCode(), "provider " + provider.name));
      continue;
    }
    if (first == "cpu") first = provider.name;
  }
  return first;
}

}  // namespace berth::engine
