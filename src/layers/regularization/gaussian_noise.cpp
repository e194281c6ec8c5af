// SPDX-License-Identifier: MIT
#include <cmath>

#include "layer/layer.hpp"
#include "layer/random_source.hpp"
#include "ops/ops.hpp"

namespace maskflow {
namespace {

// When training, GaussianNoise adds normal numbers around 0 and GaussianDropout multiplies by those
// around 1; the class name says which one this is.
class GaussianNoise final : public Layer {
 public:
  GaussianNoise() {
    supports_masking_ = true;
    streaming_ = Streaming::kEachStep;
  }
  void describe(Fields& fields) override {
    Layer::describe(fields);
    if (adds()) {
      fields.field("stddev", amount_, "Standard deviation of the noise, 0 to 1.",
                   FieldKind::kRequired);
    } else {
      fields.field("rate", amount_, "The noise has the variance rate / (1 - rate); 0 to 1.",
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
    // The very tensor, as in Keras: who strips its mask strips both.
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
  [[nodiscard]] bool adds() const { return class_name() == "GaussianNoise"; }
  double amount_ = 0;
  RandomSource random_;
};

const RegisterLayer<GaussianNoise> noise{
    "GaussianNoise",
    "Adds normal noise when training; does nothing otherwise. Passes the mask on."};
const RegisterLayer<GaussianNoise> dropout{
    "GaussianDropout",
    "Multiplies by normal noise around 1 when training; does nothing otherwise. Passes the mask "
    "on."};

}  // namespace
}  // namespace maskflow
