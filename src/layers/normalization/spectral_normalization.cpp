// SPDX-License-Identifier: MIT
#include "layers/normalization/spectral_normalization.hpp"

#include <algorithm>

#include "ops/ops.hpp"

namespace maskflow {
namespace {

Tensor unit(const Tensor& x) { return ops::normalize(x, -1, 1e-7); }

}  // namespace

void SpectralNormalization::describe(Fields& fields) {
  Layer::describe(fields);
  fields.field("layer", layer_, "The layer whose kernel or embeddings are normalized.",
               FieldKind::kRequired);
  fields.field("power_iterations", power_iterations_,
               "Number of iterations in each training call.");
  fields.inert(inert_, {"activity_regularizer"});
}

void SpectralNormalization::build(const std::vector<Shape>& inputs) {
  layer_->ensure_name();
  layer_->build_once(inputs);
  for (const VariablePtr& weight : layer_->own_weights()) {
    if (weight->name() == "kernel" || weight->name() == "embeddings") kernel_ = weight;
  }
  if (kernel_ == nullptr) {
    config_error("'layer' is a ", layer_->class_name(),
                 ", which has neither kernel nor embeddings; wrap another layer");
  }
  Dict start;
  start["class_name"] = "TruncatedNormal";
  start["config"] = [] {
    Dict settings;
    settings["stddev"] = 0.02;
    return settings;
  }();
  vector_u_ =
      add_weight("vector_u", {1, kernel_->shape().back()}, Initializer::from_config(start), false);
}

Structure SpectralNormalization::call(const Args& args, Frame& frame) {
  if (frame.trains()) normalize_kernel();
  return call_inner(args, frame);
}

Structure SpectralNormalization::call_inner(const Args& args, Frame& frame) {
  // `run` attaches the mask of the inner layer's result. As in Keras, it stays on the result.
  Args inner;
  inner.inputs = args.inputs;
  inner.training = args.training;
  return layer_->run(std::move(inner), frame);
}

void SpectralNormalization::list_weights(WeightList& list) const {
  const std::ptrdiff_t first = std::ssize(list.weights);
  Layer::list_weights(list);
  const auto begin = list.weights.begin() + first;
  const auto kernel = std::find_if(
      begin, list.weights.end(), [&](const Weight& weight) { return weight.variable == kernel_; });
  if (kernel != list.weights.end()) std::rotate(begin, kernel, kernel + 1);
}

void SpectralNormalization::normalize_kernel() {
  const Tensor& kernel = kernel_->value();
  if (std::ranges::count(kernel.data<float>(), 0.0F) == std::ssize(kernel.data<float>())) return;
  const Dim columns = kernel.shape().back();
  const Tensor rows = kernel.reshaped({static_cast<Dim>(kernel.size()) / columns, columns});
  const Tensor flipped = ops::swap_axes(rows, 0, 1);
  Tensor u = vector_u_->value();
  Tensor v;
  for (int i = 0; i < power_iterations_; ++i) {
    v = unit(ops::matmul(u, flipped));
    u = unit(ops::matmul(v, rows));
  }
  const Tensor sigma = ops::matmul(ops::matmul(v, rows), ops::swap_axes(u, 0, 1));
  vector_u_->set_value(u);
  kernel_->set_value(ops::divide(kernel, sigma.reshaped({})));
}

namespace {
const RegisterLayer<SpectralNormalization> registration{
    "SpectralNormalization",
    "In training, divides the kernel of a layer by its largest singular value before the call. "
    "Drops the mask with a warning; a mask that the wrapped layer attaches stays on the result."};

}  // namespace
}  // namespace maskflow
