// SPDX-License-Identifier: MIT
// Symbolic inputs and models.
#pragma once

#include "layers/core/input_layer.hpp"
#include "model/model.hpp"
#include "support/layers.hpp"

namespace maskflow::test {

// Creates a symbolic input. `shape` includes the batch axis and may have unknown dimensions.
[[nodiscard]] Tensor input(const Shape& shape, DType dtype = DType::kFloat32);
[[nodiscard]] std::shared_ptr<Functional> functional(const Tensors& inputs, const Tensors& outputs);
[[nodiscard]] std::shared_ptr<Sequential> sequential(const std::vector<LayerPtr>& layers);
// Returns a copy of the model, created from its configuration, with the same weights.
[[nodiscard]] LayerPtr reloaded(Layer& model);
[[nodiscard]] Tensors run(Layer& layer, const Tensors& inputs);

}  // namespace maskflow::test
