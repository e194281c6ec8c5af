// SPDX-License-Identifier: MIT
#include <algorithm>

#include "training/constraints/norm.hpp"

namespace maskflow {
namespace {

class MinMaxNorm final : public NormConstraint {
 public:
  void describe(Fields& fields) override {
    fields.field("min_value", min_, "Lower bound of the norm.");
    fields.field("max_value", max_, "Upper bound of the norm.");
    fields.field("rate", rate_,
                 "Share of the distance to the bound that a step covers, from 0 to 1.");
    describe_axis(fields);
  }
  void check_config() const override {
    NormConstraint::check_config();
    if (!(min_ <= max_)) config_error("'min_value' is ", min_, " but 'max_value' is ", max_);
  }
  [[nodiscard]] float factor(float norm) const override {
    const auto rate = static_cast<float>(rate_);
    const float inside = std::clamp(norm, static_cast<float>(min_), static_cast<float>(max_));
    return (rate * inside + static_cast<float>(1 - rate_) * norm) / (kEpsilon + norm);
  }

 private:
  double min_ = 0;
  double max_ = 1;
  double rate_ = 1;
};

const RegisterConstraint<MinMaxNorm> registration{
    "MinMaxNorm", "Scales vectors so that their norm is between minValue and maxValue."};

}  // namespace
}  // namespace maskflow
