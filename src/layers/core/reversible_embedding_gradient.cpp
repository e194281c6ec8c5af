// SPDX-License-Identifier: MIT
#include "layers/core/embedding_gradient.hpp"
#include "ops/ops.hpp"

namespace maskflow {
namespace {

// Computes the reverse call in ops: cap * tanh(scores / cap), where the scores are the vectors
// times the transposed table.
Tensor reverse_lookup(Layer& layer, const Tensor& vectors) {
  const std::vector<VariablePtr>& weights = layer.own_weights();
  const Tensor matrix =
      weights.size() > 1 ? weights[1]->value() : ops::swap_axes(weights[0]->value(), 0, 1);
  const Tensor scores = ops::matmul(vectors, matrix);
  const Dict config = layer.get_config();
  const Value& cap = *config.find("logit_soft_cap");
  if (cap.is_null()) return scores;
  const Tensor limit = Tensor::scalar(DType::kFloat32, cap.as_number("logit_soft_cap"));
  return ops::multiply(ops::tanh(ops::divide(scores, limit)), limit);
}

Structure rule(Layer& layer, const Args& args, Frame& frame, Tape& tape) {
  if (!args.flag("reverse")) return record_lookup(layer, args, frame, tape);
  const Tensor vectors = ops::cast(args.inputs.front(), DType::kFloat32);
  const Dim width = layer.own_weights().front()->shape()[1];
  if (vectors.rank() == 0 || vectors.shape().back() != width) {
    shape_error("the vectors have shape ", vectors.shape(), " but the last axis must be ", width);
  }
  return {reverse_lookup(layer, vectors)};
}

constexpr LayerGradient kGradients[] = {{"ReversibleEmbedding", rule}};
const RegisterLayerGradients registration{kGradients};

}  // namespace
}  // namespace maskflow
