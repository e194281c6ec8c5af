// SPDX-License-Identifier: MIT
#include <cmath>

#include "layers/core/embedding.hpp"
#include "ops/ops.hpp"

namespace maskflow {
namespace {

// An Embedding that also maps vectors to a score for each id.
class ReversibleEmbedding final : public Embedding {
 public:
  void describe(Fields& fields) override {
    Embedding::describe(fields);
    fields.field("tie_weights", tie_weights_,
                 "Use the table for the reverse call, too, instead of a second weight.");
    fields.field("logit_soft_cap", logit_soft_cap_,
                 "Bound of the scores: cap * tanh(score / cap); null: unbounded.");
    fields.inert(inert_, {"reverse_dtype"});
  }
  void build(const std::vector<Shape>& inputs) override {
    Embedding::build(inputs);
    if (!tie_weights_) {
      reverse_ =
          add_weight("reverse_embeddings", {output_dim_, input_dim_}, embeddings_initializer_);
      reverse_->use_matrix();
    }
  }
  [[nodiscard]] std::string_view call_arguments() const override { return "reverse"; }
  Structure call(const Args& args, Frame& /*frame*/) override {
    const Tensor& x = args.inputs.front();
    if (!args.flag("reverse")) {
      return {look_up(x).with_mask(mask_zero_ ? Embedding::compute_mask(args.inputs, {}).front()
                                              : nullptr)};
    }
    Tensor scores = scores_of(ops::cast(x, DType::kFloat32));
    if (logit_soft_cap_) {
      for (float& score : scores.mutable_data<float>()) {
        const auto cap = static_cast<float>(*logit_soft_cap_);
        score = cap * std::tanh(score / cap);
      }
    }
    return {scores};
  }
  OutputSpecs output_specs(const Args& args) override {
    if (!args.flag("reverse")) return Embedding::output_specs(args);
    Shape shape = args.inputs.front().shape();
    shape.set(-1, input_dim_);
    return {{shape, DType::kFloat32}};
  }
  // The forward call attaches the mask itself; the reverse call has no mask.
  Masks compute_mask(const Tensors&, const Masks&) override { return {}; }

 private:
  Tensor scores_of(const Tensor& x) {
    const auto features = static_cast<std::size_t>(output_dim_);
    if (x.rank() == 0 || x.shape().back() != output_dim_) {
      shape_error("the vectors have shape ", x.shape(), " but the last axis must be ", output_dim_);
    }
    kernels::PackedMatrix transposed;
    if (tie_weights_) {
      const Tensor table = embeddings_->read();
      transposed = {table.floats(),
                    {0, features, static_cast<std::size_t>(input_dim_), 1, features}};
    }
    Shape shape = x.shape();
    shape.set(-1, input_dim_);
    Tensor scores(DType::kFloat32, shape);
    kernels::gemm({x.floats(), features}, x.size() / features,
                  tie_weights_ ? transposed : reverse_->packed(), kernels::Start::kZero, nullptr,
                  scores.mutable_floats());
    return scores;
  }
  bool tie_weights_ = true;
  std::optional<double> logit_soft_cap_;
  VariablePtr reverse_;
};

const RegisterLayer<ReversibleEmbedding> registration{
    "ReversibleEmbedding",
    "An Embedding that, with the call option `reverse`, maps vectors to a score for each id: "
    "[batch, time, output_dim] becomes [batch, time, input_dim]."};

}  // namespace
}  // namespace maskflow
