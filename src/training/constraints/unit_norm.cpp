// SPDX-License-Identifier: MIT
#include "training/constraints/norm.hpp"

namespace maskflow {
namespace {

class UnitNorm final : public NormConstraint {
 public:
  void describe(Fields& fields) override { describe_axis(fields); }
  [[nodiscard]] float factor(float norm) const override { return 1 / (kEpsilon + norm); }
};

const RegisterConstraint<UnitNorm> registration{"UnitNorm", "Scales vectors to norm 1."};

}  // namespace
}  // namespace maskflow
