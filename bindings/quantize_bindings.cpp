// SPDX-License-Identifier: MIT
// Quantization as JavaScript calls it. The module of recurrent layers does not link this table.
#include "bind.hpp"
#include "layer/quantize.hpp"

namespace maskflow::bindings {
namespace {

// `integers`: activations are rounded to 8 bits, too.
JsList layer_quantize(const LayerPtr& layer, bool integers) {
  const auto activations = integers ? kernels::Activations::kInt8 : kernels::Activations::kFloat;
  return list_of(quantize(*layer, activations), [](const QuantizedWeight& weight) {
    return object_of(Field{"path", weight.path}, Field{"shape", weight.shape},
                     Field{"bytesBefore", weight.bytes_before}, Field{"bytes", weight.bytes},
                     Field{"maxError", weight.largest_error}, Field{"quantized", weight.quantized});
  });
}

EMSCRIPTEN_BINDINGS(maskflow_quantize) { bind<&layer_quantize>("layerQuantize"); }

}  // namespace
}  // namespace maskflow::bindings
