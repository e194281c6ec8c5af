// SPDX-License-Identifier: MIT
#pragma once

#include "layer/layer.hpp"
#include "layer/random_source.hpp"
#include "layers/attention/attend.hpp"

namespace maskflow {

// The base of Attention and AdditiveAttention: one head without projections. It is called with a
// list of query, value and optionally key, which defaults to the value, and attends over the last
// axis but one of each.
class ListAttention : public Layer {
 public:
  ListAttention() { supports_masking_ = true; }
  void check_config() const override { check_dropout(dropout_); }
  [[nodiscard]] bool takes_mask() const override { return true; }
  [[nodiscard]] bool takes_list() const override { return true; }
  [[nodiscard]] std::string_view call_arguments() const override {
    return "use_causal_mask return_attention_scores";
  }
  // With rank 3, the layer attends over time; with a higher rank, time is an axis before.
  [[nodiscard]] Streaming streaming(const Shape& input) const override {
    return input.rank() == 3 ? Streaming::kKeepsState : Streaming::kEachStep;
  }
  Structure call(const Args& args, Frame& frame) override;
  OutputSpecs output_specs(const Args& args) override;
  Masks compute_mask(const Tensors& inputs, const Masks& masks) override;

  // The arguments of a call.
  struct Inputs {
    Shape query_shape;         // Shape of the query, with the axes before the last two broadcast.
    Tensor query, value, key;  // Tensors [sequences, steps, features].
    Tensor query_mask;         // Bool mask [sequences, queries, 1]; no handle without a mask.
    // Bool mask [sequences, 1, queries or 1, keys]; no handle if every query sees every key.
    Tensor score_mask;
    Tensor feature_weights;  // Weights of the scores, if one weight is repeated for all features.
    bool returns_scores = false;
  };
  // Reads and checks the arguments. `streams`: leaves out the mask of the scores, which a stream
  // computes from its cache.
  [[nodiscard]] Inputs read_inputs(const Args& args, bool streams) const;
  // Creates the computation. `mask` is that of Inputs or, in a stream, that of the keys in the
  // cache.
  [[nodiscard]] Attend create_attend(const Inputs& inputs, Dim keys, const Tensor& mask,
                                     NoKeys no_keys, const Frame& frame);
  [[nodiscard]] static bool can_prune(const Inputs& inputs);
  static void prune(const Inputs& inputs, Attend& attend);
  // Sets the results of masked queries to 0 and restores the shape of results [sequences, ...].
  [[nodiscard]] static Structure restore(Inputs inputs, Tensors results);

 protected:
  // Returns the score for queries with this number of features.
  [[nodiscard]] virtual kernels::Score score(Dim features) const = 0;
  // Returns whether scores add query and key, so that a single feature broadcasts.
  [[nodiscard]] virtual bool adds_features() const = 0;
  void describe_dropout(Fields& fields);

 private:
  [[nodiscard]] Shape checked_query_shape(const Args& args) const;

  double dropout_ = 0;
  RandomSource random_;
};

}  // namespace maskflow
