// SPDX-License-Identifier: MIT
#pragma once

#include "layer/layer.hpp"
#include "layers/attention/attend.hpp"

namespace maskflow {

// The base of Attention and AdditiveAttention: one head without projections, called with a list of
// query, value, and the key if it is not the value; over the last axis but one of each.
class ListAttention : public Layer {
 public:
  ListAttention() { supports_masking_ = true; }
  void check_config() const override { check_dropout(dropout_); }
  [[nodiscard]] bool takes_mask() const override { return true; }
  [[nodiscard]] bool takes_list() const override { return true; }
  [[nodiscard]] std::string_view call_arguments() const override {
    return "use_causal_mask return_attention_scores";
  }
  // Time is what is attended over, or one of the axes before.
  [[nodiscard]] Streaming streaming(const Shape& input) const override {
    return input.rank() == 3 ? Streaming::kKeepsState : Streaming::kEachStep;
  }
  Structure call(const Args& args, Frame& frame) override;
  OutputSpecs output_specs(const Args& args) override;
  Masks compute_mask(const Tensors& inputs, const Masks& masks) override;

 protected:
  // For queries of so many features.
  [[nodiscard]] virtual kernels::Score score(Dim features) const = 0;
  // Are query and key added, so that one feature goes with many?
  [[nodiscard]] virtual bool adds_features() const = 0;
  void describe_dropout(Fields& fields);

 private:
  Shape check(const Args& args);

  double dropout_ = 0;
  Value seed_;
  bool returns_scores_ = false;
};

}  // namespace maskflow
