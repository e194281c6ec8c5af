// SPDX-License-Identifier: MIT
#include "layers/layer.hpp"
#include "ops/ops.hpp"

namespace maskflow {
namespace {

// Srivastava et al. 2014: in training, each value is zero with probability `rate` and the others
// are scaled by 1 / (1 - rate); otherwise nothing happens.
class Dropout final : public Layer {
 public:
  Dropout() { supports_masking_ = true; }
  void describe(Fields& fields) override {
    Layer::describe(fields);
    fields.field("rate", rate_, "Share of values set to zero when training, 0 to 1.",
                 FieldKind::kRequired);
    fields.field(
        "noise_shape", noise_shape_,
        "Shape of the random mask, 1 or null where it is shared; null: that of the input.");
    fields.field("seed", seed_, "Kept for the configuration.");
  }
  void check_config() const override {
    if (!(rate_ >= 0 && rate_ <= 1)) config_error("'rate' is ", rate_, " but must be 0 to 1");
  }
  Tensors call(const Args& args) override {
    const Tensor& x = args.inputs.front();
    if (!args.training.value_or(Context::current().training.value_or(false)) || rate_ == 0) {
      return {x.with_mask(nullptr)};
    }
    if (rate_ == 1) return {Tensor::zeros(x.dtype(), x.shape())};
    Tensor noise(DType::kFloat32, noise_for(x.shape()));
    const auto kept = static_cast<float>(1.0 / (1.0 - rate_));
    Random& random = Context::current().random;
    for (float& value : noise.mutable_data<float>()) value = random.uniform() < rate_ ? 0.0F : kept;
    return {ops::multiply(x, noise)};
  }

 private:
  [[nodiscard]] Shape noise_for(const Shape& input) const {
    if (noise_shape_.is_null()) return input;
    Shape shape;
    for (const Value& dim : noise_shape_.as_list("noise_shape")) {
      shape.push_back(dim.is_null() ? input[shape.rank()] : dim.as_integer("noise_shape"));
    }
    return shape;
  }
  double rate_ = 0;
  Value noise_shape_, seed_;
};

const RegisterLayer<Dropout> registration{"Dropout",
                                          "Sets a random share of the values to zero when "
                                          "training; does nothing otherwise. Passes the mask on."};

}  // namespace
}  // namespace maskflow
