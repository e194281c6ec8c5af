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
  double largest_error;  // of an element
  bool quantized;        // else it stays as it was
};

// Keeps the matrices that layers multiply with and the tables that they look rows up in, those of
// layers inside included, in 8 bits from now on; lists all weights. Setting a weight makes it
// floats again. ValueError where a number is not finite: then no weight is changed.
std::vector<QuantizedWeight> quantize(const Layer& layer, kernels::Activations activations);

}  // namespace maskflow
