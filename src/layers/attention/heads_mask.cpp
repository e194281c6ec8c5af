// SPDX-License-Identifier: MIT
// Which keys a query may see, of all that layers with several heads are told.
#include "layers/attention/heads_attention.hpp"
#include "ops/ops.hpp"

namespace maskflow {

MaskPtr HeadsAttention::explicit_mask(const Args& args, std::string_view name) {
  return args.find(name) == nullptr ? nullptr : make_mask(argument(args, name));
}

std::array<MaskPtr, 2> HeadsAttention::key_masks(const Args& args) {
  const auto given = [&](const char* name, const Tensor& tensor) {
    const MaskPtr mask = explicit_mask(args, name);
    return mask ? mask : tensor.mask();
  };
  return {given("value_mask", argument(args, "value")), args.find("key") == nullptr
                                                            ? explicit_mask(args, "key_mask")
                                                            : given("key_mask", key_of(args))};
}

// Bool, of the rank of the scores; no handle when every query sees every key.
Tensor HeadsAttention::allowed(const Args& args, const HeadsLayout& layout) const {
  const Tensor& query = args.inputs.front();
  const Tensor& value = argument(args, "value");
  Tensor result;
  const auto restrict_to = [&](const MaskPtr& mask, Dim axis) {
    if (mask) result = both(result, ops::expand_dims(mask->values(), axis));
  };
  restrict_to(query_mask(args), -1);
  for (const MaskPtr& mask : key_masks(args)) restrict_to(mask, -2);
  const bool causal = args.flag("use_causal_mask");
  if (causal || sliding_window_) {
    const Tensor band =
        band_mask(query.shape()[1], value.shape()[1], causal, sliding_window_.value_or(0));
    result = both(result, band.reshaped(band.shape().from(1)));
  }
  if (const MaskPtr mask = explicit_mask(args, "attention_mask")) {
    result = both(result, mask->values());
  }
  if (result.empty_handle()) return result;
  const Shape target = layout.scores(query.shape(), key_of(args).shape(), heads().heads);
  Shape shape = result.shape();
  // Axes of size 1 where the mask says nothing of heads and of what is not attended over.
  const int steps = 2 * layout.attended();
  while (shape.rank() >= steps && shape.rank() < target.rank()) {
    shape.insert(shape.rank() - steps, 1);
  }
  if (shape.rank() != target.rank() || !broadcastable(shape, target) ||
      broadcast(shape, target) != target) {
    shape_error("the masks give ", result.shape(), " together, but the scores are ", target,
                "; an attention mask is (batch, queries, keys)");
  }
  return result.reshaped(shape);
}

}  // namespace maskflow
