// SPDX-License-Identifier: MIT
#include "layers/attention/heads_attention.hpp"

namespace maskflow {
namespace {

// Grouped query attention (Ainslie et al. 2023): several query heads share a head of key and value.
class GroupQueryAttention final : public HeadsAttention {
 public:
  void describe(Fields& fields) override {
    Layer::describe(fields);
    fields.field("head_dim", head_dim_, "Features of a head.", FieldKind::kRequired);
    fields.field("num_query_heads", num_query_heads_, "Number of query heads.",
                 FieldKind::kRequired);
    fields.field("num_key_value_heads", num_key_value_heads_,
                 "Number of heads of key and value; must divide num_query_heads.",
                 FieldKind::kRequired);
    describe_common(fields);
  }
  // The name is derived from the name of Keras's class, which differs from that of the layer.
  [[nodiscard]] std::string default_name() const override { return "grouped_query_attention"; }

 private:
  [[nodiscard]] Heads heads() const override {
    return {num_query_heads_, num_key_value_heads_, head_dim_, head_dim_};
  }
  [[nodiscard]] MaskPtr query_mask(const Args& args) const override {
    const MaskPtr mask = mask_argument(args, "query_mask");
    return mask ? mask : args.inputs.front().mask();
  }

  int head_dim_ = 0;
  int num_query_heads_ = 0;
  int num_key_value_heads_ = 0;
};

const RegisterLayer<GroupQueryAttention> registration{
    "GroupQueryAttention",
    "MultiHeadAttention whose query heads share heads of key and value. It also uses an explicit "
    "queryMask, and the arguments keep their masks.",
    {.aliases = "GroupedQueryAttention", .arguments = "query value key"}};

}  // namespace
}  // namespace maskflow
