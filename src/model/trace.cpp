// SPDX-License-Identifier: MIT
#include "model/trace.hpp"

#include <algorithm>

#include "kernels/flops.hpp"
#include "layer/layer.hpp"

namespace maskflow {
namespace {

std::string path_of(const Frame& frame) {
  std::string path(frame.name());
  for (const Frame* outer = frame.outer(); outer != nullptr; outer = outer->outer()) {
    if (!outer->name().empty()) path = text(outer->name(), "/", path);
  }
  return path;
}

}  // namespace

void Trace::layer_begins(const LayerCall& call, const Frame& frame) {
  TraceEvent event;
  event.name = call.layer.name();
  event.path = path_of(frame);
  event.class_name = call.layer.class_name();
  event.is_layer = true;
  event.depth = frame.depth() - 2;
  event.explicit_mask = call.explicit_mask;
  event.supports_masking = call.layer.supports_masking();
  event.takes_mask = call.layer.takes_mask();
  event.mask_ignored = call.layer.takes_mask() && !call.args.mask && any_mask(call.masks);
  event.mask_taken = std::ranges::any_of(call.args.inputs, &Tensor::mask_taken);
  event.in = call.masks;
  event.shapes_in = shapes_of(call.args.inputs);
  events_.push_back(std::move(event));
  running_.push_back(
      {&call, events_.size() - 1, clock_ == nullptr ? 0 : clock_(), kernels::flops()});
}

void Trace::layer_ends(const LayerCall& call, const Structure& result) {
  while (running_.back().call != &call) running_.pop_back();
  const Running begun = running_.back();
  running_.pop_back();
  TraceEvent& event = events_[begun.event];
  if (clock_ != nullptr) event.milliseconds = clock_() - begun.milliseconds;
  event.flops = kernels::flops() - begun.flops;
  event.out = masks_of(result.tensors);
  event.shapes_out = shapes_of(result.tensors);
  if (keeps_results_) event.results = result.tensors;
}

void Trace::op_ends(std::string_view name, std::span<const Tensor> operands, const Tensors& results,
                    const Frame& frame) {
  TraceEvent event;
  event.name = event.class_name = std::string(name);
  event.path = text(path_of(frame), "/", name);
  event.depth = frame.depth() - 1;
  event.for_mask = frame.for_mask;
  event.in = masks_of(operands);
  event.out = masks_of(results);
  event.shapes_in = shapes_of(operands);
  event.shapes_out = shapes_of(results);
  if (keeps_results_) event.results = results;
  events_.push_back(std::move(event));
}

}  // namespace maskflow
