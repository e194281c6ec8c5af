// SPDX-License-Identifier: MIT
#include <cmath>

#include "layer/layer.hpp"
#include "layer/random_source.hpp"
#include "ops/ops.hpp"

namespace maskflow {
namespace {

enum class NoiseKind : std::uint8_t { kAdded, kMultiplied };

// In training, GaussianNoise adds normal noise with mean 0; GaussianDropout multiplies by normal
// noise with mean 1.
class GaussianNoise final : public Layer {
 public:
  explicit GaussianNoise(NoiseKind kind) : kind_(kind) {
    supports_masking_ = true;
    streaming_ = Streaming::kEachStep;
  }
  void describe(Fields& fields) override {
    Layer::describe(fields);
    if (adds()) {
      fields.field("stddev", amount_, "Standard deviation of the noise, from 0 to 1.",
                   FieldKind::kRequired);
    } else {
      fields.field("rate", amount_, "The variance of the noise is rate / (1 - rate); from 0 to 1.",
                   FieldKind::kRequired);
    }
    random_.describe(fields);
  }
  void check_config() const override {
    if (amount_ >= 0 && amount_ <= 1) return;
    config_error("'", adds() ? "stddev" : "rate", "' is ", amount_, " but must be 0 to 1");
  }
  Structure call(const Args& args, Frame& frame) override {
    const Tensor& x = args.inputs.front();
    // As in Keras, the same tensor is returned, so removing its mask affects the input, too.
    if (!frame.trains() || amount_ == 0) return {x};
    const double deviation = adds() ? amount_ : std::sqrt(amount_ / (1 - amount_));
    const double mean = adds() ? 0 : 1;
    Tensor noise(DType::kFloat32, x.shape());
    Random& random = random_.numbers();
    for (float& value : noise.mutable_data<float>()) {
      value = static_cast<float>(mean + deviation * random.normal());
    }
    return {adds() ? ops::add(x, noise) : ops::multiply(x, noise)};
  }

 private:
  [[nodiscard]] bool adds() const { return kind_ == NoiseKind::kAdded; }

  NoiseKind kind_;
  double amount_ = 0;
  RandomSource random_;
};

const RegisterLayer<GaussianNoise, NoiseKind::kAdded> noise{
    "GaussianNoise",
    "In training, adds normal noise with mean 0. Otherwise returns its input. Passes the mask "
    "through.",
    {.composed = true, .built_at_init = true, .in_tfjs = true}};
const RegisterLayer<GaussianNoise, NoiseKind::kMultiplied> dropout{
    "GaussianDropout",
    "In training, multiplies by normal noise with mean 1. Otherwise returns its input. Passes the "
    "mask through.",
    {.composed = true, .built_at_init = true, .in_tfjs = true}};

}  // namespace
}  // namespace maskflow
