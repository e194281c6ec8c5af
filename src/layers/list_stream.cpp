// SPDX-License-Identifier: MIT
// Attention and AdditiveAttention in a stream: causal, with the keys and values of all steps that
// have been.
#include "kernels/copy.hpp"
#include "layers/list_attention.hpp"
#include "layers/stream_attend.hpp"
#include "ops/ops.hpp"

namespace maskflow {
namespace {

// Where nothing is to be seen, all keys so far weigh the same: their scores are 1e9 less, beside
// which they are nothing.
void show_means(const StreamPast& past, const KeptRows& seeing, const Keep& shown, Tensor& result,
                float* scores) {
  const Tensor means = past.means();
  const auto steps = static_cast<std::size_t>(result.shape()[1]);
  const auto width = static_cast<std::size_t>(result.shape()[2]);
  const std::size_t total = past.seen();
  std::size_t next = 0;
  for (std::size_t at = 0; at < past.batch() * steps; ++at) {
    if (next < seeing.size() && static_cast<std::size_t>(seeing.index[next]) == at) {
      ++next;
      continue;
    }
    if (scores != nullptr) {
      std::fill_n(scores + at * total, total, 1 / static_cast<float>(total));
    }
    if (!shown(at / steps, at % steps)) continue;
    kernels::copy(means.data<float>().data() + at / steps * width,
                  result.mutable_data<float>().data() + at * width, width);
  }
}

}  // namespace

Tensors ListAttention::go_on(const Args& args, StreamPast& past) {
  if (args.trains() && dropout_ > 0) {
    unsupported_error(
        "dropout of attention weights cannot be trained in a stream; call the model "
        "on whole sequences");
  }
  const auto floats = [](const Tensor& x) { return ops::cast(x, DType::kFloat32); };
  const Tensor query = floats(args.inputs[0]);
  const Tensor value = floats(args.inputs[1]);
  const Tensor key = args.inputs.size() > 2 ? floats(args.inputs[2]) : value;
  const Shape& shape = query.shape();
  const auto batch = static_cast<std::size_t>(shape[0]);
  const auto steps = static_cast<std::size_t>(shape[1]);
  const auto width = static_cast<std::size_t>(shape[2]);
  const auto value_width = static_cast<std::size_t>(value.shape()[2]);
  const auto mask = [&](std::size_t i) {
    return args.mask && i < args.mask->size() ? (*args.mask)[i] : nullptr;
  };
  const Keep shown(mask(0), batch, steps);
  const Keep data(mask(1), batch, steps);
  const std::vector<std::uint8_t> fresh = kept_steps(data, data, batch, steps);
  const KeptRows added = rows_of(fresh, batch);
  past.open(batch, {width, value_width, value_width}, 0);
  past.append(fresh, {key.data<float>().data(), width, added.index.data()},
              {value.data<float>().data(), value_width, added.index.data()},
              value.data<float>().data());

  StreamAttend attend(past, {1, 1, width, value_width}, steps);
  attend.score = score(shape[2]);
  // Scores that are asked for show masked queries too.
  const KeptRows kept = attend.seeing(returns_scores_ ? Keep(nullptr, batch, steps) : shown);
  Tensor rows(DType::kFloat32, {static_cast<Dim>(kept.size()), value.shape()[2]});
  Tensors results(returns_scores_ ? 2 : 1);
  float* scores = nullptr;
  if (returns_scores_) {
    results[1] =
        Tensor::zeros(DType::kFloat32, {shape[0], shape[1], static_cast<Dim>(past.seen())});
    scores = results[1].mutable_data<float>().data();
  }
  attend.run(kept, query.data<float>().data(), false, rows.mutable_data<float>().data(), scores);
  results[0] = kept.spread(rows, {shape[0], shape[1], value.shape()[2]});
  if (kept.size() != batch * steps) show_means(past, kept, shown, results[0], scores);
  if (mask(0)) {
    const Tensor factor = ops::cast(mask(0)->values(), DType::kFloat32);
    results[0] = ops::multiply(results[0], ops::expand_dims(factor, -1));
  }
  return results;
}

}  // namespace maskflow
