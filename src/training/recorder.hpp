// SPDX-License-Identifier: MIT
#pragma once

#include "ops/frame.hpp"
#include "ops/tape.hpp"

namespace maskflow {

// The observer of calls that are differentiated: layers that have a rule are computed by it, others
// go on to what they are made of.
class Recorder final : public Observer {
 public:
  explicit Recorder(Tape& tape) : tape_(tape) {}
  Structure call(Layer& layer, const Args& args, Frame& frame) override;

 private:
  Tape& tape_;
};

}  // namespace maskflow
