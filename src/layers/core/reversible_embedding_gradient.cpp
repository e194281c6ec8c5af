// SPDX-License-Identifier: MIT
#include "kernels/copy.hpp"
#include "layer/layer_gradient.hpp"
#include "ops/ops.hpp"

namespace maskflow {
namespace {

// cap * tanh(scores / cap), where scores are vectors times the transposed table.
Tensor reversed(const Layer& layer, const Value& cap, const Tensor& vectors) {
  const std::vector<VariablePtr>& weights = layer.own_weights();
  const Tensor matrix = weights.size() > 1 ? weights[1]->value()
                                           : ops::swap_axes(weights[0]->value(), 0, 1);
  const Tensor scores = ops::matmul(vectors, matrix);
  if (cap.is_null()) return scores;
  const Tensor limit = Tensor::scalar(DType::kFloat32, cap.as_number("logit_soft_cap"));
  const Tensor share = ops::divide(scores, limit);
  return ops::multiply(apply_op1("Tanh", {&share, 1}), limit);
}

// Rows of ids that come more than once add up.
Tensor of_table(const Shape& shape, const std::vector<std::int32_t>& rows, const Tensor& g) {
  Tensor result = Tensor::zeros(DType::kFloat32, shape);
  const auto width = static_cast<std::size_t>(shape.back());
  const float* from = g.data<float>().data();
  for (const std::int32_t row : rows) {
    kernels::add(from, result.mutable_data<float>().data() + static_cast<std::size_t>(row) * width,
                 width);
    from += width;
  }
  return result;
}

Structure rule(Layer& layer, const Args& args, Frame& frame, Tape& tape) {
  if (args.flag("reverse")) {
    // (Its checks, and its result where it is not differentiated.)
    static_cast<void>(layer.output_specs(args));
    const Dict config = layer.get_config();
    const Tensor vectors = ops::cast(args.inputs.front(), DType::kFloat32);
    return {reversed(layer, *config.find("logit_soft_cap"), vectors)};
  }
  const Tensor table = layer.own_weights().front()->value();
  Structure results = tape.apart([&] { return layer.call(args, frame); });
  const Lookup* const lookup = results.tensors.front().lookup();
  const std::vector<std::int32_t> rows = lookup->rows;
  tape.record({&table, 1}, results.tensors,
              [rows, shape = table.shape()](const Tensors& g) -> Tensors {
                return {of_table(shape, rows, g[0])};
              });
  return results;
}

constexpr LayerGradient kGradients[] = {{"ReversibleEmbedding", rule}};
const RegisterLayerGradients registration{kGradients};

}  // namespace
}  // namespace maskflow
