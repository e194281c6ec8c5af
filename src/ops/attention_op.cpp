// SPDX-License-Identifier: MIT
#include <cmath>

#include "ops/ops.hpp"

namespace maskflow {
namespace {

// As in Keras, which stays finite in float32.
constexpr double kNoAttention = -0.7 * 3.38953e38;

void check_ranks(Operands x) {
  for (std::size_t i = 0; i < 3; ++i) {
    if (x[i].rank() == 4) continue;
    shape_error("query, key and value must be [batch, time, heads, features], but have shapes ",
                x[0].shape(), ", ", x[1].shape(), " and ", x[2].shape());
  }
}

// Repeats the heads of a key or value that several heads of the query share.
Tensor for_heads(const Tensor& x, Dim heads) {
  const Dim own = x.shape()[2];
  if (own == heads || own == 0) return x;
  if (heads % own != 0) {
    shape_error("the query has ", heads, " heads, which is not a multiple of the ", own,
                " of key and value");
  }
  return ops::repeat(x, heads / own, 2);
}

Tensors attend(Operands operands, const OpAttributes& attributes) {
  check_ranks(operands);
  const Tensor* const bias = optional_operand(operands, 3);
  const Tensor* mask = optional_operand(operands, 4);
  if (bias != nullptr && mask != nullptr) value_error("pass either 'bias' or 'mask', not both");
  if (!attributes.is_null("attn_logits_soft_cap")) {
    unsupported_error("'attn_logits_soft_cap' is not available; leave it out");
  }
  const Tensor query = ops::cast(operands[0], DType::kFloat32);
  const Dim heads = query.shape()[2];
  const Tensor key = for_heads(ops::cast(operands[1], DType::kFloat32), heads);
  const Tensor value = for_heads(ops::cast(operands[2], DType::kFloat32), heads);
  const double scale = attributes.is_null("scale")
                           ? 1 / std::sqrt(static_cast<double>(query.shape()[3]))
                           : attributes.number("scale");
  Tensor scores =
      ops::multiply(ops::einsum("btnh,bsnh->bnts", std::array{query, key}), ops::number(scale));
  if (bias != nullptr) scores = ops::add(scores, *bias);
  Tensor seen;
  if (mask != nullptr) seen = ops::cast(*mask, DType::kBool);
  if (attributes.flag("is_causal")) {
    const Shape square{query.shape()[1], key.shape()[1]};
    const Tensor causal = ops::unary("Tril", Tensor::full(DType::kBool, square, 1));
    seen = mask == nullptr ? causal : ops::logical_and(seen, causal);
  }
  // Added, not chosen: where no key is seen, the weights are equal, and gradients pass, as in
  // Keras.
  if (!seen.empty_handle()) {
    scores = ops::add(scores, ops::where(seen, ops::number(0), ops::number(kNoAttention)));
  }
  return {ops::einsum("bnts,bsnh->btnh", std::array{ops::softmax(scores, -1), value})};
}

constexpr OpAttribute kSettings[] = {
    {"scale", "number | null", "Factor of the scores; null: 1 / sqrt(features).", false, {}},
    {"is_causal", "boolean", "Whether a query sees only keys of its step and before.", false,
     false},
    {"flash_attention",
     "boolean | null",
     "Argument of Keras; does not change the numbers.",
     false,
     {}},
    {"attn_logits_soft_cap", "null", "Argument of Keras; must be null.", false, {}}};

constexpr OpDef kOps[] = {
    {"DotProductAttention", "query key value bias? mask?", kSettings,
     "Attention over [batch, time, heads, features]. `mask` marks the keys that count, `bias` is "
     "added to the scores; both broadcast to [batch, heads, queries, keys]. Key and value may have "
     "fewer heads, each of which then serves several of the query.",
     attend},
};
const RegisterOps registration{kOps, "maskflow"};

}  // namespace
}  // namespace maskflow
