// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "ops/frame.hpp"

namespace maskflow {

// One layer or op that ran while tracing.
struct TraceEvent {
  std::string name;
  std::string path;  // names of the enclosing layers and its own, joined by '/'
  std::string class_name;
  bool is_layer = false;
  int depth = 0;  // 0: called by the traced model itself
  bool explicit_mask = false;
  bool supports_masking = false;
  bool takes_mask = false;
  bool mask_ignored = false;  // a mask was attached, but the rules of the call did not deliver it
  bool mask_taken = false;    // an input had a mask that another layer has taken off
  bool for_mask = false;  // an op whose result is nothing but a mask of the graph, or part of it
  Masks in, out;
  std::vector<Shape> shapes_in, shapes_out;
  double milliseconds = 0;  // with all that it called, where there is a clock
  double flops = 0;         // of matrix products, likewise
};

// Notes what runs, in the order in which it begins.
class Trace final : public Observer {
 public:
  // `clock`: milliseconds, for those who time what they trace.
  explicit Trace(double (*clock)() = nullptr) : clock_(clock) {}
  void layer_begins(const LayerCall& call, const Frame& frame) override;
  void layer_ends(const LayerCall& call, const Structure& result) override;
  void op_ends(std::string_view name, std::span<const Tensor> operands, const Tensors& results,
               const Frame& frame) override;
  [[nodiscard]] const std::vector<TraceEvent>& events() const { return events_; }

 private:
  // A call that has begun. Those that failed, and whose error code of a layer has caught, are still
  // there when one around them ends.
  struct Running {
    const LayerCall* call;
    std::size_t event;
    double milliseconds, flops;  // at its beginning
  };

  std::vector<TraceEvent> events_;
  std::vector<Running> running_;
  double (*clock_)();
};

}  // namespace maskflow
