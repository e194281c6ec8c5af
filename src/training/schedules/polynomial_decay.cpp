// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include "training/schedules/decay.hpp"

namespace maskflow {
namespace {

class PolynomialDecay final : public Decay {
 public:
  PolynomialDecay() : Decay("PolynomialDecay") {}
  void describe(Fields& fields) override {
    describe_decay(fields);
    fields.field("end_learning_rate", end_, "The rate at the end.");
    fields.field("power", power_, "Of the polynomial; 1: along a line.");
    fields.field("cycle", cycle_, "Begin anew, with more steps, at the end?");
    describe_name(fields);
  }
  [[nodiscard]] float operator()(float step) const override {
    float all = steps();
    if (cycle_) {
      all *= step == 0 ? 1 : std::ceil(step / all);
    } else {
      step = std::min(step, all);
    }
    const auto end = static_cast<float>(end_);
    return (initial() - end) * std::pow(1 - step / all, static_cast<float>(power_)) + end;
  }

 private:
  double end_ = 1e-4;
  double power_ = 1;
  bool cycle_ = false;
};

const RegisterSchedule<PolynomialDecay> registration{
    "PolynomialDecay", "From one rate to another along a polynomial."};

}  // namespace
}  // namespace maskflow
