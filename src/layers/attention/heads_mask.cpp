// SPDX-License-Identifier: MIT
// The mask of the scores of layers with several heads, from all the masks of a call.
#include "layers/attention/heads_attention.hpp"
#include "ops/ops.hpp"

namespace maskflow {

MaskPtr HeadsAttention::mask_argument(const Args& args, std::string_view name) {
  return args.find(name) == nullptr ? nullptr : make_mask(argument(args, name));
}

std::array<MaskPtr, 2> HeadsAttention::key_masks(const Args& args) {
  const auto argument_or_own = [&](const char* name, const Tensor& tensor) {
    const MaskPtr mask = mask_argument(args, name);
    return mask ? mask : tensor.mask();
  };
  return {argument_or_own("value_mask", argument(args, "value")),
          args.find("key") == nullptr ? mask_argument(args, "key_mask")
                                      : argument_or_own("key_mask", key_of(args))};
}

// Returns a bool mask with the rank of the scores, or no handle if every query sees every key.
Tensor HeadsAttention::score_mask(const Args& args, const Inputs& inputs) const {
  const Tensor& query = args.inputs.front();
  const Tensor& value = argument(args, "value");
  Tensor result;
  const auto restrict_to = [&](const MaskPtr& mask, Dim axis) {
    if (mask) result = intersection(result, ops::expand_dims(mask->values(), axis));
  };
  restrict_to(inputs.query_mask, -1);
  for (const MaskPtr& mask : inputs.key_masks) restrict_to(mask, -2);
  const bool causal = args.flag("use_causal_mask");
  if (causal || sliding_window_) {
    const Tensor band =
        band_mask(query.shape()[1], value.shape()[1], causal, sliding_window_.value_or(0));
    result = intersection(result, band.reshaped(band.shape().from(1)));
  }
  if (const MaskPtr mask = mask_argument(args, "attention_mask")) {
    result = intersection(result, mask->values());
  }
  if (result.empty_handle()) return result;
  const Shape& target = inputs.scores_shape;
  Shape shape = result.shape();
  // Inserts axes of size 1 for the heads and for the axes that are not attended.
  const int attended = 2 * inputs.layout.attended();
  while (shape.rank() >= attended && shape.rank() < target.rank()) {
    shape.insert(shape.rank() - attended, 1);
  }
  if (shape.rank() != target.rank() || !broadcastable(shape, target) ||
      broadcast(shape, target) != target) {
    shape_error("the masks together have shape ", result.shape(), " but the scores have ", target,
                "; an attention mask must be (batch, queries, keys)");
  }
  return result.reshaped(shape);
}

}  // namespace maskflow
