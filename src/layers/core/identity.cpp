// SPDX-License-Identifier: MIT
#include <algorithm>

#include "layer/activity_regularizers.hpp"
#include "layer/layer.hpp"

namespace maskflow {
namespace {

enum class IdentityKind : std::uint8_t { kPlain, kRegularized };

// Returns its input. ActivityRegularization also adds a penalty to the loss.
class Identity final : public Layer {
 public:
  explicit Identity(IdentityKind kind) : kind_(kind) {
    supports_masking_ = true;
    streaming_ = Streaming::kEachStep;
  }
  void describe(Fields& fields) override {
    Layer::describe(fields);
    if (kind_ == IdentityKind::kPlain) return;
    fields.field("l1", l1_, "Factor of the sum of absolute values, which is added to the loss.");
    fields.field("l2", l2_, "Factor of the sum of squares, which is added to the loss.");
    if (l1_ != 0 || l2_ != 0) has_activity_regularizers = true;
  }
  void check_config() const override {
    if (std::min(l1_, l2_) < 0) {
      config_error("'l1' is ", l1_, " and 'l2' is ", l2_, " but both must be at least 0");
    }
  }
  [[nodiscard]] bool takes_list() const override { return true; }
  // As in Keras, the same tensors are returned, so removing a mask affects the input, too.
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
  IdentityKind kind_;
  double l1_ = 0;
  double l2_ = 0;
};

const RegisterLayer<Identity, IdentityKind::kPlain> identity{
    "Identity", "Returns its input, with its mask.", {.composed = true, .built_at_init = true}};
const RegisterLayer<Identity, IdentityKind::kRegularized> regularization{
    "ActivityRegularization",
    "Returns its input, with its mask. Adds Keras's penalty on the values to the loss of evaluate "
    "and fit.",
    {.composed = true, .built_at_init = true}};

}  // namespace
}  // namespace maskflow
