// SPDX-License-Identifier: MIT
#include "layers/attention/list_attention.hpp"

namespace maskflow {
namespace {

// Additive attention (Bahdanau et al. 2015).
class AdditiveAttention final : public ListAttention {
 public:
  void describe(Fields& fields) override {
    Layer::describe(fields);
    fields.field("use_scale", use_scale_,
                 "Multiply the features by a weight [features] before they are summed.");
    describe_dropout(fields);
  }
  void build(const std::vector<Shape>& inputs) override {
    if (use_scale_) {
      scale_ = add_weight("scale", {inputs.front().back()}, Initializer("glorot_uniform"));
    }
  }

 private:
  [[nodiscard]] kernels::Score score(Dim features) const override {
    if (scale_ && scale_->shape()[0] != features) {
      shape_error("the layer was built for ", scale_->shape()[0], " features but the query has ",
                  features);
    }
    return {.additive = true, .weights = scale_ ? scale_->data() : nullptr};
  }
  [[nodiscard]] bool adds_features() const override { return true; }

  bool use_scale_ = true;
  VariablePtr scale_;
};

const RegisterLayer<AdditiveAttention> registration{
    "AdditiveAttention",
    "Attention with the scores sum(scale * tanh(query + key)) over the features. Inputs, masks and "
    "call options are those of Attention."};

}  // namespace
}  // namespace maskflow
