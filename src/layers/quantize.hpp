// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "kernels/quantized.hpp"
#include "layers/layer.hpp"

namespace maskflow {

struct QuantizedWeight {
  std::string path;
  Shape shape;
  std::size_t bytes_before;
  std::size_t bytes;
  double largest_error;  // of an element
};

// Keeps the kernels of dense and recurrent layers, those inside included, in 8 bits from now on.
// Setting a weight makes it floats again. StateError for a layer that is not built.
std::vector<QuantizedWeight> quantize(const Layer& layer, kernels::Activations activations);

}  // namespace maskflow
