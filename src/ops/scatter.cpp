// SPDX-License-Identifier: MIT
// Ops that write at indices: the inverse of gathering.
#include "ops/scatter.hpp"

#include <algorithm>
#include <cstring>
#include <limits>

#include "ops/ops.hpp"
#include "ops/strided.hpp"

namespace maskflow {

Blocks blocks_at(const Tensor& indices, const Shape& shape) {
  const int depth = indices.rank() == 0 ? 0 : static_cast<int>(indices.shape().back());
  if (indices.rank() == 0 || depth > shape.rank()) {
    shape_error("indices have shape ", indices.shape(),
                " but their last axis must list at most the ", shape.rank(), " axes of ", shape);
  }
  const Strides strides = strides_of(shape);
  Blocks blocks{{}, shape.elements_between(depth, shape.rank())};
  const Tensor whole = ops::cast(indices, DType::kInt32);
  const std::span<const std::int32_t> index = whole.data<std::int32_t>();
  const auto count = at(indices.shape().size_between(0, indices.rank() - 1));
  blocks.starts.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    Dim start = 0;
    for (int axis = 0; axis < depth; ++axis) {
      const std::int32_t place = index[i * at(depth) + at(axis)];
      start += strides[at(axis)] * normalize_axis(place, static_cast<int>(shape[axis]), "index");
    }
    blocks.starts.push_back(at(start));
  }
  return blocks;
}

Blocks blocks_of_segments(const Tensor& ids, const Shape& shape) {
  Blocks blocks{{}, shape.elements_between(1, shape.rank())};
  const Tensor whole = ops::cast(ids, DType::kInt32);
  for (const std::int32_t id : whole.data<std::int32_t>()) {
    const bool is_segment = id >= 0 && id < shape[0];
    blocks.starts.push_back(is_segment ? at(id) * blocks.size : Blocks::kNowhere);
  }
  return blocks;
}

namespace {

// How an element that is there and one that is written become one.
enum class Reduction : std::uint8_t { kSet, kAdd, kMax, kMin, kMul };

template <class T>
T joined(Reduction reduction, T a, T b) {
  using Number = std::conditional_t<std::is_same_v<T, float>, float, std::uint32_t>;
  switch (reduction) {
    case Reduction::kAdd:
      return static_cast<T>(static_cast<Number>(a) + static_cast<Number>(b));
    case Reduction::kMul:
      return static_cast<T>(static_cast<Number>(a) * static_cast<Number>(b));
    case Reduction::kMax:
      return a > b || a != a ? a : b;
    case Reduction::kMin:
      return a < b || a != a ? a : b;
    case Reduction::kSet:
      break;
  }
  return b;
}

template <class T>
Tensor write(const Tensor& base, const Blocks& blocks, const Tensor& values, Reduction reduction) {
  Tensor result = Tensor::from<T>(base.shape(), base.data<T>());
  const T* from = values.data<T>().data();
  T* const to = result.mutable_data<T>().data();
  for (const std::size_t start : blocks.starts) {
    for (std::size_t i = 0; start != Blocks::kNowhere && i < blocks.size; ++i) {
      to[start + i] = joined(reduction, to[start + i], from[i]);
    }
    from += blocks.size;
  }
  return result;
}

Tensor written(const Tensor& base, const Blocks& blocks, const Tensor& values,
               Reduction reduction) {
  if (blocks.starts.size() * blocks.size != values.size()) {
    shape_error("the indices address ", blocks.starts.size(), " blocks of ", blocks.size,
                " elements, but there are ", values.size(), " values");
  }
  if (base.dtype() == DType::kFloat32) {
    return write<float>(base, blocks, ops::cast(values, DType::kFloat32), reduction);
  }
  const Tensor same = ops::cast(values, base.dtype());
  const Tensor ints = write<std::int32_t>(ops::cast(base, DType::kInt32), blocks,
                                          ops::cast(same, DType::kInt32), reduction);
  return ops::cast(ints, base.dtype());
}

Tensors scatter(Operands x, const OpAttributes& attributes) {
  const Tensor zeros = Tensor::zeros(x[1].dtype(), Shape(attributes.integers("shape")));
  return {written(zeros, blocks_at(x[0], zeros.shape()), x[1], Reduction::kAdd)};
}

Tensors scatter_update(Operands x, const OpAttributes& attributes) {
  Reduction reduction = Reduction::kSet;
  if (!attributes.is_null("reduction")) {
    const std::string name = attributes.get("reduction").as_string("reduction");
    if (!has_word("add max min mul", name)) {
      value_error("'reduction' is '", name, "' but must be null, 'add', 'max', 'min' or 'mul'");
    }
    reduction = name == "add"   ? Reduction::kAdd
                : name == "max" ? Reduction::kMax
                : name == "min" ? Reduction::kMin
                                : Reduction::kMul;
  }
  return {written(x[0], blocks_at(x[1], x[0].shape()), x[2], reduction)};
}

Tensors slice_update(Operands x, const OpAttributes&) {
  const Shape& block = x[2].shape();
  const Blocks blocks = blocks_of_slice(x[1], block, x[0].shape());
  return {written(x[0], blocks, x[2], Reduction::kSet)};
}

// Joins the rows of each segment, beginning with `empty`, the result of a segment without rows.
Tensor segments(Operands x, const OpAttributes& attributes, Reduction reduction, double empty) {
  Shape shape = x[0].shape();
  if (shape.rank() == 0 || x[1].shape() != shape.first(1)) {
    shape_error("data have shape ", shape, " and segmentIds ", x[1].shape(),
                "; give one id for each row of data");
  }
  shape.set(0, attributes.integer("num_segments"));
  const Tensor base = Tensor::full(x[0].dtype(), shape, empty);
  return written(base, blocks_of_segments(x[1], shape), x[0], reduction);
}
double extreme(const Tensor& x, double sign) {
  return x.dtype() == DType::kFloat32 ? sign * std::numeric_limits<double>::infinity()
         : sign > 0                   ? std::numeric_limits<std::int32_t>::max()
                                      : std::numeric_limits<std::int32_t>::min();
}
Tensors segment_sum(Operands x, const OpAttributes& attributes) {
  return {segments(x, attributes, Reduction::kAdd, 0)};
}
Tensors segment_max(Operands x, const OpAttributes& attributes) {
  return {segments(x, attributes, Reduction::kMax, extreme(x[0], -1))};
}
Tensors segment_min(Operands x, const OpAttributes& attributes) {
  return {segments(x, attributes, Reduction::kMin, extreme(x[0], 1))};
}

Tensors segment_prod(Operands x, const OpAttributes& attributes) {
  return {segments(x, attributes, Reduction::kMul, 1)};
}

constexpr OpAttribute kScatterSettings[] = {
    {"shape", "number[]", "Shape of the result.", true, {}}};
constexpr OpAttribute kUpdateSettings[] = {
    {"reduction",
     "'add' | 'max' | 'min' | 'mul' | null",
     "How an element and its update become one; null: the update replaces it.",
     false,
     {}}};
constexpr OpAttribute kSegmentSettings[] = {
    {"num_segments",
     "number",
     "Number of segments: size of the first axis of the result.",
     true,
     {}},
    {"sorted", "boolean", "Argument of Keras; does not change the result.", false, false}};

constexpr OpDef kOps[] = {
    {"Scatter", "indices values", kScatterSettings,
     "Zeros of a shape, to which values are added at indices. The last axis of `indices` lists the "
     "first coordinates of a block.",
     scatter},
    {"ScatterUpdate", "inputs indices updates", kUpdateSettings,
     "`inputs`, changed at indices. The last axis of `indices` lists the first coordinates of a "
     "block.",
     scatter_update},
    {"SliceUpdate",
     "inputs start_indices updates",
     {},
     "`inputs` with the block `updates` in place of the one that begins at the start indices.",
     slice_update},
    {"SegmentSum", "data segment_ids", kSegmentSettings,
     "The sums of the rows with the same id. Rows with other ids are left out.", segment_sum},
    {"SegmentMax", "data segment_ids", kSegmentSettings,
     "The largest elements of the rows with the same id. Without rows: -Infinity, of integers the "
     "smallest int32, as with JAX and TensorFlow.",
     segment_max},
    {"SegmentMin", "data segment_ids", kSegmentSettings,
     "The smallest elements of the rows with the same id. Without rows: Infinity, of integers the "
     "largest int32, as with JAX and TensorFlow.",
     segment_min},
    {"SegmentProd", "data segment_ids", kSegmentSettings,
     "The products of the rows with the same id; 1 without rows.", segment_prod},
};
const RegisterOps registration{kOps, "maskflow/train"};

}  // namespace

Blocks blocks_of_slice(const Tensor& start_indices, const Shape& block, const Shape& whole) {
  const Tensor start = ops::cast(start_indices, DType::kInt32);
  const std::span<const std::int32_t> first = start.data<std::int32_t>();
  if (start.rank() != 1 || static_cast<int>(first.size()) != whole.rank() ||
      block.rank() != whole.rank()) {
    shape_error("startIndices and updates need one number and one axis for each of the ",
                whole.rank(), " axes of inputs");
  }
  const Strides strides = strides_of(whole);
  Dim offset = 0;
  for (int axis = 0; axis < whole.rank(); ++axis) {
    const Dim begin = first[at(axis)];
    if (begin < 0 || begin + block[axis] > whole[axis]) {
      shape_error("the slice ", begin, " to ", begin + block[axis], " is not within axis ", axis,
                  " of ", whole);
    }
    offset += strides[at(axis)] * begin;
  }
  Blocks blocks{{}, whole.rank() == 0 ? 1 : block.length(-1)};
  if (block.size() == 0) return blocks;
  for_each_row<1>(block, {strides}, [&](const std::array<Dim, 1>& offsets) {
    blocks.starts.push_back(at(offset + offsets[0]));
  });
  return blocks;
}

}  // namespace maskflow
