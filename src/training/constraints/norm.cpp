// SPDX-License-Identifier: MIT
#include "training/constraints/norm.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace maskflow {
namespace {

// Axis by axis: how far apart the norms of neighbours are; 0 along the vectors.
struct Places {
  std::array<std::size_t, kMaxRank> step{};
  std::size_t norms = 1;
};

Places places_of(const Value& axis, const Shape& shape) {
  std::array<bool, kMaxRank> along{};
  const auto add = [&](const Value& one) {
    along[static_cast<std::size_t>(normalize_axis(one.as_integer("axis"), shape.rank()))] = true;
  };
  if (axis.is_list()) {
    for (const Value& one : axis.as_list("axis")) add(one);
  } else {
    add(axis);
  }
  Places places;
  for (int i = shape.rank() - 1; i >= 0; --i) {
    const auto at = static_cast<std::size_t>(i);
    if (along[at]) continue;
    places.step[at] = places.norms;
    places.norms *= static_cast<std::size_t>(shape[i]);
  }
  return places;
}

// f(element, norm) for each element and its vector's norm.
template <class F>
void each_element(float* weight, float* norms, const Shape& shape, const Places& places, int axis,
                  F&& f) {
  if (axis == shape.rank()) return f(*weight, *norms);
  const auto inside = static_cast<std::size_t>(shape.from(axis + 1).size());
  const auto count = static_cast<std::size_t>(shape[axis]);
  const std::size_t step = places.step[static_cast<std::size_t>(axis)];
  for (std::size_t i = 0; i < count; ++i) {
    each_element(weight + i * inside, norms + i * step, shape, places, axis + 1, f);
  }
}

}  // namespace

void NormConstraint::check_config() const {
  const auto check = [](const Value& one) { static_cast<void>(one.as_integer("axis")); };
  if (!axis_.is_list()) return check(axis_);
  for (const Value& one : axis_.as_list("axis")) check(one);
}

void NormConstraint::apply(float* weight, const Shape& shape) {
  const Places places = places_of(axis_, shape);
  if (norms_.size() < places.norms) norms_.resize(places.norms);
  float* const norms = norms_.data();
  std::fill_n(norms, places.norms, 0.0F);
  each_element(weight, norms, shape, places, 0, [](float w, float& norm) { norm += w * w; });
  for (std::size_t i = 0; i < places.norms; ++i) norms[i] = factor(std::sqrt(norms[i]));
  each_element(weight, norms, shape, places, 0, [](float& w, float norm) { w *= norm; });
}

}  // namespace maskflow
