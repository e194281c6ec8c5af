// SPDX-License-Identifier: MIT
#include "layers/core/embedding_gradient.hpp"

namespace maskflow {
namespace {

// The gradient of the table: the sum of the cotangents for each of its rows.
Tensor table_gradient(const Shape& table, const std::vector<std::int32_t>& rows,
                      const Tensor& cotangent) {
  Tensor gradient = Tensor::zeros(DType::kFloat32, table);
  const auto width = static_cast<std::size_t>(table.back());
  const float* from = cotangent.floats();
  float* const to = gradient.mutable_floats();
  for (const std::int32_t row : rows) {
    float* const sum = to + static_cast<std::size_t>(row) * width;
    for (std::size_t i = 0; i < width; ++i) sum[i] += from[i];
    from += width;
  }
  return gradient;
}

}  // namespace

Structure record_lookup(Layer& layer, const Args& args, Frame& frame, Tape& tape) {
  Structure result = layer.call(args, frame);
  const Tensor table = layer.own_weights().front()->value();
  const Tensor& looked_up = result.tensors.front();
  // Without ids, the result is not a lookup, so there is nothing to record.
  const Lookup* const lookup = looked_up.lookup();
  const std::vector<std::int32_t> rows =
      lookup == nullptr ? std::vector<std::int32_t>() : lookup->rows;
  tape.record({&table, 1}, {&looked_up, 1},
              [shape = table.shape(), rows](const Tensors& cotangents) -> Tensors {
                return {table_gradient(shape, rows, cotangents[0])};
              });
  return result;
}

namespace {
constexpr LayerGradient kGradients[] = {{"Embedding", record_lookup}};
const RegisterLayerGradients registration{kGradients};
}  // namespace
}  // namespace maskflow
