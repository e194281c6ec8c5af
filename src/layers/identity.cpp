// SPDX-License-Identifier: MIT
#include "layers/layer.hpp"

namespace maskflow {
namespace {

// What comes goes; the class name says with which settings.
class Identity final : public Layer {
 public:
  Identity() { supports_masking_ = true; }
  void describe(Fields& fields) override {
    Layer::describe(fields);
    if (class_name() != "ActivityRegularization") return;
    fields.field("l1", l1_, "Penalty on absolute values, for training.");
    fields.field("l2", l2_, "Penalty on squares, for training.");
  }
  Tensors call(const Args& args) override {
    Tensors outputs;
    for (const Tensor& input : args.inputs) outputs.push_back(input.with_mask(nullptr));
    return outputs;
  }
  std::vector<TensorSpec> output_specs(const Args& args) override {
    std::vector<TensorSpec> specs;
    for (const Tensor& input : args.inputs) specs.push_back(input.spec());
    return specs;
  }

 private:
  double l1_ = 0;
  double l2_ = 0;
};

const RegisterLayer<Identity> identity{"Identity", "Hands its input on, with its mask."};
const RegisterLayer<Identity> regularization{
    "ActivityRegularization",
    "Hands its input on, with its mask. Keras's penalty on the values belongs to training: kept "
    "for the configuration."};

}  // namespace
}  // namespace maskflow
