// SPDX-License-Identifier: MIT
#include <algorithm>

#include "training/constraints/norm.hpp"

namespace maskflow {
namespace {

class MinMaxNorm final : public NormConstraint {
 public:
  void describe(Fields& fields) override {
    fields.field("min_value", min_, "The smallest norm that a vector may have.");
    fields.field("max_value", max_, "The largest.");
    fields.field("rate", rate_, "How far a vector goes there in a step, up to 1: all the way.");
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

const RegisterConstraint<MinMaxNorm> registration{"MinMaxNorm",
                                                  "Keeps the norm of vectors between two numbers."};

}  // namespace
}  // namespace maskflow
