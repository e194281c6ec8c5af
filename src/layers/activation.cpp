// SPDX-License-Identifier: MIT
#include "layers/layer.hpp"
#include "ops/ops.hpp"

namespace maskflow {
namespace {

class ActivationLayer final : public Layer {
 public:
  ActivationLayer() { supports_masking_ = true; }
  void describe(Fields& fields) override {
    Layer::describe(fields);
    fields.field("activation", activation_, "Name of the activation function.",
                 FieldKind::kRequired);
  }
  Tensors call(const Args& args) override {
    return {activation_(ops::cast(args.inputs.front(), DType::kFloat32))};
  }

 private:
  Activation activation_{"linear"};
};

const RegisterLayer<ActivationLayer> registration{
    "Activation", "Applies an activation function. Passes the mask on; the values ignore it."};

}  // namespace
}  // namespace maskflow
