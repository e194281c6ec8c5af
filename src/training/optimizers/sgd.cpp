// SPDX-License-Identifier: MIT
#include "training/update.hpp"

namespace maskflow {
namespace {

using kernels::Vec;

class Sgd final : public Optimizer {
 public:
  Sgd() : Optimizer(0.01) {}
  void describe(Fields& fields) override {
    Optimizer::describe(fields);
    fields.field("momentum", momentum_,
                 "Share of the previous step in each step, from 0 to 1; 0: no momentum.");
    fields.field("nesterov", nesterov_, "Whether to use Nesterov momentum.");
  }
  void check_config() const override {
    Optimizer::check_config();
    if (!(momentum_ >= 0 && momentum_ <= 1)) {
      config_error("'momentum' is ", momentum_, " but must be from 0 to 1");
    }
  }

 private:
  void make_slots(PatternSearch /*search*/) override {
    if (momentum_ != 0) add_slots({"momentum"});
  }
  void update(const Step& step) override {
    const Vec rate(step.learning_rate);
    const Vec momentum(static_cast<float>(momentum_));
    if (momentum_ == 0) {
      update_each<0>(step, [=](Vec& w, const Vec& g, auto&) { w -= g * rate; });
    } else if (nesterov_) {
      update_each<1>(step, [=](Vec& w, const Vec& g, auto& slots) {
        slots[0] = slots[0] * momentum - g * rate;
        w += slots[0] * momentum - g * rate;
      });
    } else {
      update_each<1>(step, [=](Vec& w, const Vec& g, auto& slots) {
        slots[0] = slots[0] * momentum - g * rate;
        w += slots[0];
      });
    }
  }

  double momentum_ = 0;
  bool nesterov_ = false;
};

const RegisterOptimizer<Sgd> registration{
    "SGD",
    "Gradient descent with optional momentum: step = momentum * step - learningRate * gradient."};

}  // namespace
}  // namespace maskflow
