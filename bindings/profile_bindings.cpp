// SPDX-License-Identifier: MIT
// Profiles as JavaScript calls them. The module of recurrent layers does not link this table.
#include <algorithm>

#include "base/scoped_value.hpp"
#include "bind.hpp"
#include "model/trace.hpp"

namespace maskflow::bindings {
namespace {

val& host_clock() {
  static val clock = val::undefined();
  return clock;
}

// Returns the share of positions that the first input mask keeps; 1 without a mask.
double kept_share(const TraceEvent& event) {
  for (const MaskPtr& mask : event.in) {
    if (mask == nullptr) continue;
    const auto values = mask->values().data<std::uint8_t>();
    const auto size = static_cast<double>(values.size());
    return size == 0 ? 1 : (size - static_cast<double>(std::ranges::count(values, 0))) / size;
  }
  return 1;
}

// `clock` returns milliseconds.
JsList model_profile(const LayerPtr& layer, const Args& args, const val& clock) {
  const ScopedValue<val> scope(host_clock(), clock);
  Trace trace([] { return host_clock()().as<double>(); });
  Frame frame;
  frame.training = false;
  frame.observer = &trace;
  static_cast<void>(layer->run(args, frame));
  JsList rows;
  for (const TraceEvent& event : trace.events()) {
    if (!event.is_layer) continue;
    rows.push(object_of(Field{"layer", event.name}, Field{"path", event.path},
                        Field{"className", event.class_name}, Field{"depth", event.depth},
                        Field{"milliseconds", event.milliseconds}, Field{"flops", event.flops},
                        Field{"kept", kept_share(event)}));
  }
  return rows;
}

EMSCRIPTEN_BINDINGS(maskflow_profile) { bind<&model_profile>("modelProfile"); }

}  // namespace
}  // namespace maskflow::bindings
