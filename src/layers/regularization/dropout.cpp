// SPDX-License-Identifier: MIT
#include <cmath>

#include "layer/layer.hpp"
#include "layer/random_source.hpp"
#include "ops/ops.hpp"

namespace maskflow {
namespace {

// Layers that change a random share of the values when training and do nothing otherwise:
// Dropout (Srivastava et al. 2014) sets them to zero and scales the others by 1 / (1 - rate),
// SpatialDropout1D does so with whole features, AlphaDropout (Klambauer et al. 2017) sets them to
// what SELU tends to and keeps mean and variance. The class name says which one this is.
class Dropout final : public Layer {
 public:
  Dropout() {
    supports_masking_ = true;
    streaming_ = Streaming::kEachStep;
  }
  void describe(Fields& fields) override {
    Layer::describe(fields);
    fields.field("rate", rate_, "Share of values that are dropped when training, 0 to 1.",
                 FieldKind::kRequired);
    if (spatial()) {
      // Its configuration has no other than null.
      fields.ignored({"noise_shape"});
      if (fields.has("noise_shape")) {
        config_error("SpatialDropout1D has a 'noise_shape' of its own; leave it out");
      }
    } else {
      fields.field("noise_shape", noise_shape_,
                   "Shape of the random mask: 1 where it is shared, null where it is that of the "
                   "input; null: that of the input.",
                   FieldKind::kOptionalList);
    }
    random_.describe(fields);
  }
  // Keras's SpatialDropout1D neither writes nor takes `trainable`.
  [[nodiscard]] Dict get_config() override {
    const Dict all = Layer::get_config();
    if (!spatial()) return all;
    Dict written;
    for (const auto& [key, value] : all.entries()) {
      if (key != "trainable") written[key] = value;
    }
    return written;
  }
  void check_config() const override {
    if (!(rate_ >= 0 && rate_ <= 1)) config_error("'rate' is ", rate_, " but must be 0 to 1");
    for (const std::optional<int>& dim : noise_shape_.value_or(Dims())) {
      if (dim) require_positive("noise_shape", *dim);
    }
  }
  [[nodiscard]] int rank() const override { return spatial() ? 3 : 0; }

  Structure call(const Args& args, Frame& frame) override {
    const Tensor& x = args.inputs.front();
    // The very tensor, as in Keras: who strips its mask strips both.
    if (!frame.trains() || rate_ == 0) return {x};
    if (class_name() == "AlphaDropout") return {alpha_dropped(x)};
    if (rate_ == 1) return {Tensor::zeros(x.dtype(), x.shape())};
    return {ops::multiply(x, keep(x.shape(), 1.0 / (1.0 - rate_)))};
  }

 private:
  using Dims = std::vector<std::optional<int>>;
  [[nodiscard]] bool spatial() const { return class_name() == "SpatialDropout1D"; }
  [[nodiscard]] Shape noise_for(const Shape& input) const {
    Shape shape = input;
    if (spatial()) shape.set(1, 1);
    if (!noise_shape_) return shape;
    shape = {};
    for (const std::optional<int>& dim : *noise_shape_) {
      shape.push_back(dim ? *dim : input[shape.rank()]);
    }
    return shape;
  }
  // 0 with probability `rate`, else `kept`.
  [[nodiscard]] Tensor keep(const Shape& input, double kept) {
    Tensor noise(DType::kFloat32, noise_for(input));
    Random& random = random_.numbers();
    for (float& value : noise.mutable_data<float>()) {
      value = random.uniform() < rate_ ? 0.0F : static_cast<float>(kept);
    }
    return noise;
  }
  [[nodiscard]] Tensor alpha_dropped(const Tensor& x) {
    const auto number = [](double value) { return Tensor::scalar(DType::kFloat32, value); };
    constexpr double kLimit = -1.6732632423543772 * 1.0507009873554805;
    const double scale = 1 / std::sqrt((1 - rate_) * (1 + rate_ * kLimit * kLimit));
    const Tensor dropped = ops::where(keep(x.shape(), 1), x, number(kLimit));
    return ops::add(ops::multiply(dropped, number(scale)), number(-scale * kLimit * rate_));
  }

  double rate_ = 0;
  std::optional<Dims> noise_shape_;
  RandomSource random_;
};

const RegisterLayer<Dropout> dropout{"Dropout",
                                     "Sets a random share of the values to zero when training; "
                                     "does nothing otherwise. Passes the mask on."};
const RegisterLayer<Dropout> spatial_dropout{
    "SpatialDropout1D",
    "Sets a random share of the features to zero, each for the whole sequence, when training; does "
    "nothing otherwise. Passes the mask on."};
const RegisterLayer<Dropout> alpha_dropout{
    "AlphaDropout",
    "Dropout that keeps mean and variance, for SELU, when training; does nothing otherwise. Passes "
    "the mask on."};

}  // namespace
}  // namespace maskflow
