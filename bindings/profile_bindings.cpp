// SPDX-License-Identifier: MIT
// Times and work of layers; a table of its own, because a module may lack it.
#include <emscripten/bind.h>

#include <algorithm>

#include "base/scoped_value.hpp"
#include "held_layers.hpp"
#include "model/trace.hpp"

namespace maskflow::bindings {
namespace {

val& host_clock() {
  static val now = val::undefined();
  return now;
}

// Kept positions of the first mask that came, and all of its positions; 1 of 1 without a mask.
std::pair<double, double> kept_of(const TraceEvent& event) {
  for (const MaskPtr& mask : event.in) {
    if (mask == nullptr) continue;
    const auto values = mask->values().data<std::uint8_t>();
    return {static_cast<double>(values.size()) - static_cast<double>(std::ranges::count(values, 0)),
            static_cast<double>(values.size())};
  }
  return {1, 1};
}

val model_profile(LayerHandle handle, const val& args, const val& now) {
  return with_layer(handle, [&](const LayerPtr& layer) {
    const ScopedValue<val> scope(host_clock(), now);
    Trace trace([] { return host_clock()().as<double>(); });
    Frame frame;
    frame.observer = &trace;
    static_cast<void>(layer->run(args_from(args), frame));
    JsList list;
    for (const TraceEvent& event : trace.events()) {
      if (!event.is_layer) continue;
      JsObject entry;
      entry.set("layer", event.name);
      entry.set("path", event.path);
      entry.set("className", event.class_name);
      entry.set("depth", event.depth);
      entry.set("milliseconds", event.milliseconds);
      entry.set("flops", event.flops);
      const auto [kept, of] = kept_of(event);
      entry.set("kept", of == 0 ? 1 : kept / of);
      list.push(entry);
    }
    return list;
  });
}

EMSCRIPTEN_BINDINGS(maskflow_profile) { emscripten::function("modelProfile", &model_profile); }

}  // namespace
}  // namespace maskflow::bindings
