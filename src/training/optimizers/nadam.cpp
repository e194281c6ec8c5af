// SPDX-License-Identifier: MIT
#include <cmath>

#include "training/optimizers/adam.hpp"
#include "training/update.hpp"

namespace maskflow {
namespace {

using kernels::Vec;

class Nadam final : public Optimizer {
 public:
  void describe(Fields& fields) override {
    Optimizer::describe(fields);
    describe_moments(fields, moments_);
  }

 private:
  void make_slots(PatternSearch /*search*/) override {
    add_slots({"momentum", "velocity"});
    product_ = add_state("variable", {}, DType::kFloat32, 1, false);
  }
  // Returns the momentum of a step, which grows from half of beta_1 to beta_1.
  [[nodiscard]] float momentum(float count) const {
    return static_cast<float>(moments_.beta_1) * (1 - 0.5F * std::pow(0.96F, count));
  }
  void begin_update(float count) override {
    product_->writable().mutable_data<float>()[0] *= momentum(count);
  }
  void update(const Step& step) override {
    const float current = momentum(step.count);
    const float next = momentum(step.count + 1);
    const float product = product_->data()[0];
    const Vec mean_factor(next / (1 - product * next));
    const Vec gradient_factor((1 - current) / (1 - product));
    const Vec correction(bias_correction(moments_.beta_2, step.count));
    const Vec rate(step.learning_rate);
    const Vec toward_1(static_cast<float>(1 - moments_.beta_1));
    const Vec toward_2(static_cast<float>(1 - moments_.beta_2));
    const Vec epsilon(static_cast<float>(moments_.epsilon));
    update_each<2>(step, [=](Vec& w, const Vec& g, auto& slots) {
      slots[0] += (g - slots[0]) * toward_1;
      slots[1] += (g * g - slots[1]) * toward_2;
      const Vec moment = mean_factor * slots[0] + gradient_factor * g;
      w -= moment * rate / (xsimd::sqrt(slots[1] / correction) + epsilon);
    });
  }

  Moments moments_;
  VariablePtr product_;  // Product of the momentums of all steps so far.
};

const RegisterOptimizer<Nadam> registration{"Nadam", "Adam with Nesterov momentum (Dozat 2016)."};

}  // namespace
}  // namespace maskflow
