// SPDX-License-Identifier: MIT
#include <numeric>

#include "layers/attention/heads_attention.hpp"

namespace maskflow {
namespace {

class MultiHeadAttention final : public HeadsAttention {
 public:
  void describe(Fields& fields) override {
    Layer::describe(fields);
    fields.field("num_heads", num_heads_, "Number of heads.", FieldKind::kRequired);
    fields.field("key_dim", key_dim_, "Features of a head for query and key.",
                 FieldKind::kRequired);
    fields.field("value_dim", value_dim_, "Features of a head for the value; null: key_dim.");
    fields.field("output_shape", output_shape_,
                 "Sizes of the last axes of the result; null: the features of the query.");
    fields.field("attention_axes", attention_axes_,
                 "Axes to attend over; null: all except the first and the last.");
    describe_common(fields);
    if (fields.is_reading() && !value_dim_) value_dim_ = key_dim_;
  }
  void build(const std::vector<Shape>& inputs) override {
    attention_axes_ = attended_axes(inputs.front().rank());
    HeadsAttention::build(inputs);
  }

 private:
  [[nodiscard]] Heads heads() const override {
    return {num_heads_, num_heads_, key_dim_, value_dim_.value_or(key_dim_)};
  }
  [[nodiscard]] std::vector<int> output_sizes(int features) const override {
    return output_shape_.value_or(std::vector<int>{features});
  }
  [[nodiscard]] std::vector<int> attended_axes(int rank) const override {
    if (attention_axes_) return *attention_axes_;
    std::vector<int> all(static_cast<std::size_t>(rank - 2));
    std::iota(all.begin(), all.end(), 1);
    return all;
  }
  // Returns the mask of the tensor. As in Keras, the argument `query_mask` is not used.
  [[nodiscard]] MaskPtr query_mask(const Args& args) const override {
    return args.inputs.front().mask();
  }
  void consume_masks(const Args& args) override {
    args.inputs.front().strip_mask();
    for (const char* name : {"value", "key"}) {
      if (const TensorArgument* argument = args.find(name)) argument->values.front().strip_mask();
    }
  }

  int num_heads_ = 0;
  int key_dim_ = 0;
  std::optional<int> value_dim_;
  std::optional<std::vector<int>> output_shape_, attention_axes_;
};

const RegisterLayer<MultiHeadAttention> registration{
    "MultiHeadAttention",
    "Attention with several heads, called as apply({ query, value }) or apply({ query, value, key "
    "}), each [batch, time, features]. A query sees a key if all masks allow it: the masks of "
    "query, value and key, attentionMask [batch, queries, keys], useCausalMask and slidingWindow. "
    "The result has the mask of the query. As in Keras, the masks of the arguments are removed. "
    "Further call options: valueMask, keyMask, returnAttentionScores.",
    {.arguments = "query value key"}};

}  // namespace
}  // namespace maskflow
