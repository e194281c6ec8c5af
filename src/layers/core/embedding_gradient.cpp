// SPDX-License-Identifier: MIT
#include "layers/core/embedding_gradient.hpp"

namespace maskflow {

Structure record_lookup(Layer& layer, const Args& args, Frame& frame, Tape& tape) {
  Structure result = layer.call(args, frame);
  const Tensor& rows = result.tensors.front();
  // Without ids, the result is not a lookup.
  const Lookup* const lookup = rows.lookup();
  tape.record_selection(layer.own_weights().front()->value(),
                        lookup == nullptr ? std::vector<std::int32_t>() : lookup->rows, rows);
  return result;
}

namespace {
constexpr LayerGradient kGradients[] = {{"Embedding", record_lookup}};
const RegisterLayerGradients registration{kGradients};
}  // namespace
}  // namespace maskflow
