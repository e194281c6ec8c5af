// SPDX-License-Identifier: MIT
#include "training/constraints/norm.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace maskflow {
namespace {

// Position of the norm of an element's vector in the array of norms.
struct NormLayout {
  // For each axis, the distance between the norms of neighbours; 0 along the vectors.
  std::array<std::size_t, kMaxRank> step{};
  std::size_t norms = 1;
};

NormLayout layout_of(const Value& axis, const Shape& shape) {
  std::array<bool, kMaxRank> along{};
  const auto add = [&](const Value& number) {
    along[static_cast<std::size_t>(normalize_axis(number.as_integer("axis"), shape.rank()))] = true;
  };
  if (axis.is_list()) {
    for (const Value& number : axis.as_list("axis")) add(number);
  } else {
    add(axis);
  }
  NormLayout layout;
  for (int i = shape.rank() - 1; i >= 0; --i) {
    const auto at = static_cast<std::size_t>(i);
    if (along[at]) continue;
    layout.step[at] = layout.norms;
    layout.norms *= static_cast<std::size_t>(shape[i]);
  }
  return layout;
}

// Calls f(element, norm) for each element and the norm of its vector.
template <class F>
void each_element(float* weight, float* norms, const Shape& shape, const NormLayout& layout,
                  int axis, F&& f) {
  if (axis == shape.rank()) return f(*weight, *norms);
  const auto inside = static_cast<std::size_t>(shape.from(axis + 1).size());
  const auto count = static_cast<std::size_t>(shape[axis]);
  const std::size_t step = layout.step[static_cast<std::size_t>(axis)];
  for (std::size_t i = 0; i < count; ++i) {
    each_element(weight + i * inside, norms + i * step, shape, layout, axis + 1, f);
  }
}

}  // namespace

void NormConstraint::check_config() const {
  const auto check = [](const Value& number) { static_cast<void>(number.as_integer("axis")); };
  if (!axis_.is_list()) return check(axis_);
  for (const Value& number : axis_.as_list("axis")) check(number);
}

void NormConstraint::apply(float* weight, const Shape& shape) {
  const NormLayout layout = layout_of(axis_, shape);
  if (norms_.size() < layout.norms) norms_.resize(layout.norms);
  float* const norms = norms_.data();
  std::fill_n(norms, layout.norms, 0.0F);
  each_element(weight, norms, shape, layout, 0, [](float w, float& norm) { norm += w * w; });
  for (std::size_t i = 0; i < layout.norms; ++i) norms[i] = factor(std::sqrt(norms[i]));
  each_element(weight, norms, shape, layout, 0, [](float& w, float norm) { w *= norm; });
}

}  // namespace maskflow
