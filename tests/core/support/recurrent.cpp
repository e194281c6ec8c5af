// SPDX-License-Identifier: MIT
#include "support/recurrent.hpp"

#include <algorithm>

namespace maskflow::test {
namespace {

LayerPtr recurrent(Kind kind, int units, Entries settings) {
  Dict config = dict(settings);
  config["units"] = units;
  if (kind == Kind::kGruResetBefore) config["reset_after"] = false;
  const std::string name = kind == Kind::kGruResetBefore ? "GRU" : name_of(kind);
  return make_layer(name, config);
}

}  // namespace

RecurrentCase::RecurrentCase(Kind cell, Rng& rng, Entries settings)
    : kind(cell),
      batch(rng.integer(1, 7)),
      time(rng.integer(1, 9)),
      features(rng.integer(1, 6)),
      units(rng.integer(1, 9)),
      x(random_floats(rng, {batch, time, features}, 2)),
      keep(random_keep(rng, batch, time)),
      layer(recurrent(kind, units, settings)) {
  randomize(*layer, rng, x.shape());
}

LayerPtr RecurrentCase::with(Entries settings) const {
  LayerPtr other = recurrent(kind, units, settings);
  other->build_once({x.shape()});
  other->set_weights(weights());
  return other;
}

Tensors RecurrentCase::weights() const {
  Tensors values;
  for (const Layer::Weight& weight : layer->weights()) values.push_back(weight.variable->value());
  return values;
}

Tensors RecurrentCase::random_states(Rng& rng) const {
  Tensors states;
  for (std::size_t s = 0; s < state_count(kind); ++s) {
    states.push_back(random_floats(rng, {batch, units}));
  }
  return states;
}

Tensor with_masked_steps(const Tensor& x, const Keep& keep, float value) {
  Tensor result = Tensor::from<float>(x.shape(), x.data<float>());
  const std::size_t features = x.size() / keep.size();
  for (std::size_t i = 0; i < keep.size(); ++i) {
    if (keep[i] == 0)
      std::fill_n(result.mutable_data<float>().begin() + static_cast<std::ptrdiff_t>(i * features),
                  features, value);
  }
  return result;
}

Tensor batch_rows(const Tensor& x, int first, int count) {
  Shape shape = x.shape();
  const std::size_t row = x.size() / static_cast<std::size_t>(shape[0]);
  shape.set(0, count);
  return Tensor::from<float>(shape, x.data<float>().subspan(row * static_cast<std::size_t>(first),
                                                            row * static_cast<std::size_t>(count)));
}

Tensor time_step(const Tensor& x, int t) {
  Shape shape = x.shape();
  const auto batch = static_cast<std::size_t>(shape[0]);
  const auto time = static_cast<std::size_t>(shape[1]);
  shape.erase(1);
  Tensor result(DType::kFloat32, shape);
  const std::size_t width = x.size() / (batch * time);
  for (std::size_t row = 0; row < batch; ++row) {
    const auto from =
        x.data<float>().subspan((row * time + static_cast<std::size_t>(t)) * width, width);
    std::ranges::copy(
        from, result.mutable_data<float>().begin() + static_cast<std::ptrdiff_t>(row * width));
  }
  return result;
}

Tensor reversed_time(const Tensor& x) {
  const auto batch = static_cast<std::size_t>(x.shape()[0]);
  const auto time = static_cast<std::size_t>(x.shape()[1]);
  Tensor result(DType::kFloat32, x.shape());
  const std::size_t width = x.size() / (batch * time);
  for (std::size_t row = 0; row < batch; ++row) {
    for (std::size_t t = 0; t < time; ++t) {
      const auto from = x.data<float>().subspan((row * time + time - 1 - t) * width, width);
      std::ranges::copy(from, result.mutable_data<float>().begin() +
                                  static_cast<std::ptrdiff_t>((row * time + t) * width));
    }
  }
  return result;
}

}  // namespace maskflow::test
