// SPDX-License-Identifier: MIT
#include <algorithm>

#include "training/constraints/norm.hpp"

namespace maskflow {
namespace {

class MaxNorm final : public NormConstraint {
 public:
  void describe(Fields& fields) override {
    fields.field("max_value", max_, "Upper bound of the norm.");
    describe_axis(fields);
  }
  [[nodiscard]] float factor(float norm) const override {
    return std::clamp(norm, 0.0F, std::max(0.0F, static_cast<float>(max_))) / (kEpsilon + norm);
  }

 private:
  double max_ = 2;
};

const RegisterConstraint<MaxNorm> registration{"MaxNorm",
                                               "Scales down vectors whose norm exceeds maxValue."};

}  // namespace
}  // namespace maskflow
