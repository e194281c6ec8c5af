// SPDX-License-Identifier: MIT
#include "layers/attention/heads_layout.hpp"

#include <algorithm>

#include "ops/ops.hpp"

namespace maskflow {

HeadsLayout::HeadsLayout(std::vector<int> axes, int rank) {
  for (int& axis : axes) axis = normalize_axis(axis, rank, "an attention axis");
  order = {0};
  for (int axis = 1; axis < rank - 1; ++axis) {
    if (std::ranges::find(axes, axis) == axes.end()) order.push_back(axis);
  }
  others = static_cast<int>(order.size()) - 1;
  for (const int axis : axes) order.push_back(axis);
  order.push_back(rank - 1);
  if (static_cast<int>(order.size()) != rank || std::ranges::find(axes, 0) != axes.end()) {
    config_error("'attention_axes' for an input of rank ", rank,
                 " must be different axes from 1 to ", rank - 2);
  }
}

Shape HeadsLayout::reorder(const Shape& shape) const {
  Shape result;
  for (const int axis : order) result.push_back(shape[axis]);
  return result;
}

Tensor HeadsLayout::flatten(Tensor x) const {
  const Shape shape = reorder(x.shape());
  if (others > 0 || !std::ranges::is_sorted(order)) x = ops::transpose(x, order);
  return x.reshaped({shape.size_between(0, others + 1),
                     shape.size_between(others + 1, shape.rank() - 1), shape.back()});
}

Tensor HeadsLayout::restore(const Tensor& rows, const Shape& query,
                            const std::vector<int>& last) const {
  Shape shape = reorder(query);
  shape.erase(-1);
  for (const int size : last) shape.push_back(size);
  Tensor result = rows.reshaped(shape);
  if (std::ranges::is_sorted(order)) return result;
  std::vector<int> axes;
  for (int axis = 0; axis < shape.rank(); ++axis) {
    const auto place = std::ranges::find(order, axis);
    axes.push_back(axis < query.rank() - 1 ? static_cast<int>(place - order.begin()) : axis);
  }
  return ops::transpose(result, axes);
}

Tensor HeadsLayout::flatten_mask(const Tensor& mask, Shape scores) const {
  if (mask.empty_handle() || scores.rank() == 4) return mask;
  const int head = others + 1;
  const int keys = head + 1 + attended();
  scores.set(head, mask.shape()[head]);
  return ops::broadcast_to(mask, scores)
      .reshaped({scores.size_between(0, head), scores[head], scores.size_between(head + 1, keys),
                 scores.size_between(keys, scores.rank())});
}

Shape HeadsLayout::scores_shape(const Shape& query, const Shape& key, int heads) const {
  const Shape q = reorder(query);
  const Shape k = reorder(key);
  Shape shape = q.first(others + 1);
  shape.push_back(heads);
  for (const Shape& side : {q, k}) {
    for (int axis = others + 1; axis < side.rank() - 1; ++axis) shape.push_back(side[axis]);
  }
  return shape;
}

}  // namespace maskflow
