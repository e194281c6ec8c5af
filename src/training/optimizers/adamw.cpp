// SPDX-License-Identifier: MIT
#include "training/optimizers/adam.hpp"

namespace maskflow {
namespace {

// Loshchilov and Hutter 2017.
class AdamW final : public Adam {
 public:
  AdamW() { weight_decay_ = 0.004; }
  void check_config() const override {
    Adam::check_config();
    if (!weight_decay_) config_error("'weight_decay' is null; use Adam for no decay");
  }
};

const RegisterOptimizer<AdamW> registration{"AdamW", "Adam with weight decay."};

}  // namespace
}  // namespace maskflow
