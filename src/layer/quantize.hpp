// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "kernels/quantized.hpp"
#include "layer/layer.hpp"

namespace maskflow {

struct QuantizedWeight {
  std::string path;
  Shape shape;
  std::size_t bytes_before;  // as floats
  std::size_t bytes;
  double largest_error;  // largest absolute difference of an element
  bool quantized;        // false: the weight is unchanged
};

// Converts to 8 bits the matrices that layers multiply by and the tables in which they look up
// rows, also those of inner layers, and returns all weights. Setting a weight makes it floats
// again. Throws ValueError if a number is not finite; then no weight is changed.
std::vector<QuantizedWeight> quantize(const Layer& layer, kernels::Activations activations);

// Converts one weight as `quantize` does, without computing its errors: at most the floats of this
// weight and its 8-bit form are in memory at once.
void quantize_weight(const Layer::Weight& weight, kernels::Activations activations);

}  // namespace maskflow
