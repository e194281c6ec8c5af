// SPDX-License-Identifier: MIT
// Ops that join, split or repeat tensors along an axis.
#include <algorithm>
#include <cstring>

#include "base/memory.hpp"
#include "ops/ops.hpp"
#include "ops/strided.hpp"
#include "tensor/stand_in.hpp"

namespace maskflow {
namespace {

DType common_dtype(Operands parts) {
  DType dtype = DType::kBool;
  for (const Tensor& part : parts) dtype = std::max(dtype, part.dtype());
  return dtype;
}

Shape joined_shape(Operands parts, int axis) {
  Shape shape = parts.front().shape();
  Dim total = 0;
  for (const Tensor& part : parts) {
    Shape other = part.shape();
    if (other.rank() == shape.rank()) {
      total += other[axis];
      other.set(axis, shape[axis]);
    }
    if (!(other == shape)) {
      shape_error("cannot join ", parts.front().shape(), " and ", part.shape(), " along axis ",
                  axis, "; all other dimensions must be equal");
    }
  }
  shape.set(axis, total);
  return shape;
}

Tensors concatenate(Operands parts, const OpAttributes& attributes) {
  if (parts.empty()) value_error("there are no tensors to join; pass at least one");
  const int axis = normalize_axis(attributes.integer("axis"), parts.front().rank());
  const DType dtype = common_dtype(parts);
  const Shape shape = joined_shape(parts, axis);
  Tensor result(dtype, shape);
  const std::size_t outer = shape.elements_between(0, axis);
  const std::size_t stride = outer == 0 ? 0 : result.bytes() / outer;
  std::byte* const to = result.mutable_raw();
  std::size_t offset = 0;
  for (const Tensor& part : parts) {
    const Tensor source = ops::cast(part, dtype);
    const std::size_t block = outer == 0 ? 0 : source.bytes() / outer;
    for (std::size_t o = 0; block > 0 && o < outer; ++o) {
      std::memcpy(to + o * stride + offset, source.raw() + o * block, block);
    }
    offset += block;
  }
  return {result};
}

Tensors stack(Operands parts, const OpAttributes& attributes) {
  if (parts.empty()) value_error("there are no tensors to stack; pass at least one");
  Tensors expanded;
  const int axis = normalize_axis(attributes.integer("axis"), parts.front().rank() + 1);
  for (const Tensor& part : parts) {
    if (!(part.shape() == parts.front().shape())) {
      shape_error("cannot stack ", parts.front().shape(), " and ", part.shape(),
                  "; the shapes must be equal");
    }
    expanded.push_back(ops::expand_dims(part, axis));
  }
  return {ops::concatenate(expanded, axis)};
}

Tensors split(Operands x, const OpAttributes& attributes) {
  const int axis = normalize_axis(attributes.integer("axis"), x[0].rank());
  const Dim size = x[0].shape()[axis];
  const Value& places = attributes.get("indices_or_sections");
  std::vector<Dim> ends;
  if (places.is_number()) {
    const Dim sections = places.as_integer("indices_or_sections");
    constexpr Dim kMax = 1 << 16;
    const Dim any = StandIn::for_any_part({size});
    if (sections > 0 && sections < kMax && size % sections != 0 && any != kUnknown) {
      // The stand-in size is not divisible by the sections, but the actual size may be.
      Shape shape = x[0].shape();
      shape.set(axis, any);
      return Tensors(at(sections), Tensor::zeros(x[0].dtype(), shape));
    }
    if (sections <= 0 || size % sections != 0) {
      shape_error("axis ", axis, " of ", x[0].shape(), " has size ", size,
                  ", which does not divide into ", sections, " equal parts");
    }
    ends.reserve(Count(sections).of<Tensor>());
    for (Dim i = 1; i <= sections; ++i) ends.push_back(i * size / sections);
  } else {
    for (const Dim index : attributes.integers("indices_or_sections")) {
      ends.push_back(std::clamp<Dim>(index < 0 ? index + size : index, 0, size));
    }
    ends.push_back(size);
  }
  Tensors parts;
  Dim start = 0;
  for (const Dim end : ends) {
    parts.push_back(ops::slice_axis(x[0], axis, std::min(start, end), end));
    start = end;
  }
  return parts;
}

Tensors unstack(Operands x, const OpAttributes& attributes) {
  const int axis = normalize_axis(attributes.integer("axis"), x[0].rank());
  Shape shape = x[0].shape();
  if (!attributes.is_null("num") && attributes.integer("num") != shape[axis]) {
    value_error("'num' is ", attributes.integer("num"), " but axis ", axis, " has size ",
                shape[axis]);
  }
  shape.erase(axis);
  Tensors parts;
  parts.reserve(Count(x[0].shape()[axis]).of<Tensor>());
  for (Dim i = 0; i < x[0].shape()[axis]; ++i) {
    parts.push_back(ops::slice_axis(x[0], axis, i, i + 1).reshaped(shape));
  }
  return parts;
}

// Returns an empty list with memory for the indices of an axis that becomes `count` times as long.
std::vector<std::int32_t> reserve_indices(const Shape& shape, int axis, Dim count) {
  if ((Count(shape.size()) * count).value() > static_cast<std::uint64_t>(kMaxElements)) {
    shape_error(shape, " repeated ", count, " times has too many elements; the maximum is ",
                kMaxElements);
  }
  std::vector<std::int32_t> indices;
  indices.reserve((Count(shape[axis]) * count).of<std::int32_t>());
  return indices;
}

// Returns the slices of x with these indices along an axis.
Tensor take_slices(const Tensor& x, int axis, std::span<const std::int32_t> indices) {
  Shape shape = x.shape();
  shape.set(axis, static_cast<Dim>(indices.size()));
  Tensor result(x.dtype(), shape);
  const std::size_t outer = shape.elements_between(0, axis);
  const std::size_t block = shape.elements_between(axis + 1, shape.rank()) * size_of(x.dtype());
  const std::size_t length = x.shape().length(axis);
  std::byte* to = result.mutable_raw();
  for (std::size_t o = 0; block > 0 && o < outer; ++o) {
    for (const std::int32_t index : indices) {
      std::memcpy(to, x.raw() + (o * length + at(index)) * block, block);
      to += block;
    }
  }
  return result;
}

Tensors tile(Operands x, const OpAttributes& attributes) {
  std::vector<Dim> repeats = attributes.integers("repeats");
  Tensor result = x[0];
  Shape shape = result.shape();
  while (shape.rank() < static_cast<int>(repeats.size())) shape.insert(0, 1);
  while (static_cast<int>(repeats.size()) < shape.rank()) repeats.insert(repeats.begin(), 1);
  result = result.reshaped(shape);
  for (int axis = 0; axis < shape.rank(); ++axis) {
    const Dim count = repeats[at(axis)];
    if (count < 0) value_error("repeats has the negative number ", count, "; use 0 or more");
    if (count == 1) continue;
    std::vector<std::int32_t> indices = reserve_indices(result.shape(), axis, count);
    for (Dim r = 0; r < count; ++r) {
      for (Dim i = 0; i < shape[axis]; ++i) indices.push_back(static_cast<std::int32_t>(i));
    }
    result = take_slices(result, axis, indices);
  }
  return {result};
}

Tensors repeat(Operands operands, const OpAttributes& attributes) {
  const auto [x, axis] = along_axis(operands[0], attributes);
  const Dim count = attributes.integer("repeats");
  if (count < 0) value_error("repeats is ", count, " but must not be negative");
  std::vector<std::int32_t> indices = reserve_indices(x.shape(), axis, count);
  for (Dim i = 0; i < x.shape()[axis]; ++i) {
    indices.insert(indices.end(), at(count), static_cast<std::int32_t>(i));
  }
  return {take_slices(x, axis, indices)};
}

Tensors roll(Operands operands, const OpAttributes& attributes) {
  const auto [x, axis] = along_axis(operands[0], attributes);
  const Dim size = x.shape()[axis];
  const Dim shift = size == 0 ? 0 : (attributes.integer("shift") % size + size) % size;
  std::vector<std::int32_t> indices = reserve_indices(x.shape(), axis, 1);
  for (Dim i = 0; i < size; ++i) {
    indices.push_back(static_cast<std::int32_t>((i + size - shift) % size));
  }
  return {take_slices(x, axis, indices).reshaped(operands[0].shape())};
}

std::pair<Dim, Dim> pad_widths(const Value& widths, int axis, int rank) {
  const auto check = [](Dim n) {
    if (n < 0) value_error("pad_width has the negative number ", n, "; use 0 or more");
    return n;
  };
  if (widths.is_number()) {
    const Dim n = check(widths.as_integer("pad_width"));
    return {n, n};
  }
  const List& list = widths.as_list("pad_width");
  const bool one_pair = !list.empty() && list[0].is_number();
  if (!one_pair && list.size() != 1 && std::ssize(list) != rank) {
    shape_error("pad_width has ", list.size(), " pairs for ", rank,
                " axes; pass a number, one pair [before, after], or one for each axis");
  }
  const auto place = list.size() == 1 ? 0 : at(axis);
  const List& pair = one_pair ? list : list[place].as_list("pad_width");
  if (pair.empty() || pair.size() > 2)
    value_error("pad_width has an item that is not a pair [before, after]");
  return {check(pair.front().as_integer("pad_width")), check(pair.back().as_integer("pad_width"))};
}

// Returns the index, in an axis of size n, of the element at position i, which may be outside of
// the axis.
Dim padded_index(const std::string& mode, Dim i, Dim n) {
  if (mode == "edge") return std::clamp<Dim>(i, 0, n - 1);
  const Dim period = mode == "wrap" ? n : mode == "symmetric" ? 2 * n : std::max<Dim>(1, 2 * n - 2);
  i = (i % period + period) % period;
  if (i < n) return i;
  return mode == "symmetric" ? period - 1 - i : period - i;
}

Tensor extended(const Tensor& x, int axis, Dim before, Dim after, const std::string& mode) {
  const Dim size = x.shape()[axis];
  if (size == 0)
    shape_error("axis ", axis, " of ", x.shape(), " is empty; pad it with mode 'constant'");
  // The last argument is an upper bound of the factor by which the axis becomes longer.
  std::vector<std::int32_t> indices = reserve_indices(
      x.shape(), axis, 1 + static_cast<Dim>((Count(before) + after).value()) / size + 1);
  for (Dim i = -before; i < size + after; ++i) {
    indices.push_back(static_cast<std::int32_t>(padded_index(mode, i, size)));
  }
  return take_slices(x, axis, indices);
}

Tensors pad(Operands x, const OpAttributes& attributes) {
  Tensor result = x[0];
  const std::string mode = attributes.get("mode").as_string("mode");
  const bool constant = mode == "constant";
  if (!constant && !has_word("edge reflect symmetric wrap", mode)) {
    unsupported_error("'mode' is '", mode,
                      "' but must be 'constant', 'edge', 'reflect', 'symmetric' or 'wrap'");
  }
  const Value padding = attributes.get("constant_values");
  if (!constant && !padding.is_null()) {
    value_error("constant_values requires mode 'constant', but 'mode' is '", mode, "'");
  }
  const double number = padding.is_null() ? 0 : padding.as_number("constant_values");
  for (int axis = 0; axis < x[0].rank(); ++axis) {
    const auto [before, after] = pad_widths(attributes.get("pad_width"), axis, x[0].rank());
    if (!constant) {
      result = extended(result, axis, before, after, mode);
      continue;
    }
    Tensors parts;
    for (const Dim size : {before, after}) {
      Shape shape = result.shape();
      shape.set(axis, size);
      parts.push_back(Tensor::full(x[0].dtype(), shape, number));
    }
    parts.insert(parts.begin() + 1, result);
    result = ops::concatenate(parts, axis);
  }
  return {result};
}

constexpr OpAttribute kConcatenateSettings[] = {
    {"axis", "number", "Axis to join along.", false, 0}};
constexpr OpAttribute kStackSettings[] = {
    {"axis", "number", "Position of the new axis.", false, 0}};
constexpr OpAttribute kSplitSettings[] = {
    {"indices_or_sections",
     "number | number[]",
     "Number of equal parts, or the indices at which parts begin.",
     true,
     {}},
    {"axis", "number", "Axis to split.", false, 0}};
constexpr OpAttribute kUnstackSettings[] = {
    {"num", "number | null", "Number of slices, which is checked.", false, {}},
    {"axis", "number", "Axis to split into its slices.", false, 0}};
constexpr OpAttribute kTileSettings[] = {
    {"repeats", "number | number[]", "Number of copies along each axis.", true, {}}};
constexpr OpAttribute kRepeatSettings[] = {
    {"repeats", "number", "Number of copies of each element.", true, {}},
    {"axis", "number | null", "Axis to repeat along; null: x is flattened first.", false, {}}};
constexpr OpAttribute kRollSettings[] = {
    {"shift", "number", "Number of positions; negative numbers move towards the start.", true, {}},
    {"axis", "number | null", "Axis to roll; null: x is flattened first.", false, {}}};
constexpr OpAttribute kPadSettings[] = {
    {"pad_width",
     "number | [number, number] | [number, number][]",
     "Number of elements to add [before, after] each axis.",
     true,
     {}},
    {"mode", "'constant' | 'edge' | 'reflect' | 'symmetric' | 'wrap'",
     "'constant', or how x continues: 'edge' repeats the last element, 'reflect' and 'symmetric' "
     "mirror x without and with it, 'wrap' starts over.",
     false, "constant"},
    {"constant_values",
     "number | null",
     "Value of the padding with mode 'constant'; null: 0.",
     false,
     {}}};

constexpr OpDef kOps[] = {
    {"Concatenate", "xs*", kConcatenateSettings,
     "Joins tensors along an axis. Their other dimensions must be equal.", concatenate},
    {"Stack", "xs*", kStackSettings, "Joins tensors of equal shapes along a new axis.", stack},
    {"Split", "x", kSplitSettings, "Splits a tensor into several along an axis.", split, nullptr,
     true},
    {"Unstack", "x", kUnstackSettings, "The slices along an axis, without that axis.", unstack,
     nullptr, true},
    {"Tile", "x", kTileSettings, "Repeats the whole tensor along its axes.", tile},
    {"Repeat", "x", kRepeatSettings, "Repeats each element along an axis.", repeat},
    {"Roll", "x", kRollSettings,
     "Moves elements along an axis; those that leave at one end enter at the other.", roll},
    {"Pad", "x", kPadSettings, "Adds elements before and after each axis.", pad},
};
const RegisterOps registration{kOps};

}  // namespace
}  // namespace maskflow
