// SPDX-License-Identifier: MIT
// Quantization as JavaScript calls it. The module of recurrent layers does not link this table.
#include "bind.hpp"
#include "layer/quantize.hpp"

namespace maskflow::bindings {
namespace {

// Quantizes a layer. With `integers`, activations are rounded to 8 bits, too.
kernels::Activations activations_of(bool integers) {
  return integers ? kernels::Activations::kInt8 : kernels::Activations::kFloat;
}

JsList layer_quantize(const LayerPtr& layer, bool integers) {
  return list_of(quantize(*layer, activations_of(integers)), [](const QuantizedWeight& weight) {
    return object_of(Field{"path", weight.path}, Field{"shape", weight.shape},
                     Field{"bytesBefore", weight.bytes_before}, Field{"bytes", weight.bytes},
                     Field{"maxError", weight.largest_error}, Field{"quantized", weight.quantized});
  });
}

void layer_quantize_weight(const LayerPtr& layer, int index, bool integers) {
  quantize_weight(layer->weights().at(static_cast<std::size_t>(index)), activations_of(integers));
}

EMSCRIPTEN_BINDINGS(maskflow_quantize) {
  bind<&layer_quantize>("layerQuantize");
  bind<&layer_quantize_weight>("layerQuantizeWeight");
}

}  // namespace
}  // namespace maskflow::bindings
