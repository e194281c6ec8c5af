// SPDX-License-Identifier: MIT
#include <cmath>
#include <numbers>

#include "training/schedules/decay.hpp"

namespace maskflow {
namespace {

class CosineDecayRestarts final : public Decay {
 public:
  CosineDecayRestarts() : Decay("SGDRDecay") {}
  void describe(Fields& fields) override {
    describe_decay(fields, "first_decay_steps");
    fields.field("t_mul", growth_,
                 "Length of each period as a multiple of the previous one's length.");
    fields.field("m_mul", rate_factor_,
                 "Initial rate of each period as a multiple of the previous one's.");
    fields.field("alpha", alpha_,
                 "Lower bound of the rate as a share of the initial rate, from 0 to 1.");
    describe_name(fields);
  }
  [[nodiscard]] float operator()(float step) const override {
    const auto growth = static_cast<float>(growth_);
    float progress = step / steps();
    float restarts;
    if (growth == 1) {
      restarts = std::floor(progress);
      progress -= restarts;
    } else {
      restarts = std::floor(std::log(1 - progress * (1 - growth)) / std::log(growth));
      const float length = std::pow(growth, restarts);
      progress = (progress - (1 - length) / (1 - growth)) / length;
    }
    const auto alpha = static_cast<float>(alpha_);
    const float cosine = 0.5F * std::pow(static_cast<float>(rate_factor_), restarts) *
                         (1 + std::cos(std::numbers::pi_v<float> * progress));
    return initial() * ((1 - alpha) * cosine + alpha);
  }

 private:
  double growth_ = 2;
  double rate_factor_ = 1;
  double alpha_ = 0;
};

const RegisterSchedule<CosineDecayRestarts> registration{
    "CosineDecayRestarts",
    "Falls along half a cosine in each period, then starts again (Loshchilov & Hutter 2016)."};

}  // namespace
}  // namespace maskflow
