// SPDX-License-Identifier: MIT
// Ops of NumPy that join, split or arrange arrays, each a few calls of other ops.
#include <algorithm>
#include <numeric>

#include "ops/ops.hpp"

namespace maskflow {
namespace {

Tensor flat(const Tensor& x) { return x.reshaped({x.shape().size()}); }

Tensors append(Operands x, const OpAttributes& attributes) {
  if (attributes.is_null("axis")) return {ops::concatenate(std::array{flat(x[0]), flat(x[1])}, 0)};
  return {ops::concatenate(x, attributes.integer("axis"))};
}

Tensors split_along(const Tensor& x, const OpAttributes& attributes, Dim axis) {
  Dict settings;
  settings["indices_or_sections"] = attributes.get("indices_or_sections");
  settings["axis"] = axis;
  return apply_op("Split", {&x, 1}, settings);
}
Tensors vsplit(Operands x, const OpAttributes& attributes) {
  if (x[0].rank() < 2) shape_error("vsplit needs at least 2 axes, not ", x[0].shape());
  return split_along(x[0], attributes, 0);
}
Tensors hsplit(Operands x, const OpAttributes& attributes) {
  return split_along(x[0], attributes, x[0].rank() > 1 ? 1 : 0);
}
Tensors dsplit(Operands x, const OpAttributes& attributes) {
  return split_along(x[0], attributes, 2);
}

// The first parts are longer by one if the size is not divisible.
Tensors array_split(Operands x, const OpAttributes& attributes) {
  const int axis = normalize_axis(attributes.integer("axis"), x[0].rank());
  const Dim count = attributes.integer("indices_or_sections");
  const Dim size = x[0].shape()[axis];
  constexpr Dim kMax = 1 << 16;
  if (count < 1 || count > kMax) {
    value_error("'indices_or_sections' is ", count, " but must be 1 to ", kMax);
  }
  std::vector<Dim> ends;
  for (Dim i = 1; i < count; ++i) ends.push_back(i * (size / count) + std::min(i, size % count));
  return ops::split(x[0], ends, axis);
}

// Each part gets three axes; the new ones are the first of a vector, and the last.
Tensors dstack(Operands parts, const OpAttributes&) {
  Tensors all;
  for (const Tensor& part : parts) {
    Shape shape = part.shape();
    if (shape.rank() < 2) shape.insert(0, 1);
    while (shape.rank() < 3) shape.push_back(1);
    all.push_back(part.reshaped(shape));
  }
  return {ops::concatenate(all, 2)};
}

Tensors fliplr(Operands x, const OpAttributes&) { return {ops::flip(x[0], 1)}; }
Tensors flipud(Operands x, const OpAttributes&) { return {ops::flip(x[0], 0)}; }

Tensors rot90(Operands x, const OpAttributes& attributes) {
  const bool is_default = attributes.is_null("axes");
  const std::vector<Dim> axes = is_default ? std::vector<Dim>{0, 1} : attributes.integers("axes");
  if (axes.size() != 2) value_error("'axes' has ", axes.size(), " axes but must have 2");
  const int first = normalize_axis(axes[0], x[0].rank());
  const int second = normalize_axis(axes[1], x[0].rank());
  if (first == second) value_error("'axes' lists axis ", first, " twice");
  Tensor result = x[0];
  const Dim turns = (attributes.integer("k") % 4 + 4) % 4;
  for (Dim turn = 0; turn < turns; ++turn) {
    result = ops::flip(ops::swap_axes(result, first, second), first);
  }
  return {result};
}

// One grid for each vector, in which it varies along an axis of its own.
Tensors meshgrid(Operands vectors, const OpAttributes& attributes) {
  const std::string indexing = attributes.get("indexing").as_string("indexing");
  if (!has_word("xy ij", indexing)) {
    value_error("'indexing' is '", indexing, "' but must be 'xy' or 'ij'");
  }
  const bool swaps = indexing == "xy" && vectors.size() > 1;
  const int rank = static_cast<int>(vectors.size());
  Shape whole;
  for (const Tensor& vector : vectors) whole.push_back(vector.shape().size());
  Tensors grids;
  for (int axis = 0; axis < rank; ++axis) {
    Shape shape(std::vector<Dim>(vectors.size(), 1));
    shape.set(axis, whole[axis]);
    const Tensor column = vectors[static_cast<std::size_t>(axis)].reshaped(shape);
    const Tensor grid = ops::broadcast_to(column, whole);
    grids.push_back(swaps ? ops::swap_axes(grid, 0, 1) : grid);
  }
  return grids;
}

// A matrix with the vector on a diagonal.
Tensor diagonal_matrix(const Tensor& vector, Dim shift) {
  const Dim count = vector.shape().size();
  const Dim size = count + std::abs(shift);
  Tensor places = Tensor::full(DType::kInt32, {size, size}, static_cast<double>(count));
  for (Dim i = 0; i < count; ++i) {
    const Dim row = i + std::max<Dim>(-shift, 0);
    places.mutable_data<std::int32_t>()[static_cast<std::size_t>(row * size + row + shift)] =
        static_cast<std::int32_t>(i);
  }
  const Tensor zero = Tensor::zeros(vector.dtype(), {1});
  return ops::take(ops::concatenate(std::array{flat(vector), zero}, 0), places, 0);
}
Tensors diagflat(Operands x, const OpAttributes& attributes) {
  return {diagonal_matrix(x[0], attributes.integer("k"))};
}
Tensors diag(Operands x, const OpAttributes& attributes) {
  if (x[0].rank() == 1) return diagflat(x, attributes);
  if (x[0].rank() != 2) shape_error("diag needs a vector or a matrix, not ", x[0].shape());
  Dict settings;
  settings["offset"] = attributes.get("k");
  return {apply_op1("Diagonal", x, settings)};
}

// Each axis of the result has the blocks of x1 and, inside them, the elements of x2.
Tensors kron(Operands x, const OpAttributes&) {
  const int rank = std::max(x[0].rank(), x[1].rank());
  Shape left;
  Shape right;
  Shape result;
  for (int axis = 0; axis < rank; ++axis) {
    const auto size = [&](const Tensor& operand) {
      const int own = axis - (rank - operand.rank());
      return own < 0 ? Dim{1} : operand.shape()[own];
    };
    left.push_back(size(x[0]));
    left.push_back(1);
    right.push_back(1);
    right.push_back(size(x[1]));
    result.push_back(size(x[0]) * size(x[1]));
  }
  return {ops::multiply(x[0].reshaped(left), x[1].reshaped(right)).reshaped(result)};
}

// All indices are sorted, so that each of them is in its place.
Tensors argpartition(Operands x, const OpAttributes& attributes) {
  const auto [operand, axis] = along_axis(x[0], attributes);
  const auto size = static_cast<int>(operand.shape()[axis]);
  static_cast<void>(normalize_axis(attributes.integer("kth"), size, "'kth'"));
  Dict settings;
  settings["axis"] = axis;
  return {apply_op1("Argsort", {&operand, 1}, settings)};
}

// The coordinates of flat indices, one tensor for each axis.
Tensors unravel_index(Operands x, const OpAttributes& attributes) {
  const Shape shape(attributes.integers("shape"));
  const auto number = [](Dim n) { return Tensor::scalar(DType::kInt32, static_cast<double>(n)); };
  const Tensor flat_index = ops::cast(x[0], DType::kInt32);
  const Tensor index = ops::where(ops::less(flat_index, number(0)),
                                  ops::add(flat_index, number(shape.size())), flat_index);
  Tensors coordinates;
  for (int axis = 0; axis < shape.rank(); ++axis) {
    const Dim inner = shape.size_between(axis + 1, shape.rank());
    const Tensor place = ops::floor_divide(index, number(inner));
    coordinates.push_back(ops::binary("Mod", place, number(shape[axis])));
  }
  return coordinates;
}

constexpr OpAttribute kAppendSettings[] = {
    {"axis", "number | null", "Axis to join along; null: both are flattened first.", false, {}}};
constexpr OpAttribute kSections = {"indices_or_sections",
                                   "number | number[]",
                                   "Number of parts, or the indices at which parts begin.",
                                   true,
                                   {}};
constexpr OpAttribute kSplitSettings[] = {kSections};
constexpr OpAttribute kArraySplitSettings[] = {
    {"indices_or_sections", "number", "Number of parts.", true, {}},
    {"axis", "number", "Axis to split.", false, 0}};
constexpr OpAttribute kRot90Settings[] = {
    {"k", "number", "Number of quarter turns.", false, 1},
    {"axes",
     "[number, number] | null",
     "The plane of the rotation, from the first axis to the second; null: the first two axes.",
     false,
     {}}};
constexpr OpAttribute kMeshgridSettings[] = {
    {"indexing", "'xy' | 'ij'", "'xy': the first vector varies along the second axis.", false,
     "xy"}};
constexpr OpAttribute kDiagSettings[] = {
    {"k", "number", "Diagonal: 0 is the main one, positive numbers are above it.", false, 0}};
constexpr OpAttribute kPartitionSettings[] = {
    {"kth", "number", "Position that separates smaller elements from larger ones.", true, {}},
    {"axis", "number | null", "Axis of the elements; null: x is flattened first.", false, -1}};
constexpr OpAttribute kUnravelSettings[] = {
    {"shape", "number[]", "Shape of the tensor that the indices belong to.", true, {}}};

constexpr OpDef kOps[] = {
    {"Append", "x1 x2", kAppendSettings, "Joins two tensors along an axis.", append},
    {"Vsplit", "x", kSplitSettings, "Splits a tensor along its first axis.", vsplit, nullptr, true},
    {"Hsplit", "x", kSplitSettings,
     "Splits a tensor along its second axis, a vector along its only one.", hsplit, nullptr, true},
    {"Dsplit", "x", kSplitSettings, "Splits a tensor along its third axis.", dsplit, nullptr, true},
    {"ArraySplit", "x", kArraySplitSettings,
     "Splits a tensor into parts along an axis. The first ones are longer by one if the size is "
     "not "
     "divisible.",
     array_split, nullptr, true},
    {"Dstack", "xs*", {}, "Joins tensors along the third axis.", dstack},
    {"Fliplr", "x", {}, "Reverses the second axis.", fliplr},
    {"Flipud", "x", {}, "Reverses the first axis.", flipud},
    {"Rot90", "x", kRot90Settings, "Rotates by quarter turns in the plane of two axes.", rot90},
    {"Meshgrid", "xs*", kMeshgridSettings, "Coordinates of a grid, one tensor for each vector.",
     meshgrid, nullptr, true},
    {"Diag", "x", kDiagSettings,
     "The matrix with a vector on a diagonal, or a diagonal of a matrix.", diag},
    {"Diagflat", "x", kDiagSettings, "The matrix with the elements of x on a diagonal.", diagflat},
    {"Kron", "x1 x2", {}, "The Kronecker product: each element of x1 times all of x2.", kron},
    {"Argpartition", "x", kPartitionSettings,
     "Indices of x in an order in which no element before position kth is larger than those behind "
     "it.",
     argpartition},
    {"UnravelIndex", "indices", kUnravelSettings,
     "The coordinates of indices into a flattened tensor, one tensor for each axis.", unravel_index,
     nullptr, true},
};
const RegisterOps registration{kOps, "maskflow/train"};

}  // namespace
}  // namespace maskflow
