// SPDX-License-Identifier: MIT
#include "training/optimizers/adam.hpp"

namespace maskflow {
namespace {

class AdamW final : public Adam {
 public:
  AdamW() { weight_decay_ = 0.004; }
  void check_config() const override {
    Adam::check_config();
    if (!weight_decay_) config_error("'weight_decay' is null; use Adam to train without decay");
  }
};

const RegisterOptimizer<AdamW> registration{
    "AdamW",
    "Adam with weight decay, which is applied to the weights directly (Loshchilov & Hutter 2017)."};

}  // namespace
}  // namespace maskflow
