// SPDX-License-Identifier: MIT
// What tracing notes of the call of a layer.
#include <algorithm>

#include "kernels/work.hpp"
#include "layer/layer.hpp"

namespace maskflow {

Tensors Layer::call_traced(const Args& args, const Masks& previous, bool explicit_mask) {
  std::vector<TraceEvent>* const trace = Context::current().trace;
  if (trace == nullptr) return attach_masks(args, call(args), previous);
  const std::size_t place = trace->size();
  TraceEvent event;
  event.name = name_;
  for (const std::string& part : Context::current().path) {
    event.path += (event.path.empty() ? "" : "/") + part;
  }
  event.class_name = class_name_;
  event.is_layer = true;
  event.depth = static_cast<int>(Context::current().path.size()) - 2;
  event.explicit_mask = explicit_mask;
  event.supports_masking = supports_masking();
  event.takes_mask = takes_mask();
  event.mask_ignored = takes_mask() && !args.mask && any_mask(previous);
  event.mask_taken = std::ranges::any_of(args.inputs, &Tensor::mask_taken);
  event.in = previous;
  event.shapes_in = shapes_of(args.inputs);
  trace->push_back(event);
  double (*const clock)() = Context::current().clock;
  const double work = kernels::flops();
  const double start = clock == nullptr ? 0 : clock();
  Tensors results = call(args);
  const double end = clock == nullptr ? 0 : clock();
  Tensors outputs = attach_masks(args, std::move(results), previous);
  (*trace)[place].milliseconds = end - start;
  (*trace)[place].flops = kernels::flops() - work;
  (*trace)[place].out = masks_of(outputs);
  (*trace)[place].shapes_out = shapes_of(outputs);
  return outputs;
}

}  // namespace maskflow
