// SPDX-License-Identifier: MIT
// Ops that only move elements: reshaping, transposing, slicing, flipping.
#include <algorithm>
#include <numeric>

#include "ops/ops.hpp"
#include "ops/strided.hpp"
#include "tensor/stand_in.hpp"

namespace maskflow {
namespace {

Tensors reshape(Operands x, const OpAttributes& attributes) {
  Shape shape;
  int unknown = -1;
  Dim known = 1;
  for (const Dim dim : attributes.integers("newshape")) {
    if (dim == -1) {
      if (unknown >= 0) shape_error("newshape has two dimensions of -1; only one can be inferred");
      unknown = shape.rank();
    } else if (dim < 0) {
      shape_error("newshape has the negative dimension ", dim, "; use -1 to infer one");
    } else if (dim != 0 && known > (Dim{1} << 31) / dim) {
      // The result would have more elements than a tensor can have; the product might even
      // overflow.
      shape_error("newshape has too many elements for ", x[0].shape());
    } else {
      known *= dim;
    }
    shape.push_back(dim);
  }
  const auto size = static_cast<Dim>(x[0].size());
  const bool fits = unknown < 0 ? size == known : known != 0 && size % known == 0;
  const Dim any = fits ? kUnknown : StandIn::for_any_part(x[0].shape());
  if (any != kUnknown) {
    // The stand-in size does not fit, but the actual size may.
    if (unknown >= 0) shape.set(unknown, any);
    return {Tensor::zeros(x[0].dtype(), shape)};
  }
  if (unknown >= 0) {
    if (!fits) {
      shape_error("cannot reshape ", x[0].shape(), " to ", shape, ": ", size,
                  " elements are not a multiple of ", known);
    }
    shape.set(unknown, size / known);
  }
  return {x[0].reshaped(shape)};
}

Tensor permuted(const Tensor& x, std::span<const int> order) {
  const Strides x_strides = strides_of(x.shape());
  Strides strides{};
  Shape shape;
  for (const int axis : order) {
    strides[at(shape.rank())] = x_strides[at(axis)];
    shape.push_back(x.shape()[axis]);
  }
  return strided_copy(x, shape, strides, 0);
}

Tensors transpose(Operands x, const OpAttributes& attributes) {
  std::vector<int> order(at(x[0].rank()));
  std::iota(order.rbegin(), order.rend(), 0);
  if (!attributes.is_null("axes")) {
    const std::vector<Dim> axes = attributes.integers("axes");
    order.clear();
    for (const Dim axis : axes) {
      const int next = normalize_axis(axis, x[0].rank());
      if (std::ranges::find(order, next) != order.end()) order.clear();
      order.push_back(next);
    }
    if (order.size() != axes.size() || static_cast<int>(order.size()) != x[0].rank()) {
      value_error("axes must name each of the ", x[0].rank(), " axes once");
    }
  }
  return {permuted(x[0], order)};
}

Tensors move_axis(Operands x, const OpAttributes& attributes) {
  const std::vector<Dim> sources = attributes.integers("source");
  const std::vector<Dim> destinations = attributes.integers("destination");
  if (sources.size() != destinations.size()) {
    value_error("'source' has ", sources.size(), " axes but 'destination' has ",
                destinations.size());
  }
  const int rank = x[0].rank();
  std::vector<int> order(at(rank), -1);
  std::vector<bool> moved(at(rank), false);
  for (std::size_t i = 0; i < sources.size(); ++i) {
    const int from = normalize_axis(sources[i], rank);
    int& to = order[at(normalize_axis(destinations[i], rank))];
    if (to >= 0 || moved[at(from)]) value_error("an axis is moved twice");
    to = from;
    moved[at(from)] = true;
  }
  // The other axes keep their order.
  int next = 0;
  for (int& axis : order) {
    if (axis >= 0) continue;
    while (moved[at(next)]) ++next;
    axis = next++;
  }
  return {permuted(x[0], order)};
}

Tensors swap_axes(Operands x, const OpAttributes& attributes) {
  std::vector<int> order(at(x[0].rank()));
  std::iota(order.begin(), order.end(), 0);
  std::swap(order[at(normalize_axis(attributes.integer("axis1"), x[0].rank()))],
            order[at(normalize_axis(attributes.integer("axis2"), x[0].rank()))]);
  return {permuted(x[0], order)};
}

Tensors expand_dims(Operands x, const OpAttributes& attributes) {
  Shape shape = x[0].shape();
  std::vector<Dim> axes = attributes.integers("axis");
  const int rank = shape.rank() + static_cast<int>(axes.size());
  for (Dim& axis : axes) axis = normalize_axis(axis, rank);
  for (int axis = 0; axis < rank; ++axis) {
    if (std::ranges::find(axes, axis) != axes.end()) shape.insert(axis, 1);
  }
  if (shape.rank() != rank) value_error("'axis' lists an axis twice");
  return {x[0].reshaped(shape)};
}

Tensors squeeze(Operands x, const OpAttributes& attributes) {
  const Shape& shape = x[0].shape();
  const std::vector<bool> removed = listed_axes(shape.rank(), attributes);
  Shape result;
  for (int axis = 0; axis < shape.rank(); ++axis) {
    if (removed[at(axis)] && shape[axis] == 1) continue;
    if (removed[at(axis)] && !attributes.is_null("axis")) {
      shape_error("axis ", axis, " of ", shape, " has size ", shape[axis], ", not 1");
    }
    result.push_back(shape[axis]);
  }
  return {x[0].reshaped(result)};
}

Tensors broadcast_to(Operands x, const OpAttributes& attributes) {
  const Shape shape(attributes.integers("shape"));
  if (broadcast(x[0].shape(), shape) != shape) {
    shape_error("cannot broadcast ", x[0].shape(), " to ", shape);
  }
  return {strided_copy(x[0], shape, broadcast_strides(x[0].shape(), shape), 0)};
}

Tensors flip(Operands x, const OpAttributes& attributes) {
  Strides strides = strides_of(x[0].shape());
  Dim offset = 0;
  const std::vector<bool> flipped = listed_axes(x[0].rank(), attributes);
  for (int axis = 0; axis < x[0].rank(); ++axis) {
    if (!flipped[at(axis)]) continue;
    Dim& stride = strides[at(axis)];
    offset += stride * (x[0].shape()[axis] - 1);
    stride = -stride;
  }
  return {strided_copy(x[0], x[0].shape(), strides, offset)};
}

Tensors slice(Operands x, const OpAttributes& attributes) {
  const std::vector<Dim> starts = attributes.integers("start_indices");
  std::vector<Dim> sizes = attributes.integers("shape");
  const Shape& shape = x[0].shape();
  if (static_cast<int>(starts.size()) != shape.rank() || sizes.size() != starts.size()) {
    shape_error("start_indices and shape need one number for each of the ", shape.rank(), " axes");
  }
  const Strides strides = strides_of(shape);
  Dim offset = 0;
  for (int axis = 0; axis < shape.rank(); ++axis) {
    const auto a = at(axis);
    if (sizes[a] == -1) sizes[a] = shape[axis] - starts[a];
    // Settings are at most 2^53, so the sum fits in 64 bits.
    if (starts[a] < 0 || sizes[a] < 0 || starts[a] + sizes[a] > shape[axis]) {
      shape_error("the slice ", starts[a], " to ", starts[a] + sizes[a], " is not within axis ",
                  axis, " of ", shape);
    }
    offset += strides[a] * starts[a];
  }
  return {strided_copy(x[0], Shape(sizes), strides, offset)};
}

// Sets start and step of the slice of an axis by Python's rules; returns the number of indices.
Dim python_slice(const Value& item, Dim size, Dim& start, Dim& step) {
  const Value* fields = item.find("config") != nullptr ? item.find("config") : &item;
  const auto part = [&](std::string_view name) -> const Value* {
    const Value* value = fields->find(name);
    return value == nullptr || value->is_null() ? nullptr : value;
  };
  step = part("step") != nullptr ? part("step")->as_integer("step") : 1;
  if (step == 0) value_error("the step of a slice must not be 0");
  const Dim lowest = step > 0 ? 0 : -1;
  const Dim highest = step > 0 ? size : size - 1;
  const auto bound = [&](Name name, Dim fallback) {
    if (part(name) == nullptr) return fallback;
    const Dim index = part(name)->as_integer(name);
    return std::clamp(index < 0 ? index + size : index, lowest, highest);
  };
  start = bound("start", step > 0 ? 0 : size - 1);
  const Dim stop = bound("stop", step > 0 ? size : -1);
  const Dim span = step > 0 ? stop - start : start - stop;
  const Dim stride = step > 0 ? step : -step;
  return span <= 0 ? 0 : (span + stride - 1) / stride;
}

// Checks an item of a key that is neither an index nor null nor an ellipsis.
void check_slice(const Value& item) {
  const Value* fields = item.find("config") != nullptr ? item.find("config") : &item;
  bool fits = fields->is_dict();
  if (fits) {
    for (const auto& [name, value] : fields->as_dict("").entries()) {
      fits = fits && (name == "start" || name == "stop" || name == "step");
    }
  }
  if (!fits) {
    value_error("the key has the item ", item,
                "; use an index, { start, stop, step }, null for a new axis, or '...'");
  }
}

bool is_ellipsis(const Value& item) {
  if (item.is_string()) return item.as_string("key") == "...";
  const Value* name = item.find("class_name");
  return name != nullptr && name->as_string("class_name") == "__ellipsis__";
}

Tensors get_item(Operands x, const OpAttributes& attributes) {
  const Value& key = attributes.get("key");
  const List items = key.is_list() ? key.as_list("key") : List{key};
  const Shape& shape = x[0].shape();
  const auto indexed = std::ranges::count_if(
      items, [](const Value& item) { return !item.is_null() && !is_ellipsis(item); });
  if (indexed > shape.rank()) {
    shape_error("the key has ", indexed, " items for ", shape.rank(), " axes");
  }
  const Strides x_strides = strides_of(shape);
  Shape result;
  Strides strides{};
  Dim offset = 0;
  int axis = 0;
  const auto keep = [&](Dim size, Dim stride) {
    strides[at(result.rank())] = stride;
    result.push_back(size);
  };
  const auto keep_whole = [&](int count) {
    for (; count > 0; --count, ++axis) keep(shape[axis], x_strides[at(axis)]);
  };
  for (const Value& item : items) {
    if (item.is_null()) {
      keep(1, 0);
    } else if (is_ellipsis(item)) {
      keep_whole(shape.rank() - static_cast<int>(indexed));
    } else if (item.is_number()) {
      offset += x_strides[at(axis)] *
                normalize_axis(item.as_integer("key"), static_cast<int>(shape[axis]), "index");
      ++axis;
    } else {
      check_slice(item);
      Dim start = 0;
      Dim step = 1;
      const Dim size = python_slice(item, shape[axis], start, step);
      const Dim stride = x_strides[at(axis)];
      if (size > 0) offset += stride * start;
      keep(size, size > 1 ? stride * step : 0);
      ++axis;
    }
  }
  keep_whole(shape.rank() - axis);
  return {strided_copy(x[0], result, strides, offset)};
}

constexpr OpAttribute kReshapeSettings[] = {
    {"newshape",
     "number[]",
     "Shape of the result; one dimension may be -1, which is inferred.",
     true,
     {}}};
constexpr OpAttribute kTransposeSettings[] = {
    {"axes",
     "number[] | null",
     "The axis of x for each axis of the result; null: in reverse order.",
     false,
     {}}};
constexpr OpAttribute kMoveaxisSettings[] = {
    {"source", "number | number[]", "Axis to move, or several.", true, {}},
    {"destination", "number | number[]", "Its position in the result, or theirs.", true, {}}};
constexpr OpAttribute kExpandDimsSettings[] = {
    {"axis",
     "number | number[]",
     "Position of the new axis, or of several, in the result.",
     true,
     {}}};
constexpr OpAttribute kBroadcastToSettings[] = {
    {"shape", "number[]", "Shape of the result.", true, {}}};
constexpr OpAttribute kFlipSettings[] = {
    {"axis", "number | number[] | null", "Axes to reverse; null: all.", false, {}}};
constexpr OpAttribute kSliceSettings[] = {
    {"start_indices", "number[]", "First index along each axis.", true, {}},
    {"shape", "number[]", "Size along each axis; -1: all that follow.", true, {}}};
constexpr OpAttribute kGetItemSettings[] = {
    {"key",
     "SliceKey",
     "For each axis: an index, { start, stop, step }, null for a new axis, or '...'.",
     true,
     {}}};

constexpr OpAttribute kSwapaxesSettings[] = {
    {"axis1", "number", "First axis.", true, {}},
    {"axis2", "number", "Second axis.", true, {}},
};
constexpr OpAttribute kSqueezeSettings[] = {
    {"axis", "number | number[] | null", "Axes of size 1; null: all of them.", false, {}},
};

constexpr OpDef kOps[] = {
    {"Swapaxes", "x", kSwapaxesSettings, "Swaps two axes.", swap_axes},
    {"Squeeze", "x", kSqueezeSettings, "Removes axes of size 1.", squeeze},
    {"Reshape", "x", kReshapeSettings, "Changes the shape and keeps the elements in their order.",
     reshape},
    {"Transpose", "x", kTransposeSettings, "Reorders the axes.", transpose},
    {"Moveaxis", "x", kMoveaxisSettings, "Moves axes to other positions.", move_axis},
    {"ExpandDims", "x", kExpandDimsSettings, "Adds an axis of size 1.", expand_dims},
    {"BroadcastTo", "x", kBroadcastToSettings,
     "Repeats x along axes of size 1 or missing leading axes.", broadcast_to},
    {"Flip", "x", kFlipSettings, "Reverses the elements along axes.", flip},
    {"Slice", "x", kSliceSettings, "A block of x, by its first indices and its shape.", slice},
    {"GetItem", "x", kGetItemSettings, "Indexes and slices x by Python's rules: x[key].", get_item},
};
const RegisterOps registration{kOps};

}  // namespace
}  // namespace maskflow
