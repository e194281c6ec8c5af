// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "ops/frame.hpp"

namespace maskflow {

// A call of a layer or op during a trace.
struct TraceEvent {
  std::string name;
  std::string path;  // Names of the enclosing layers and of this one, joined by '/'.
  std::string class_name;
  bool is_layer = false;
  int depth = 0;  // Number of enclosing calls; 0 if the traced model itself makes the call.
  bool explicit_mask = false;
  bool supports_masking = false;
  bool takes_mask = false;
  bool mask_ignored = false;  // Whether a mask was attached that the call protocol did not pass.
  bool mask_taken = false;    // Whether another layer has removed the mask of an input.
  bool for_mask = false;      // Whether this is an op whose result is only used for masks.
  Masks in, out;
  std::vector<Shape> shapes_in, shapes_out;
  Tensors results;          // Empty unless the trace keeps results.
  double milliseconds = 0;  // Time of the call and the calls inside it; 0 without a clock.
  double flops = 0;         // Floating-point operations of the matrix products in them.
};

// Records the calls of layers and ops, in the order in which they begin.
class Trace final : public Observer {
 public:
  // `clock` returns milliseconds; null if no time is measured. `keeps_results`: whether events have
  // the results of their calls.
  explicit Trace(double (*clock)() = nullptr, bool keeps_results = false)
      : clock_(clock), keeps_results_(keeps_results) {}
  void layer_begins(const LayerCall& call, const Frame& frame) override;
  void layer_ends(const LayerCall& call, const Structure& result) override;
  void op_ends(std::string_view name, std::span<const Tensor> operands, const Tensors& results,
               const Frame& frame) override;
  [[nodiscard]] bool repeats_warnings() const override { return clock_ == nullptr; }
  [[nodiscard]] const std::vector<TraceEvent>& events() const { return events_; }

 private:
  // A call that has begun. A call that failed with an error that a layer caught remains here until
  // a call around it ends.
  struct Running {
    const LayerCall* call;
    std::size_t event;
    double milliseconds, flops;  // Time and operations when the call began.
  };

  std::vector<TraceEvent> events_;
  std::vector<Running> running_;
  double (*clock_)();
  bool keeps_results_;
};

}  // namespace maskflow
