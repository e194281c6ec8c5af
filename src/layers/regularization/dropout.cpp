// SPDX-License-Identifier: MIT
#include <cmath>

#include "layer/layer.hpp"
#include "layer/random_source.hpp"
#include "ops/ops.hpp"

namespace maskflow {
namespace {

enum class DropoutKind : std::uint8_t { kValues, kFeatures, kAlpha };

// Layers that change a random share of the values in training and return their input otherwise.
// Dropout (Srivastava et al. 2014) sets values to zero and scales the others by 1 / (1 - rate).
// SpatialDropout1D sets whole features to zero. AlphaDropout (Klambauer et al. 2017) sets values to
// the lower limit of SELU and keeps the mean and the variance.
class Dropout final : public Layer {
 public:
  explicit Dropout(DropoutKind kind) : kind_(kind) {
    supports_masking_ = true;
    streaming_ = Streaming::kEachStep;
  }
  void describe(Fields& fields) override {
    Layer::describe(fields);
    fields.field("rate", rate_, "Share of values that are dropped in training, from 0 to 1.",
                 FieldKind::kRequired);
    if (spatial()) {
      // Keras writes noise_shape as null, which is accepted.
      fields.ignored({"noise_shape"});
      if (fields.has("noise_shape")) {
        config_error("SpatialDropout1D computes its own 'noise_shape'; leave it out");
      }
    } else {
      fields.field("noise_shape", noise_shape_,
                   "Shape of the random noise: 1 shares it along an axis, null uses the input's "
                   "size. Null instead of a list: the shape of the input.",
                   FieldKind::kOptionalList);
    }
    random_.describe(fields);
  }
  // Keras's SpatialDropout1D neither writes nor accepts `trainable`.
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
    // As in Keras, the same tensor is returned, so removing its mask affects the input, too.
    if (!frame.trains() || rate_ == 0) return {x};
    if (kind_ == DropoutKind::kAlpha) return {alpha_dropout(x)};
    if (rate_ == 1) return {Tensor::zeros(x.dtype(), x.shape())};
    return {ops::multiply(x, random_factors(x.shape(), 1.0 / (1.0 - rate_)))};
  }

 private:
  using Dims = std::vector<std::optional<int>>;
  [[nodiscard]] bool spatial() const { return kind_ == DropoutKind::kFeatures; }
  [[nodiscard]] Shape noise_shape(const Shape& input) const {
    Shape shape = input;
    if (spatial()) shape.set(1, 1);
    if (!noise_shape_) return shape;
    shape = {};
    for (const std::optional<int>& dim : *noise_shape_) {
      shape.push_back(dim ? *dim : input[shape.rank()]);
    }
    return shape;
  }
  // Returns 0 with probability `rate`, else `scale`, in the noise shape of the input.
  [[nodiscard]] Tensor random_factors(const Shape& input, double scale) {
    Tensor noise(DType::kFloat32, noise_shape(input));
    Random& random = random_.numbers();
    for (float& value : noise.mutable_data<float>()) {
      value = random.uniform() < rate_ ? 0.0F : static_cast<float>(scale);
    }
    return noise;
  }
  [[nodiscard]] Tensor alpha_dropout(const Tensor& x) {
    const auto number = [](double value) { return Tensor::scalar(DType::kFloat32, value); };
    constexpr double kLimit = -1.6732632423543772 * 1.0507009873554805;
    const double scale = 1 / std::sqrt((1 - rate_) * (1 + rate_ * kLimit * kLimit));
    const Tensor dropped = ops::where(random_factors(x.shape(), 1), x, number(kLimit));
    return ops::add(ops::multiply(dropped, number(scale)), number(-scale * kLimit * rate_));
  }

  DropoutKind kind_;
  double rate_ = 0;
  std::optional<Dims> noise_shape_;
  RandomSource random_;
};

const RegisterLayer<Dropout, DropoutKind::kValues> dropout{
    "Dropout",
    "In training, sets a random share of the values to zero and scales the others by 1 / (1 - "
    "rate). Otherwise returns its input. Passes the mask through.",
    {.composed = true, .built_at_init = true, .in_recurrent_module = true, .in_tfjs = true}};
const RegisterLayer<Dropout, DropoutKind::kFeatures> spatial_dropout{
    "SpatialDropout1D",
    "In training, sets a random share of the features of each sequence to zero at all its steps. "
    "Otherwise returns its input. Passes the mask through.",
    {.composed = true, .built_at_init = true, .in_recurrent_module = true, .in_tfjs = true}};
const RegisterLayer<Dropout, DropoutKind::kAlpha> alpha_dropout{
    "AlphaDropout",
    "Dropout for networks with SELU: in training, it keeps the mean and the variance of its input. "
    "Otherwise returns its input. Passes the mask through.",
    {.composed = true, .built_at_init = true, .in_recurrent_module = true, .in_tfjs = true}};

}  // namespace
}  // namespace maskflow
