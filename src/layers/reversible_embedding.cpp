// SPDX-License-Identifier: MIT
#include <cmath>

#include "layers/embedding.hpp"
#include "ops/ops.hpp"

namespace maskflow {
namespace {

// An Embedding that also maps vectors back to one score per id.
class ReversibleEmbedding final : public Embedding {
 public:
  void describe(Fields& fields) override {
    Embedding::describe(fields);
    fields.field("tie_weights", tie_weights_, "Use the table itself for the reverse direction.");
    fields.field("logit_soft_cap", logit_soft_cap_,
                 "Bound scores smoothly: cap * tanh(score / cap); null: no bound.");
    fields.inert(inert_, {"reverse_dtype"});
  }
  void build(const std::vector<Shape>& inputs) override {
    Embedding::build(inputs);
    if (!tie_weights_) {
      reverse_ =
          add_weight("reverse_embeddings", {output_dim_, input_dim_}, embeddings_initializer_);
    }
  }
  [[nodiscard]] std::string_view call_arguments() const override { return "reverse"; }
  Tensors call(const Args& args) override {
    const Tensor& x = args.inputs.front();
    if (!args.flag("reverse")) {
      return {look_up(x).with_mask(mask_zero_ ? Embedding::compute_mask(args.inputs, {}).front()
                                              : nullptr)};
    }
    const Tensor table =
        tie_weights_ ? apply_op1("Transpose", {&embeddings_->value(), 1}) : reverse_->value();
    Tensor scores = ops::matmul(ops::cast(x, DType::kFloat32), table);
    if (logit_soft_cap_) {
      for (float& s : scores.mutable_data<float>()) {
        const auto cap = static_cast<float>(*logit_soft_cap_);
        s = cap * std::tanh(s / cap);
      }
    }
    return {scores};
  }
  std::vector<TensorSpec> output_specs(const Args& args) override {
    if (!args.flag("reverse")) return Embedding::output_specs(args);
    Shape shape = args.inputs.front().shape();
    shape.set(-1, input_dim_);
    return {{shape, DType::kFloat32}};
  }
  // The forward call attaches its mask itself; the reverse one has none.
  Masks compute_mask(const Tensors&, const Masks&) override { return {}; }

 private:
  bool tie_weights_ = true;
  std::optional<double> logit_soft_cap_;
  VariablePtr reverse_;
};

const RegisterLayer<ReversibleEmbedding> registration{
    "ReversibleEmbedding",
    "An Embedding that with the call option `reverse` maps vectors to a score for each id."};

}  // namespace
}  // namespace maskflow
