// SPDX-License-Identifier: MIT
#pragma once

#include "layers/attend.hpp"
#include "layers/einsum_dense.hpp"
#include "layers/heads_layout.hpp"

namespace maskflow {

// The base of the layers with several attention heads (Vaswani et al. 2017): query, key and value
// are projected, every head attends for itself, and what the heads give is projected once more.
class HeadsAttention : public Layer {
 public:
  HeadsAttention() { supports_masking_ = true; }
  void check_config() const override;
  [[nodiscard]] std::vector<Shape> build_shapes(const Args& args) const override;
  void build(const std::vector<Shape>& inputs) override;
  [[nodiscard]] std::vector<LayerPtr> sublayers() const override;
  // (Says itself what is wrong with a list.)
  [[nodiscard]] bool takes_list() const override { return true; }
  [[nodiscard]] std::string_view call_arguments() const override {
    return "value key query_mask value_mask key_mask attention_mask use_causal_mask "
           "return_attention_scores";
  }
  [[nodiscard]] bool returns_list() const override { return returns_scores_; }
  [[nodiscard]] int min_rank() const override { return 3; }
  Tensors call(const Args& args) override;
  std::vector<TensorSpec> output_specs(const Args& args) override;

 protected:
  struct Heads {
    int heads, key_heads, key_dim, value_dim;
  };
  [[nodiscard]] virtual Heads heads() const = 0;
  // Sizes of the last axes of the result for a query with so many features.
  [[nodiscard]] virtual std::vector<int> output_sizes(int features) const { return {features}; }
  // Axes that are attended over.
  [[nodiscard]] virtual std::vector<int> axes(int /*rank*/) const { return {1}; }
  // The mask of the query that counts; and what happens to the masks of the arguments.
  [[nodiscard]] virtual MaskPtr query_mask(const Args& args) const = 0;
  virtual void take_masks(const Args& args) = 0;
  void describe_rest(Fields& fields);
  static MaskPtr explicit_mask(const Args& args, std::string_view name);

  std::shared_ptr<EinsumDense> query_, key_, gate_, value_, output_;

 private:
  static const Tensor& argument(const Args& args, std::string_view name);
  static const Tensor& key_of(const Args& args);
  std::shared_ptr<EinsumDense> projection(const char* name, const Shape& input,
                                          const std::vector<int>& sizes, bool of_heads,
                                          const char* activation) const;
  [[nodiscard]] Tensor allowed(const Args& args, const HeadsLayout& layout) const;
  [[nodiscard]] Tensor context_of_blind(const Attend& attend, const Tensor& value) const;

  double dropout_ = 0;
  bool use_bias_ = true;
  bool use_gate_ = false;
  std::optional<int> sliding_window_;
  Initializer kernel_initializer_{"glorot_uniform"};
  Initializer bias_initializer_{"zeros"};
  Value seed_;
  bool returns_scores_ = false;
};

}  // namespace maskflow
