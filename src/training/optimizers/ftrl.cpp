// SPDX-License-Identifier: MIT
#include <cmath>
#include <utility>

#include "training/update.hpp"

namespace maskflow {
namespace {

using kernels::Vec;

class Ftrl final : public Optimizer {
 public:
  void describe(Fields& fields) override {
    Optimizer::describe(fields);
    fields.field("learning_rate_power", power_,
                 "Exponent of the sum of squares in the learning rate of each element; at most 0.");
    fields.field("initial_accumulator_value", start_,
                 "Initial value of the sums of squares; at least 0.");
    fields.field("l1_regularization_strength", l1_, "Strength of the L1 penalty; at least 0.");
    fields.field("l2_regularization_strength", l2_, "Strength of the L2 penalty; at least 0.");
    fields.field("l2_shrinkage_regularization_strength", shrinkage_,
                 "Strength of an L2 penalty that the sums of squares leave out; at least 0.");
    fields.field(
        "beta", beta_,
        "The paper's beta: adds beta / (2 * learningRate) to the strength of the L2 penalty.");
  }
  void check_config() const override {
    Optimizer::check_config();
    if (!(power_ <= 0)) config_error("'learning_rate_power' is ", power_, " but must be at most 0");
    const std::pair<const char*, double> settings[] = {
        {"initial_accumulator_value", start_},
        {"l1_regularization_strength", l1_},
        {"l2_regularization_strength", l2_},
        {"l2_shrinkage_regularization_strength", shrinkage_}};
    for (const auto& [name, value] : settings) {
      if (!(value >= 0)) config_error("'", name, "' is ", value, " but must be at least 0");
    }
  }

 private:
  void make_slots(PatternSearch /*search*/) override {
    for (Entry& entry : entries()) {
      entry.slots = {add_slot(entry, "accumulator", start_), add_slot(entry, "linear")};
    }
  }
  void update(const Step& step) override {
    if (power_ == -0.5) return update_with(step, [](const Vec& x) { return xsimd::sqrt(x); });
    update_with(step, [power = static_cast<float>(-power_)](const Vec& x) {
      alignas(64) float numbers[kernels::kLanes];
      x.store_unaligned(numbers);
      for (float& number : numbers) number = std::pow(number, power);
      return Vec::load_unaligned(numbers);
    });
  }
  template <class Power>
  void update_with(const Step& step, const Power& power) {
    const Vec rate(step.learning_rate);
    const Vec twice_l2(
        2 * (static_cast<float>(l2_) + static_cast<float>(beta_) / (2 * step.learning_rate)));
    const Vec shrinkage(static_cast<float>(2 * shrinkage_));
    const Vec l1(static_cast<float>(l1_));
    update_each<2>(step, [=](Vec& w, const Vec& g, auto& slots) {
      const Vec before = power(slots[0]);
      slots[0] += g * g;
      const Vec after = power(slots[0]);
      Vec& linear = slots[1];
      linear += g + shrinkage * w - (after - before) / rate * w;
      const Vec cut = xsimd::select(linear > l1, l1, xsimd::select(linear < -l1, -l1, linear));
      w = (cut - linear) / (after / rate + twice_l2);
    });
  }

  double power_ = -0.5;
  double start_ = 0.1;
  double l1_ = 0;
  double l2_ = 0;
  double shrinkage_ = 0;
  double beta_ = 0;
};

const RegisterOptimizer<Ftrl> registration{"Ftrl",
                                           "Follows the regularized leader, for shallow models "
                                           "with many sparse features (McMahan et al. 2013)."};

}  // namespace
}  // namespace maskflow
