// SPDX-License-Identifier: MIT
#include "kernels/gemm.hpp"
#include "layer/layer_gradient.hpp"
#include "layers/core/dense.hpp"
#include "layers/core/product_gradient.hpp"
#include "ops/activation_gradient.hpp"

namespace maskflow {
namespace {

// Computes x * kernel + bias and records it on the tape.
Tensor affine(const Dense& layer, const Tensor& x, Tape& tape) {
  const Tensor kernel = layer.kernel()->value();
  const auto features = static_cast<std::size_t>(kernel.shape()[0]);
  const auto units = static_cast<std::size_t>(kernel.shape()[1]);
  Shape shape = x.shape();
  shape.set(-1, kernel.shape()[1]);
  Tensor sums(DType::kFloat32, shape);
  const bool has_bias = layer.bias() != nullptr;
  const RecordedProduct product{
      x, kernel, sums.size() / units, features, units, tape.tracks(x), has_bias};
  kernels::gemm({x.floats(), features}, product.rows, layer.kernel()->packed(),
                has_bias ? kernels::Start::kBias : kernels::Start::kZero,
                has_bias ? layer.bias()->data() : nullptr, sums.mutable_floats());
  Tensors inputs{x, kernel};
  if (has_bias) inputs.push_back(layer.bias()->value());
  tape.record(inputs, {&sums, 1}, [product](const Tensors& g) { return product.gradients(g[0]); });
  return sums;
}

Structure rule(Layer& layer, const Args& args, Frame&, Tape& tape) {
  const auto& dense = static_cast<const Dense&>(layer);
  const Tensor x = ops::cast(args.inputs.front(), DType::kFloat32);
  return {activate(tape, dense.activation(), affine(dense, x, tape))};
}

constexpr LayerGradient kGradients[] = {{"Dense", rule}};
const RegisterLayerGradients registration{kGradients};

}  // namespace
}  // namespace maskflow
