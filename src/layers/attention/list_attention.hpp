// SPDX-License-Identifier: MIT
#pragma once

#include "layer/layer.hpp"
#include "layer/random_source.hpp"
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

  // A call's arguments as [sequences, steps, features].
  struct Arranged {
    Shape whole;  // of the query, with axes before the last two as they broadcast
    Tensor query, value, key;
    Tensor shown;    // bool [sequences, queries, 1]: 0 where the result is 0; no handle: nowhere
    Tensor weights;  // of the features of a score, one for each; no handle: none, or as they are
  };
  [[nodiscard]] Arranged arranged(const Args& args);
  // What queries see, as [sequences, 1, queries or 1, keys]; no handle: everything.
  [[nodiscard]] static Tensor allowed(const Args& args, const Arranged& arranged);
  [[nodiscard]] Attend attend_over(const Arranged& arranged, Dim keys, const Tensor& allowed,
                                   NoKeys blind, const Frame& frame);
  // Leaves out what no result shows, where that may be.
  [[nodiscard]] static bool may_leave_out(const Arranged& arranged, const Tensor& allowed);
  void leave_out(const Arranged& arranged, Attend& attend) const;
  // The results of [sequences, ...] as the call gives them.
  [[nodiscard]] Structure finished(Arranged arranged, Tensors results) const;
  [[nodiscard]] bool returns_scores() const { return returns_scores_; }

 protected:
  // For queries of so many features.
  [[nodiscard]] virtual kernels::Score score(Dim features) const = 0;
  // Are query and key added, so that one feature goes with many?
  [[nodiscard]] virtual bool adds_features() const = 0;
  void describe_dropout(Fields& fields);

 private:
  Shape check(const Args& args);

  double dropout_ = 0;
  RandomSource random_;
  bool returns_scores_ = false;
};

}  // namespace maskflow
