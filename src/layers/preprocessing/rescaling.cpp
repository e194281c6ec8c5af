// SPDX-License-Identifier: MIT
#include "layer/layer.hpp"
#include "ops/constant.hpp"
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
    fields.field("scale", scale_, TypeScript{"NumberLists"},
                 "Factor: one number, or one for each feature.", FieldKind::kRequired);
    fields.field("offset", offset_, TypeScript{"NumberLists"},
                 "Number added after scaling: one, or one for each feature.");
  }
  void check_config() const override {
    for (const Value* value : {&scale_, &offset_}) static_cast<void>(constant_from(*value));
  }
  Structure call(const Args& args, Frame& /*frame*/) override {
    const Tensor x = ops::cast(args.inputs.front(), DType::kFloat32);
    const Tensor scaled = ops::multiply(x, ops::cast(constant_from(scale_), DType::kFloat32));
    return {ops::add(scaled, ops::cast(constant_from(offset_), DType::kFloat32))};
  }
  OutputSpecs output_specs(const Args& args) override {
    return {{args.inputs.front().shape(), DType::kFloat32}};
  }

 private:
  Value scale_ = 1.0, offset_ = 0.0;  // Both are numbers or nested lists.
};

const RegisterLayer<Rescaling> registration{"Rescaling",
                                            "x * scale + offset. Passes the mask through.",
                                            {.composed = true, .in_tfjs = true}};

}  // namespace
}  // namespace maskflow
