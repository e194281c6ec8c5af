// SPDX-License-Identifier: MIT
// The usual step of a stream: one timestep of one sequence without masks, with all kept keys.
#include <algorithm>
#include <cmath>

#include "layers/attention/heads_attention.hpp"
#include "rnn/kv_cache.hpp"

namespace maskflow {
namespace {

bool is_one_step(const Tensor& x) {
  return x.dtype() == DType::kFloat32 && x.mask() == nullptr && x.rank() == 3 &&
         x.shape()[0] == 1 && x.shape()[1] == 1;
}

}  // namespace

bool HeadsAttention::is_usual_step(const Args& args, const Frame& frame) const {
  if (gate_ || sliding_window_ || args.mask || (frame.trains() && dropout_ > 0)) return false;
  if (args.inputs.size() != 1 || !is_one_step(args.inputs.front())) return false;
  const auto is_usual = [](const TensorArgument& argument) {
    return (argument.name == "value" || argument.name == "key") && argument.values.size() == 1 &&
           is_one_step(argument.values.front());
  };
  return std::ranges::all_of(args.tensors, is_usual) && args.find("value") != nullptr &&
         !args.flag("return_attention_scores");
}

Tensor HeadsAttention::usual_step(const Args& args, KvCache& cache) const {
  const auto [query_heads, key_heads, key_dim, value_dim] = heads();
  const Tensor& query = args.inputs.front();
  const Tensor& value = argument(args, "value");
  cache.append({}, project(*key_, key_of(args), nullptr, 1), project(*value_, value, nullptr, 1),
               value, 0);
  const std::size_t keys = at(cache.seen_by_one(nullptr, 1));
  const Tensor projected = project(*query_, query, nullptr, 1);
  Tensor context(DType::kFloat32, {1, query_heads * value_dim});
  const kernels::Score score{.factor = 1 / std::sqrt(static_cast<float>(key_dim))};
  kernels::Floats weights(keys);
  for (int head = 0; head < query_heads; ++head) {
    const int key_head = head * key_heads / query_heads;
    kernels::score_keys(projected.floats() + head * key_dim,
                        {cache.keys() + key_head * key_dim, at(key_heads * key_dim)}, keys,
                        at(key_dim), score, weights.data());
    softmax_.apply(weights.data(), 1, keys);
    kernels::weigh_rows(weights.data(),
                        {cache.values() + key_head * value_dim, at(key_heads * value_dim)}, keys,
                        at(value_dim), context.mutable_floats() + head * value_dim);
  }
  Shape shape{1, 1};
  for (const int size : output_sizes(static_cast<int>(query.shape().back()))) shape.push_back(size);
  Tensor result = project(*output_, context, nullptr, 1).reshaped(shape);
  cache.propagate_nan(result);
  return result;
}

}  // namespace maskflow
