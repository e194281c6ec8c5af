// SPDX-License-Identifier: MIT
#pragma once

#include "ops/frame.hpp"
#include "ops/tape.hpp"

namespace maskflow {

// The observer of calls that are differentiated. A layer with a gradient rule is computed by the
// rule; any other layer runs, and the layers and ops that it calls are recorded. Equal rows are
// computed once where Layer::compute does so, forward and backward.
class Recorder final : public Observer {
 public:
  explicit Recorder(Tape& tape) : tape_(tape) {}
  Structure call(Layer& layer, const Args& args, Frame& frame) override;

 private:
  Structure record(Layer& layer, const Args& args, Frame& frame);

  Tape& tape_;
};

}  // namespace maskflow
