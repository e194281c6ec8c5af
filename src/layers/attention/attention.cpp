// SPDX-License-Identifier: MIT
#include "layers/attention/list_attention.hpp"

namespace maskflow {
namespace {

// Luong et al. 2015.
class Attention final : public ListAttention {
 public:
  void describe(Fields& fields) override {
    Layer::describe(fields);
    fields.field("use_scale", use_scale_, "Scale the scores by a weight?");
    fields.choice("score_mode", score_mode_, "dot concat",
                  "'dot': query times key; 'concat': the sum of tanh(query + key), weighted.");
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
    "Attention of a list [query, value] or [query, value, key], each [batch, time, features] (or "
    "[batch, ..., time, features]): for each query the mean of the values, weighted by softmax "
    "over the scores of query and key. The "
    "mask of the value hides steps; where that of the query is false the result is 0. Passes on "
    "the mask of the query. Call options: returnAttentionScores, useCausalMask."};

}  // namespace
}  // namespace maskflow
