// SPDX-License-Identifier: MIT
// Ops that put tensors together, take them apart or repeat them along an axis.
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
  if (parts.empty()) value_error("there is nothing to join");
  const int axis = normalize_axis(attributes.integer("axis"), parts.front().rank());
  const DType dtype = common_dtype(parts);
  const Shape shape = joined_shape(parts, axis);
  Tensor result(dtype, shape);
  const auto outer = static_cast<std::size_t>(shape.size_between(0, axis));
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
  if (parts.empty()) value_error("there is nothing to stack");
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
  const Value& given = attributes.get("indices_or_sections");
  std::vector<Dim> ends;
  if (given.is_number()) {
    const Dim sections = given.as_integer("indices_or_sections");
    constexpr Dim kMost = 1 << 16;
    const Dim any = StandIn::for_any_part({size});
    if (sections > 0 && sections < kMost && size % sections != 0 && any != kUnknown) {
      // The size in place of an unknown one does not divide, but the one that comes may.
      Shape shape = x[0].shape();
      shape.set(axis, any);
      return Tensors(static_cast<std::size_t>(sections), Tensor::zeros(x[0].dtype(), shape));
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
  shape.erase(axis);
  Tensors parts;
  parts.reserve(Count(x[0].shape()[axis]).of<Tensor>());
  for (Dim i = 0; i < x[0].shape()[axis]; ++i) {
    parts.push_back(ops::slice_axis(x[0], axis, i, i + 1).reshaped(shape));
  }
  return parts;
}

// Room for the indices of an axis that becomes `count` times as long.
std::vector<std::int32_t> indices(const Shape& shape, int axis, Dim count) {
  if ((Count(shape.size()) * count).value() > static_cast<std::uint64_t>(kMostElements)) {
    shape_error(shape, " repeated ", count, " times has too many elements; at most ", kMostElements,
                " are possible");
  }
  std::vector<std::int32_t> from;
  from.reserve((Count(shape[axis]) * count).of<std::int32_t>());
  return from;
}

// x with each index along an axis replaced by those of `from`.
Tensor pick(const Tensor& x, int axis, std::span<const std::int32_t> from) {
  Shape shape = x.shape();
  shape.set(axis, static_cast<Dim>(from.size()));
  Tensor result(x.dtype(), shape);
  const auto outer = static_cast<std::size_t>(shape.size_between(0, axis));
  const auto block =
      static_cast<std::size_t>(shape.size_between(axis + 1, shape.rank())) * size_of(x.dtype());
  const auto length = static_cast<std::size_t>(x.shape()[axis]);
  std::byte* to = result.mutable_raw();
  for (std::size_t o = 0; block > 0 && o < outer; ++o) {
    for (const std::int32_t index : from) {
      std::memcpy(to, x.raw() + (o * length + static_cast<std::size_t>(index)) * block, block);
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
    const Dim count = repeats[static_cast<std::size_t>(axis)];
    if (count < 0) value_error("repeats has the negative number ", count);
    if (count == 1) continue;
    std::vector<std::int32_t> from = indices(result.shape(), axis, count);
    for (Dim r = 0; r < count; ++r) {
      for (Dim i = 0; i < shape[axis]; ++i) from.push_back(static_cast<std::int32_t>(i));
    }
    result = pick(result, axis, from);
  }
  return {result};
}

Tensors repeat(Operands operands, const OpAttributes& attributes) {
  Tensor x = operands[0];
  if (attributes.is_null("axis")) x = x.reshaped({static_cast<Dim>(x.size())});
  const int axis =
      attributes.is_null("axis") ? 0 : normalize_axis(attributes.integer("axis"), x.rank());
  const Dim count = attributes.integer("repeats");
  if (count < 0) value_error("repeats is ", count, " but must not be negative");
  std::vector<std::int32_t> from = indices(x.shape(), axis, count);
  for (Dim i = 0; i < x.shape()[axis]; ++i)
    from.insert(from.end(), static_cast<std::size_t>(count), static_cast<std::int32_t>(i));
  return {pick(x, axis, from)};
}

Tensors roll(Operands x, const OpAttributes& attributes) {
  const int axis = normalize_axis(attributes.integer("axis"), x[0].rank());
  const Dim size = x[0].shape()[axis];
  const Dim shift = size == 0 ? 0 : (attributes.integer("shift") % size + size) % size;
  std::vector<std::int32_t> from = indices(x[0].shape(), axis, 1);
  for (Dim i = 0; i < size; ++i)
    from.push_back(static_cast<std::int32_t>((i + size - shift) % size));
  return {pick(x[0], axis, from)};
}

std::pair<Dim, Dim> pad_of(const Value& widths, int axis, int rank) {
  const auto check = [](Dim n) {
    if (n < 0) value_error("pad_width has the negative number ", n);
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
                " axes; it is a number, one pair [before, after], or one for each axis");
  }
  const auto place = list.size() == 1 ? 0 : static_cast<std::size_t>(axis);
  const List& pair = one_pair ? list : list[place].as_list("pad_width");
  if (pair.empty() || pair.size() > 2) value_error("pad_width is made of pairs [before, after]");
  return {check(pair.front().as_integer("pad_width")), check(pair.back().as_integer("pad_width"))};
}

// Which index of an axis of size n stands at place i, outside of it too.
Dim padded_index(const std::string& mode, Dim i, Dim n) {
  if (mode == "edge") return std::clamp<Dim>(i, 0, n - 1);
  const Dim period = mode == "wrap" ? n : mode == "symmetric" ? 2 * n : std::max<Dim>(1, 2 * n - 2);
  i = (i % period + period) % period;
  if (i < n) return i;
  return mode == "symmetric" ? period - 1 - i : period - i;
}

Tensor continued(const Tensor& x, int axis, Dim before, Dim after, const std::string& mode) {
  const Dim size = x.shape()[axis];
  if (size == 0) shape_error("axis ", axis, " of ", x.shape(), " is empty: nothing can go on");
  // At least as many times as long as it becomes.
  std::vector<std::int32_t> from =
      indices(x.shape(), axis, 1 + static_cast<Dim>((Count(before) + after).value()) / size + 1);
  for (Dim i = -before; i < size + after; ++i) {
    from.push_back(static_cast<std::int32_t>(padded_index(mode, i, size)));
  }
  return pick(x, axis, from);
}

Tensors pad(Operands x, const OpAttributes& attributes) {
  Tensor result = x[0];
  const std::string mode = attributes.get("mode").as_string("mode");
  const bool constant = mode == "constant";
  if (!constant && !has_word("edge reflect symmetric wrap", mode)) {
    unsupported_error("'mode' is '", mode,
                      "' but must be 'constant', 'edge', 'reflect', 'symmetric' or 'wrap'");
  }
  const Value filling = attributes.get("constant_values");
  if (!constant && !filling.is_null()) {
    value_error("constant_values are for mode 'constant', not for '", mode, "'");
  }
  const double number = filling.is_null() ? 0 : filling.as_number("constant_values");
  for (int axis = 0; axis < x[0].rank(); ++axis) {
    const auto [before, after] = pad_of(attributes.get("pad_width"), axis, x[0].rank());
    if (!constant) {
      result = continued(result, axis, before, after, mode);
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
    {"axis", "number", "Axis to join along.", false, -1}};
constexpr OpAttribute kStackSettings[] = {
    {"axis", "number", "Where the new axis stands.", false, 0}};
constexpr OpAttribute kSplitSettings[] = {{"indices_or_sections",
                                           "number | number[]",
                                           "Number of equal parts, or where to cut.",
                                           true,
                                           {}},
                                          {"axis", "number", "Axis to cut.", false, 0}};
constexpr OpAttribute kUnstackSettings[] = {{"axis", "number", "Axis to take apart.", false, 0}};
constexpr OpAttribute kTileSettings[] = {
    {"repeats", "number | number[]", "Copies per axis.", true, {}}};
constexpr OpAttribute kRepeatSettings[] = {
    {"repeats", "number", "Copies of each element.", true, {}},
    {"axis", "number | null", "Axis; null: flattened first.", false, {}}};
constexpr OpAttribute kRollSettings[] = {{"shift", "number", "By how many places.", true, {}},
                                         {"axis", "number", "Axis.", false, -1}};
constexpr OpAttribute kPadSettings[] = {
    {"pad_width",
     "number | [number, number] | [number, number][]",
     "[before, after] per axis.",
     true,
     {}},
    {"mode", "'constant' | 'edge' | 'reflect' | 'symmetric' | 'wrap'",
     "'constant', or what goes on: 'edge', 'reflect', "
     "'symmetric', 'wrap'.",
     false, "constant"},
    {"constant_values", "number | null", "The padding; null: 0.", false, {}}};

constexpr OpDef kOps[] = {
    {"Concatenate", "xs*", kConcatenateSettings, "Joins tensors along an axis.", concatenate},
    {"Stack", "xs*", kStackSettings, "Joins tensors of one shape along a new axis.", stack},
    {"Split", "x", kSplitSettings, "Cuts a tensor into several along an axis.", split},
    {"Unstack", "x", kUnstackSettings, "The slices along an axis.", unstack},
    {"Tile", "x", kTileSettings, "Repeats the whole tensor along its axes.", tile},
    {"Repeat", "x", kRepeatSettings, "Repeats each element.", repeat},
    {"Roll", "x", kRollSettings,
     "Moves elements along an axis; what leaves comes in at the other end.", roll},
    {"Pad", "x", kPadSettings, "Adds a border.", pad},
};
const RegisterOps registration{kOps};

}  // namespace
}  // namespace maskflow
