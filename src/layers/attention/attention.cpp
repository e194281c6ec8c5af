// SPDX-License-Identifier: MIT
#include "layers/attention/list_attention.hpp"

namespace maskflow {
namespace {

// Dot-product attention (Luong et al. 2015).
class Attention final : public ListAttention {
 public:
  void describe(Fields& fields) override {
    Layer::describe(fields);
    fields.field("use_scale", use_scale_, "Multiply the scores by a weight.");
    fields.choice("score_mode", score_mode_, "dot concat",
                  "'dot': query times key; 'concat': a weight times the sum of tanh(query + key).");
    describe_dropout(fields);
  }
  void build(const std::vector<Shape>&) override {
    if (use_scale_) scale_ = add_weight("scale", {}, Initializer("ones"));
    if (score_mode_ == "concat") {
      concat_weight_ = add_weight("concat_score_weight", {}, Initializer("ones"));
    }
  }

 private:
  [[nodiscard]] kernels::Score score(Dim) const override {
    const float scale = scale_ ? *scale_->data() : 1;
    if (!concat_weight_) return {.factor = scale};
    return {.additive = true, .factor = *concat_weight_->data(), .inner = scale};
  }
  [[nodiscard]] bool adds_features() const override { return score_mode_ == "concat"; }

  bool use_scale_ = false;
  std::string score_mode_ = "dot";
  VariablePtr scale_, concat_weight_;
};

const RegisterLayer<Attention> registration{
    "Attention",
    "Attention over a list [query, value] or [query, value, key], each [batch, time, features] or "
    "[batch, ..., time, features]. For each query, returns the mean of the values, weighted by the "
    "softmax of the scores of query and key. Steps masked in the value are not used; where the "
    "query is masked, the result is 0. The result has the mask of the query. Call options: "
    "returnAttentionScores, useCausalMask."};

}  // namespace
}  // namespace maskflow
