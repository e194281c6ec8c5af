// SPDX-License-Identifier: MIT
#include <algorithm>

#include "layer/layer.hpp"

namespace maskflow {
namespace {

// What comes goes; the class name says with which settings.
class Identity final : public Layer {
 public:
  Identity() {
    supports_masking_ = true;
    streaming_ = Streaming::kEachStep;
  }
  void describe(Fields& fields) override {
    Layer::describe(fields);
    if (class_name() != "ActivityRegularization") return;
    fields.field("l1", l1_, "Penalty on absolute values, in the loss.");
    fields.field("l2", l2_, "Penalty on squares, in the loss.");
  }
  void check_config() const override {
    if (std::min(l1_, l2_) < 0) config_error("'l1' and 'l2' must be at least 0");
  }
  [[nodiscard]] bool takes_list() const override { return true; }
  // The very tensors, as in Keras: who strips the mask of one strips both.
  Structure call(const Args& args, Frame& /*frame*/) override { return args.inputs; }
  OutputSpecs output_specs(const Args& args) override {
    std::vector<TensorSpec> specs;
    for (const Tensor& input : args.inputs) specs.push_back(input.spec());
    return specs;
  }

  [[nodiscard]] Value activity_regularizer() const override {
    if (l1_ == 0 && l2_ == 0) return nullptr;
    Dict config;
    config["l1"] = l1_;
    config["l2"] = l2_;
    Dict regularizer;
    regularizer["class_name"] = "L1L2";
    regularizer["config"] = config;
    return regularizer;
  }

 private:
  double l1_ = 0;
  double l2_ = 0;
};

const RegisterLayer<Identity> identity{"Identity", "Hands its input on, with its mask."};
const RegisterLayer<Identity> regularization{
    "ActivityRegularization",
    "Hands its input on, with its mask. Keras's penalty on the values counts in the loss of "
    "evaluate."};

}  // namespace
}  // namespace maskflow
