// Attention, then a feed-forward part, each with its residual, and with its normalization after the sum (Vaswani et al.
// 2017) or before the part (Xiong et al. 2020).
#include "encoder/reference_layer.h"

#include <string>

#include "encoder/reference_attention.h"

namespace berth::encoder::reference {
namespace {

Matrix self_attention(const Model& model, const std::string& prefix, std::int64_t layer, Rows x,
                      const ReferenceInput& input) {
  const LayerLayout& names = model.family.layer;
  const auto through = [&](std::string_view name) { return dense(model, x, prefix + std::string(name)); };
  const Scoring scoring = scoring_of(model, prefix, layer, input);
  const auto last = [&](const Matrix& attended) {
    return dense(model, attended.view(), prefix + std::string(names.attention_output));
  };
  if (names.query_key_value.empty()) {
    const Matrix query = through(names.query);
    const Matrix key = through(names.key);
    const Matrix value = through(names.value);
    return last(attention(model, query.view(), key.view(), value.view(), scoring));
  }
  const Matrix all = through(names.query_key_value);
  const std::size_t width = all.columns / 3;
  const auto part = [&](std::size_t index) { return all.view().columns_from(index * width, width); };
  return last(attention(model, part(0), part(1), part(2), scoring));
}

Matrix feed_forward(const Model& model, const std::string& prefix, Rows x) {
  const LayerLayout& names = model.family.layer;
  Matrix wide = dense(model, x, prefix + std::string(names.intermediate));
  const std::string output = prefix + std::string(names.output);
  if (!model.family.encoder.gated) {
    activate(model, wide.view(), model.config.activation);
    return dense(model, wide.view(), output);
  }
  const std::size_t width = wide.columns / 2;
  const MutableRows bent = wide.view().columns_from(0, width);
  activate(model, bent, model.config.activation);
  for (std::size_t i = 0; i < bent.rows; ++i) {
    for (std::size_t j = 0; j < width; ++j) bent[i][j] *= wide[i][width + j];
  }
  return dense(model, bent, output);
}

Matrix norm_last(const Model& model, const std::string& prefix, std::int64_t layer, Rows x,
                 const ReferenceInput& input) {
  const LayerLayout& names = model.family.layer;
  Matrix between = self_attention(model, prefix, layer, x, input);
  add(between.view(), x);
  layer_norm(model, between.view(), prefix + std::string(names.attention_norm));
  Matrix result = feed_forward(model, prefix, between.view());
  add(result.view(), between.view());
  layer_norm(model, result.view(), prefix + std::string(names.output_norm));
  return result;
}

Matrix norm_first(const Model& model, const std::string& prefix, std::int64_t layer, Rows x,
                  const ReferenceInput& input) {
  const LayerLayout& names = model.family.layer;
  Matrix normal = copy_of(x);
  if (layer > 0) layer_norm(model, normal.view(), prefix + std::string(names.attention_norm));
  Matrix between = self_attention(model, prefix, layer, normal.view(), input);
  add(between.view(), x);
  normal = copy_of(between.view());
  layer_norm(model, normal.view(), prefix + std::string(names.output_norm));
  Matrix result = feed_forward(model, prefix, normal.view());
  add(result.view(), between.view());
  return result;
}

// y[t] = Σ_k W[:, :, k] · x[t + k - middle] + b, within groups of channels; then its activation joins the layer's
// output under one normalization. What the mask hides takes no part and comes out as 0.
void convolve(const Model& model, Rows embedded, MutableRows hidden, const ReferenceInput& input) {
  const checkpoint::DisentangledAttention& own = *model.config.disentangled;
  const std::string module(model.family.encoder.convolution);
  const std::vector<double> weight = model.vector(weight_of(module));
  const std::vector<double> bias = model.vector(bias_of(module));
  const auto kernel = static_cast<std::size_t>(own.kernel_size);
  const std::size_t channels = embedded.columns / static_cast<std::size_t>(own.kernel_groups);  // of a group
  Matrix result(embedded.rows, embedded.columns);
  for (std::size_t token = 0; token < embedded.rows; ++token) {
    if (input.mask[token] == 0) continue;
    for (std::size_t out = 0; out < embedded.columns; ++out) {
      double sum = bias[out];
      for (std::size_t k = 0; k < kernel; ++k) {
        if (token + k < kernel / 2 || token + k - kernel / 2 >= embedded.rows) continue;
        const auto source = embedded[token + k - kernel / 2].subspan(out / channels * channels, channels);
        for (std::size_t i = 0; i < channels; ++i) sum += weight[(out * channels + i) * kernel + k] * source[i];
      }
      result[token][out] = sum;
    }
  }
  activate(model, result.view(), own.kernel_activation);
  add(hidden, result.view());
  layer_norm(model, hidden, model.family.encoder.convolution_norm);
  for (std::size_t token = 0; token < hidden.rows; ++token) {
    for (double& value : hidden[token]) value *= static_cast<double>(input.mask[token]);
  }
}

}  // namespace

Matrix layers_after(const Model& model, std::int64_t layer, Rows hidden, const ReferenceInput& input) {
  Matrix x = copy_of(hidden);
  for (const std::string& prefix : layer_prefixes(model.family, model.config, layer)) {
    x = model.family.encoder.norm_first ? norm_first(model, prefix, layer, x.view(), input)
                                        : norm_last(model, prefix, layer, x.view(), input);
  }
  const bool convolves = layer == 0 && model.config.disentangled && model.config.disentangled->kernel_size > 0;
  if (convolves) convolve(model, hidden, x.view(), input);
  return x;
}

Matrix after_last_layer(const Model& model, Rows hidden) {
  Matrix x = copy_of(hidden);
  if (!model.family.encoder.final_norm.empty()) layer_norm(model, x.view(), model.family.encoder.final_norm);
  return x;
}

}  // namespace berth::encoder::reference
