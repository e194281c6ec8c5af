// SPDX-License-Identifier: MIT
#pragma once

#include <array>

#include "layer/random_source.hpp"
#include "layers/attention/attend.hpp"
#include "layers/attention/heads_layout.hpp"
#include "layers/core/einsum_dense.hpp"

namespace maskflow {

class KvCache;

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
  [[nodiscard]] int min_rank() const override { return 3; }
  [[nodiscard]] Streaming streaming(const Shape& input) const override;
  Structure call(const Args& args, Frame& frame) override;
  OutputSpecs output_specs(const Args& args) override;

  struct Heads {
    int heads, key_heads, key_dim, value_dim;
  };
  [[nodiscard]] virtual Heads heads() const = 0;
  // Sizes of the last axes of the result for a query with so many features.
  [[nodiscard]] virtual std::vector<int> output_sizes(int features) const { return {features}; }
  struct Projections {
    std::shared_ptr<EinsumDense> query, key, gate, value, output;  // gate: null, or it is used
  };
  [[nodiscard]] Projections projections() const { return {query_, key_, gate_, value_, output_}; }
  // A call's arguments as [sequences, steps, features].
  struct Arranged {
    HeadsLayout layout;
    Tensor query, value, key;
    Tensor permitted;  // which keys a query may see, of the rank of the scores; no handle: all
    Shape scores;
  };
  // `streams`: what a query may see is known elsewhere.
  [[nodiscard]] Arranged arranged(const Args& args, bool streams, const Frame& frame);
  [[nodiscard]] Attend attend_over(const Arranged& arranged, Dim keys, const Tensor& allowed,
                                   const Frame& frame);
  [[nodiscard]] static bool may_leave_out(const Arranged& arranged);
  // For each step, the row that it shows of the kept queries' and, behind them, one for each
  // sequence, for the queries that see nothing.
  [[nodiscard]] static std::vector<std::int32_t> shown_rows(const KeptRows& kept,
                                                            const Shape& query);

 protected:
  // Axes that are attended over.
  [[nodiscard]] virtual std::vector<int> axes(int /*rank*/) const { return {1}; }
  // The mask of the query that counts; and what happens to the masks of the arguments.
  [[nodiscard]] virtual MaskPtr query_mask(const Args& args) const = 0;
  virtual void take_masks(const Args& args, const Frame& frame) = 0;
  void describe_rest(Fields& fields);
  static MaskPtr explicit_mask(const Args& args, std::string_view name);

  std::shared_ptr<EinsumDense> query_, key_, gate_, value_, output_;

 private:
  static const Tensor& argument(const Args& args, std::string_view name);
  static const Tensor& key_of(const Args& args);
  std::shared_ptr<EinsumDense> projection(const char* name, const Shape& input,
                                          const std::vector<int>& sizes, bool of_heads,
                                          const char* activation) const;
  // Rows times the kernel of a projection.
  static Tensor projected(EinsumDense& layer, const Tensor& x, const std::int32_t* index,
                          std::size_t rows);
  [[nodiscard]] Tensor allowed(const Args& args, const HeadsLayout& layout) const;
  // Those of the value and of the key, either of which may be null.
  static std::array<MaskPtr, 2> key_masks(const Args& args);
  // What the heads give to queries that see no key, a row for each sequence, by the means of the
  // values.
  [[nodiscard]] Tensor context_of_blind(NoKeys blind, const Tensor& means) const;
  [[nodiscard]] Tensor context_of_blind(NoKeys blind, const KvCache* past,
                                        const Tensor& value) const;
  // The result, of what the heads give to the kept queries and, unless all are, to the blind ones.
  [[nodiscard]] Tensor result_of(const Tensor& query, const KeptRows& kept, Tensor context,
                                 const Tensor& blind) const;
  // Keras has two ways to compute this, which differ in what a query without a key gets.
  [[nodiscard]] NoKeys blind_of(int rank) const {
    return returns_scores_ || dropout_ > 0 || rank != 3 ? NoKeys::kZero : NoKeys::kUniform;
  }

  double dropout_ = 0;
  bool use_bias_ = true;
  bool use_gate_ = false;
  std::optional<int> sliding_window_;
  Initializer kernel_initializer_{"glorot_uniform"};
  Initializer bias_initializer_{"zeros"};
  RandomSource random_;
  bool returns_scores_ = false;
};

}  // namespace maskflow
