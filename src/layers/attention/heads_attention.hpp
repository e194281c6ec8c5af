// SPDX-License-Identifier: MIT
#pragma once

#include <array>

#include "layer/random_source.hpp"
#include "layers/attention/attend.hpp"
#include "layers/attention/heads_layout.hpp"
#include "layers/core/einsum_dense.hpp"

namespace maskflow {

class KvCache;

// The base of the layers with several attention heads (Vaswani et al. 2017). Query, key and value
// are projected, every head attends separately, and the results of all heads (the context) are
// projected again.
class HeadsAttention : public Layer {
 public:
  HeadsAttention() { supports_masking_ = true; }
  void check_config() const override;
  [[nodiscard]] std::vector<Shape> build_shapes(const Args& args) const override;
  void build(const std::vector<Shape>& inputs) override;
  [[nodiscard]] std::vector<LayerPtr> sublayers() const override;
  // Returns true although a list is an error, because the message of `argument` is more helpful.
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
  // Returns the sizes of the result's last axes, for a query with this number of features.
  [[nodiscard]] virtual std::vector<int> output_sizes(int features) const { return {features}; }
  struct Projections {
    // The gate is null unless use_gate is set.
    std::shared_ptr<EinsumDense> query, key, gate, value, output;
  };
  [[nodiscard]] Projections projections() const { return {query_, key_, gate_, value_, output_}; }

  // The arguments of a call.
  struct Inputs {
    HeadsLayout layout;
    Tensor query, value, key;  // Tensors [sequences, steps, features].
    MaskPtr query_mask;
    std::array<MaskPtr, 2> key_masks;  // Masks of the value and of the key; null without a mask.
    Tensor mask;  // Mask with the rank of the scores. Without a handle, every query sees every key.
    Shape scores_shape;
    bool returns_scores = false;
  };
  // Reads and checks the arguments, and then removes or reports their masks. `streams`: leaves out
  // the mask of the scores, which a stream computes from its cache.
  [[nodiscard]] Inputs read_inputs(const Args& args, bool streams);
  // Creates the computation. `mask` is that of Inputs or, in a stream, that of the keys in the
  // cache.
  [[nodiscard]] Attend create_attend(const Inputs& inputs, Dim keys, const Tensor& mask,
                                     const Frame& frame);
  [[nodiscard]] static bool can_prune(const Inputs& inputs);
  // Returns for each step of the query the row of its result. Rows are those of the kept queries,
  // followed by one for each sequence, for its queries that see no key.
  [[nodiscard]] static std::vector<std::int32_t> result_rows(const KeptRows& kept,
                                                             const Shape& query);

 protected:
  [[nodiscard]] virtual std::vector<int> attended_axes(int /*rank*/) const { return {1}; }
  // Returns the mask of the query that the layer uses.
  [[nodiscard]] virtual MaskPtr query_mask(const Args& args) const = 0;
  // Removes the masks of the arguments if Keras's layer does.
  virtual void consume_masks(const Args& /*args*/) {}
  // Describes the settings after the sizes, which are the same for all layers with heads.
  void describe_common(Fields& fields);
  // Returns a mask that was passed as an argument, or null.
  static MaskPtr mask_argument(const Args& args, std::string_view name);

  std::shared_ptr<EinsumDense> query_, key_, gate_, value_, output_;

 private:
  static const Tensor& argument(const Args& args, std::string_view name);
  static const Tensor& key_of(const Args& args);
  std::shared_ptr<EinsumDense> create_projection(const char* name, const Shape& input,
                                                 const std::vector<int>& sizes, bool from_heads,
                                                 const char* activation) const;
  // Projects rows of x: the `rows` rows at `index`, or the first ones if `index` is null.
  static Tensor project(EinsumDense& layer, const Tensor& x, const std::int32_t* index,
                        std::size_t rows);
  // Returns whether the call is one timestep of one sequence in a stream, without masks.
  [[nodiscard]] bool is_usual_step(const Args& args, const Frame& frame) const;
  // Computes `call` for such a step.
  [[nodiscard]] Tensor usual_step(const Args& args, KvCache& cache) const;
  // Throws ShapeError unless query, value and key fit together.
  void check_shapes(const Args& args, const HeadsLayout& layout) const;
  [[nodiscard]] Tensor score_mask(const Args& args, const Inputs& inputs) const;
  static std::array<MaskPtr, 2> key_masks(const Args& args);
  // Returns the context of queries that see no key, a row for each sequence. The mean of the values
  // is computed from `inputs`, the mean of the inputs that are projected to values.
  [[nodiscard]] Tensor no_keys_context(NoKeys no_keys, const Tensor& inputs) const;
  [[nodiscard]] Tensor no_keys_context(NoKeys no_keys, const KvCache* cache,
                                       const Tensor& value) const;
  // Returns the rows of the result, from the context of the kept queries and, unless all queries
  // are kept, that of queries that see no key.
  [[nodiscard]] Tensor project_output(const Tensor& query, const KeptRows& kept, Tensor context,
                                      const Tensor& no_keys) const;

  double dropout_ = 0;
  bool use_bias_ = true;
  bool use_gate_ = false;
  std::optional<int> sliding_window_;
  Initializer kernel_initializer_{"glorot_uniform"};
  Initializer bias_initializer_{"zeros"};
  RandomSource random_;
  Activation softmax_{"softmax"};
};

}  // namespace maskflow
