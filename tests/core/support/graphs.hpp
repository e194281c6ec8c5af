// SPDX-License-Identifier: MIT
// Symbolic inputs and models made of them.
#pragma once

#include "layers/core/input_layer.hpp"
#include "model/model.hpp"
#include "support/layers.hpp"

namespace maskflow::test {

// `shape` with the batch axis; kUnknown where it is not known.
[[nodiscard]] Tensor input(const Shape& shape, DType dtype = DType::kFloat32);
[[nodiscard]] std::shared_ptr<Functional> functional(const Tensors& inputs, const Tensors& outputs);
[[nodiscard]] std::shared_ptr<Sequential> sequential(const std::vector<LayerPtr>& layers);
// The same model made from its configuration, with the same weights.
[[nodiscard]] LayerPtr reloaded(Layer& model);
// Outputs for several inputs.
[[nodiscard]] Tensors run(Layer& layer, const Tensors& inputs);

}  // namespace maskflow::test
