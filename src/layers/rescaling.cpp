// SPDX-License-Identifier: MIT
#include "layers/layer.hpp"
#include "ops/ops.hpp"

namespace maskflow {
namespace {

class Rescaling final : public Layer {
 public:
  Rescaling() {
    supports_masking_ = true;
    streaming_ = Streaming::kEachStep;
  }
  void describe(Fields& fields) override {
    Layer::describe(fields);
    fields.field("scale", scale_, "Factor, or one for each feature.", FieldKind::kRequired);
    fields.field("offset", offset_, "Added afterwards; a number or one for each feature.");
  }
  Tensors call(const Args& args) override {
    const Tensor x = ops::cast(args.inputs.front(), DType::kFloat32);
    return {ops::add(ops::multiply(x, constant(scale_)), constant(offset_))};
  }
  std::vector<TensorSpec> output_specs(const Args& args) override {
    return {{args.inputs.front().shape(), DType::kFloat32}};
  }
  [[nodiscard]] Dict get_config() override {
    Dict config = Layer::get_config();
    if (scale_.size() == 1) config["scale"] = scale_.front();
    if (offset_.size() == 1) config["offset"] = offset_.front();
    return config;
  }

 private:
  static Tensor constant(const std::vector<double>& values) {
    Tensor result(DType::kFloat32, {static_cast<Dim>(values.size())});
    float* to = result.mutable_data<float>().data();
    for (const double value : values) *to++ = static_cast<float>(value);
    return result;
  }
  std::vector<double> scale_{1}, offset_{0};
};

const RegisterLayer<Rescaling> registration{"Rescaling", "x scale + offset. Passes the mask on."};

}  // namespace
}  // namespace maskflow
