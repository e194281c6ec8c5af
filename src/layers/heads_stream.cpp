// SPDX-License-Identifier: MIT
// Layers with several attention heads in a stream: causal, with the keys and values of all steps
// that have been.
#include <algorithm>
#include <cmath>

#include "layers/heads_attention.hpp"
#include "layers/stream_attend.hpp"
#include "ops/ops.hpp"

namespace maskflow {

// Attention over other axes is of each step by itself; over time alone it goes on.
Streaming HeadsAttention::streaming(const Shape& input) const {
  const HeadsLayout layout(axes(input.rank()), input.rank());
  const auto time = std::ranges::find(layout.order, 1) - layout.order.begin();
  if (time <= layout.others) return Streaming::kEachStep;
  return input.rank() == 3 ? Streaming::kCarries : Streaming::kNever;
}

Tensors HeadsAttention::go_on(const Args& args, StreamPast& past) {
  static_cast<void>(output_specs(args));  // checks, and sees whether scores are asked for
  if (args.trains() && dropout_ > 0) {
    unsupported_error(
        "dropout of attention weights cannot be trained in a stream; call the model "
        "on whole sequences");
  }
  const auto [query_heads, key_heads, key_dim, value_dim] = heads();
  const auto floats = [](const Tensor& x) { return ops::cast(x, DType::kFloat32); };
  const Tensor query = floats(args.inputs.front());
  const Tensor value = floats(argument(args, "value"));
  const Tensor key = floats(key_of(args));
  const auto batch = static_cast<std::size_t>(query.shape()[0]);
  const auto steps = static_cast<std::size_t>(query.shape()[1]);
  const MaskPtr asked = query_mask(args);
  const std::array<MaskPtr, 2> masks = key_masks(args);
  const std::vector<std::uint8_t> fresh =
      kept_steps({masks[0], batch, steps}, {masks[1], batch, steps}, batch, steps);
  const Keep wanted(asked, batch, steps);
  take_masks(args);

  const KeptRows added = rows_of(fresh, batch);
  const Tensor k = projected(*key_, key, added.index.data(), added.size());
  const Tensor v = projected(*value_, value, added.index.data(), added.size());
  const auto window = static_cast<std::size_t>(sliding_window_.value_or(0));
  past.open(batch, {key_->width(), value_->width(), value_->width_in()}, window);
  past.append(fresh, {k.data<float>().data(), key_->width()},
              {v.data<float>().data(), value_->width()}, value.data<float>().data());

  StreamAttend attend(past,
                      {static_cast<std::size_t>(query_heads), static_cast<std::size_t>(key_heads),
                       static_cast<std::size_t>(key_dim), static_cast<std::size_t>(value_dim)},
                      steps);
  attend.score.factor = 1 / std::sqrt(static_cast<float>(key_dim));
  attend.window = window;
  const KeptRows kept = attend.seeing(wanted);
  const Tensor q = projected(*query_, query, kept.index.data(), kept.size());
  Tensor context(DType::kFloat32, {static_cast<Dim>(kept.size()), query_heads * value_dim});
  Tensors results(returns_scores_ ? 2 : 1);
  float* scores = nullptr;
  if (returns_scores_) {
    const Dim total = static_cast<Dim>(past.seen());
    results[1] =
        Tensor::zeros(DType::kFloat32, {query.shape()[0], query_heads, query.shape()[1], total});
    scores = results[1].mutable_data<float>().data();
  }
  attend.run(kept, q.data<float>().data(), true, context.mutable_data<float>().data(), scores);
  Tensor blind;
  if (kept.size() != batch * steps) blind = context_of_blind(blind_of(3), past.means());
  const HeadsLayout layout({1}, 3);
  results[0] = layout.restored(result_of(query, kept, context, blind), query.shape(),
                               output_sizes(static_cast<int>(query.shape().back())));
  return results;
}

}  // namespace maskflow
