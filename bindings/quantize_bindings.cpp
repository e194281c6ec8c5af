// SPDX-License-Identifier: MIT
// Quantization, which a module may lack.
#include <emscripten/bind.h>

#include "held_layers.hpp"
#include "layer/quantize.hpp"

namespace maskflow::bindings {
namespace {

val layer_quantize(LayerHandle handle, bool integers) {
  return with_layer(handle, [&](const LayerPtr& layer) {
    const auto activations = integers ? kernels::Activations::kInt8 : kernels::Activations::kFloat;
    JsList list;
    for (const QuantizedWeight& weight : quantize(*layer, activations)) {
      JsObject entry;
      entry.set("path", weight.path);
      entry.set("shape", to_js(weight.shape));
      entry.set("bytesBefore", static_cast<double>(weight.bytes_before));
      entry.set("bytes", static_cast<double>(weight.bytes));
      entry.set("maxError", weight.largest_error);
      entry.set("quantized", weight.quantized);
      list.push(entry);
    }
    return list;
  });
}

EMSCRIPTEN_BINDINGS(maskflow_quantize) { emscripten::function("layerQuantize", &layer_quantize); }

}  // namespace
}  // namespace maskflow::bindings
