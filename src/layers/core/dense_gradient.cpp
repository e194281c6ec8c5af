// SPDX-License-Identifier: MIT
#include "kernels/gemm_gradient.hpp"
#include "layer/layer_gradient.hpp"
#include "layers/core/dense.hpp"
#include "ops/activation_gradient.hpp"

namespace maskflow {
namespace {

const float* numbers(const Tensor& tensor) { return tensor.data<float>().data(); }
float* numbers(Tensor& tensor) { return tensor.mutable_data<float>().data(); }

// x kernel + bias, recorded.
Tensor affine(const Dense& layer, const Tensor& x, Tape& tape) {
  const Tensor kernel = layer.kernel()->value();
  const auto features = static_cast<std::size_t>(kernel.shape()[0]);
  const auto units = static_cast<std::size_t>(kernel.shape()[1]);
  Shape shape = x.shape();
  shape.set(-1, kernel.shape()[1]);
  Tensor sums(DType::kFloat32, shape);
  const std::size_t rows = sums.size() / units;
  const bool biased = layer.bias() != nullptr;
  kernels::gemm({numbers(x), features}, rows, layer.kernel()->packed(),
                biased ? kernels::Start::kBias : kernels::Start::kZero,
                biased ? layer.bias()->data() : nullptr, numbers(sums));
  Tensors inputs{x, kernel};
  if (biased) inputs.push_back(layer.bias()->value());
  const bool needs_input = tape.tracks(x);
  tape.record(inputs, {&sums, 1}, [=](const Tensors& cotangents) {
    const kernels::Rows g{numbers(cotangents[0]), units};
    Tensors gradients{Tensor(), Tensor::zeros(DType::kFloat32, kernel.shape())};
    if (needs_input) {
      gradients[0] = Tensor(DType::kFloat32, x.shape());
      kernels::multiply_transposed(g, rows, numbers(kernel), features, units,
                                   numbers(gradients[0]));
    }
    kernels::add_outer({numbers(x), features}, g, rows, features, units, numbers(gradients[1]),
                       units);
    if (biased) {
      gradients.push_back(Tensor::zeros(DType::kFloat32, {static_cast<Dim>(units)}));
      kernels::add_rows(g, rows, units, numbers(gradients[2]));
    }
    return gradients;
  });
  return sums;
}

Structure dense(Layer& layer, const Args& args, Frame&, Tape& tape) {
  const auto& own = static_cast<const Dense&>(layer);
  const Tensor x = ops::cast(args.inputs.front(), DType::kFloat32);
  return {activate(tape, own.activation(), affine(own, x, tape))};
}

constexpr LayerGradient kGradients[] = {{"Dense", dense}};
const RegisterLayerGradients registration{kGradients};

}  // namespace
}  // namespace maskflow
