// SPDX-License-Identifier: MIT
#include <optional>

#include "base/error.hpp"
#include "base/memory.hpp"
#include "base/scoped_value.hpp"
#include "ops/made_up_sizes.hpp"
#include "ops/node.hpp"
#include "ops/policy.hpp"
#include "tensor/stand_in.hpp"

namespace maskflow {
namespace {

// Dimensions of two arguments that are assumed to be equal if one of them is unknown and the
// operation does not work with an arbitrary size in its place.
enum class Alignment : std::uint8_t {
  kNone,
  kEnd,    // Aligned at the end, as in broadcasting.
  kStart,  // Aligned at the start, as in joining.
  // The last axis of the first with the second to last of the second, as in a product.
  kContracted,
};

// Returns the axis of `other` that is aligned with this axis of `shape`; -1 if there is none.
int aligned_axis(const Shape& shape, int axis, const Shape& other, Alignment alignment) {
  const int from_end = shape.rank() - axis;
  switch (alignment) {
    case Alignment::kStart:
      return axis < other.rank() ? axis : -1;
    case Alignment::kEnd:
      return from_end <= other.rank() ? other.rank() - from_end : -1;
    case Alignment::kContracted:
      return from_end <= 2 && other.rank() >= 2 ? other.rank() - (from_end == 1 ? 2 : 1) : -1;
    case Alignment::kNone:
      break;
  }
  return -1;
}

std::vector<Shape> shapes_of_all(Args args) {
  std::vector<Shape> shapes;
  args.for_each_tensor([&](Tensor& tensor) { shapes.push_back(tensor.shape()); });
  return shapes;
}

// Replaces unknown dimensions by the known ones that they are aligned with.
std::vector<Shape> aligned(const std::vector<Shape>& shapes, Alignment alignment) {
  std::vector<Shape> result = shapes;
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    for (int axis = 0; axis < shapes[i].rank(); ++axis) {
      for (std::size_t k = 0; k < shapes.size() && result[i][axis] == kUnknown; ++k) {
        const int other = aligned_axis(shapes[i], axis, shapes[k], alignment);
        if (k != i && other >= 0 && shapes[k][other] != 1) result[i].set(axis, shapes[k][other]);
      }
    }
  }
  return result;
}

Shape with_unknowns(Shape shape, Dim stand_in) {
  for (int axis = 0; axis < shape.rank(); ++axis) {
    if (shape[axis] == kUnknown) shape.set(axis, stand_in);
  }
  return shape;
}

// Replaces the symbolic mask of a tensor of this shape by one that keeps everything.
MaskPtr stand_in_for(const MaskPtr& mask, const Shape& shape) {
  if (mask == nullptr || !mask->values().is_symbolic()) return mask;
  Shape known = mask->shape();
  for (int axis = 0; axis < known.rank() && axis < shape.rank(); ++axis) {
    if (known[axis] == kUnknown) known.set(axis, shape[axis]);
  }
  return make_mask(Tensor::full(DType::kBool, known, 1));
}

// Replaces symbolic tensors by zeros, with `size` for unknown dimensions.
Args concrete(Args args, const std::vector<Shape>& shapes, Dim size) {
  std::size_t next = 0;
  args.for_each_tensor([&](Tensor& tensor) {
    const Shape shape = with_unknowns(shapes[next++], size);
    if (!tensor.is_symbolic()) return;
    const MaskPtr mask = stand_in_for(tensor.mask(), shape);
    tensor = Tensor::zeros(tensor.dtype(), shape).with_mask(mask);
  });
  if (!args.mask) return args;
  for (std::size_t i = 0; i < args.mask->size(); ++i) {
    MaskPtr& mask = (*args.mask)[i];
    const bool has_input = i < args.inputs.size();
    const Shape shape = has_input ? args.inputs[i].shape() : Shape();
    mask =
        stand_in_for(mask, has_input ? shape : with_unknowns(mask ? mask->shape() : shape, size));
  }
  return args;
}

// Returns the number of elements of the largest symbolic argument, with 1 for unknown dimensions.
double known_elements(Args args) {
  double max = 0;
  args.for_each_tensor([&max](Tensor& tensor) {
    if (!tensor.is_symbolic()) return;
    double elements = 1;
    for (const Dim dim : tensor.shape().dims()) elements *= static_cast<double>(dim < 0 ? 1 : dim);
    max = elements > max ? elements : max;
  });
  return max;
}

bool has_dim(const std::vector<Shape>& shapes, Dim size) {
  for (const Shape& shape : shapes) {
    for (const Dim dim : shape.dims()) {
      if (dim == size) return true;
    }
  }
  return false;
}

// Returns whether a dimension other than the batch is unknown.
bool has_unknown_length(const std::vector<Shape>& shapes) {
  for (const Shape& shape : shapes) {
    for (int axis = 1; axis < shape.rank(); ++axis) {
      if (shape[axis] == kUnknown) return true;
    }
  }
  return false;
}

Shape merge(const Shape& a, const Shape& b) {
  if (a.rank() != b.rank()) {
    shape_error("the rank of the result depends on the sizes of the inputs: ", a, " and ", b,
                "; define computeOutputShape in the layer");
  }
  Shape result = a;
  for (int axis = 0; axis < a.rank(); ++axis) {
    if (a[axis] != b[axis]) result.set(axis, kUnknown);
  }
  return result;
}

using Specs = std::vector<TensorSpec>;

int inferences = 0;
bool has_made_up_sizes = false;
bool has_made_up_lengths = false;
bool infers_op = false;

// Tells user code that its run is an inference, and whether sizes of the batch, and others, are
// made up.
class Inference {
 public:
  Inference(bool sizes, bool lengths)
      : sizes_(has_made_up_sizes, sizes), lengths_(has_made_up_lengths, lengths) {
    ++inferences;
  }
  Inference(const Inference&) = delete;
  Inference& operator=(const Inference&) = delete;
  ~Inference() { --inferences; }

 private:
  ScopedValue<bool> sizes_, lengths_;
};

Specs specs_with(const Args& args, const std::vector<Shape>& shapes, Dim step,
                 FunctionRef<Tensors(Args)> run) {
  Dim size = step;
  while (has_dim(shapes, size)) size += step;
  const bool unknown = has_dim(shapes, kUnknown);
  const auto run_with = [&](Dim stand_in) {
    const StandIn scope(unknown ? stand_in : kUnknown);
    const Inference inference(unknown && !infers_op, has_unknown_length(shapes) && !infers_op);
    return run(concrete(args, shapes, stand_in));
  };
  const Tensors first = run_with(size);
  // With known sizes, a second run would return the same, and nested layers would run twice as
  // often at each level.
  const Tensors second = unknown ? run_with(2 * size) : first;
  Specs specs;
  for (std::size_t i = 0; i < first.size() && i < second.size(); ++i) {
    specs.push_back({merge(first[i].shape(), second[i].shape()), first[i].dtype()});
  }
  return specs;
}

// Tries these shapes. Returns nullopt if the sizes do not fit.
std::optional<Specs> try_specs(const Args& args, const std::vector<Shape>& shapes, Dim step,
                               FunctionRef<Tensors(Args)> run) {
  try {
    return specs_with(args, shapes, step, run);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::kShape && error.kind() != ErrorKind::kCallback) throw;
    return std::nullopt;
  }
}

// Resets dimensions that were unknown in `original` to unknown where `attempt` still succeeds, and
// returns its last result.
Specs generalize(Specs specs, const std::vector<Shape>& original, std::vector<Shape> shapes,
                 FunctionRef<std::optional<Specs>(const std::vector<Shape>&)> attempt) {
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    for (int axis = 0; axis < shapes[i].rank(); ++axis) {
      const Dim known = shapes[i][axis];
      if (known == original[i][axis]) continue;
      shapes[i].set(axis, kUnknown);
      if (std::optional<Specs> wider = attempt(shapes)) {
        specs = *std::move(wider);
      } else {
        shapes[i].set(axis, known);
      }
    }
  }
  return specs;
}

}  // namespace

bool is_inferring_specs() { return inferences > 0; }

bool sizes_are_made_up() { return has_made_up_sizes; }

bool lengths_are_made_up() { return has_made_up_lengths; }

std::vector<TensorSpec> infer_specs(const Args& args, FunctionRef<Tensors(Args)> run) {
  // Stand-in sizes have many divisors, so that code may split or regroup an unknown axis. They
  // differ from all known sizes, so that errors can print None for them. They are smaller for long
  // sequences, whose zeros would otherwise take seconds and fill the memory.
  constexpr double kLarge = 1 << 18;
  constexpr double kMax = 1 << 24;
  const double elements = known_elements(args);
  if (elements > kMax) {
    shape_error("a row of the input has ", static_cast<std::int64_t>(elements),
                " elements, more than ", static_cast<std::int64_t>(kMax),
                "; leave the length of long sequences unknown (null)");
  }
  const Dim step = elements > kLarge ? 2 : 12;
  const std::vector<Shape> original = shapes_of_all(args);
  // Without other dimensions to align with, one run finds an error. A second attempt would double
  // the runs at each level of nesting.
  if (original.size() == 1 || !has_dim(original, kUnknown)) {
    return specs_with(args, original, step, run);
  }
  // As in Keras, an unknown dimension may turn out to equal the known one that it is aligned with.
  for (const Alignment alignment :
       {Alignment::kNone, Alignment::kEnd, Alignment::kStart, Alignment::kContracted}) {
    const bool is_original = alignment == Alignment::kNone;
    const std::vector<Shape> shapes = is_original ? original : aligned(original, alignment);
    if (!is_original && shapes == original) continue;
    const auto attempt = [&](const std::vector<Shape>& candidate) {
      return try_specs(args, candidate, step, run);
    };
    if (std::optional<Specs> specs = attempt(shapes)) {
      return generalize(*specs, original, shapes, attempt);
    }
  }
  return specs_with(args, original, step, run);  // This call throws the error.
}

std::vector<TensorSpec> infer_op_specs(const Args& args, FunctionRef<Tensors(Args)> run) {
  const MemoryRoom room(std::uint64_t{256} << 20,
                        "leave dimensions as large as these unknown (null)");
  const ScopedValue<bool> scope(infers_op, true);
  try {
    return infer_specs(args, run);
  } catch (const Error& error) {
    // An index may be too large for the small sizes that replaced unknown ones; tries a larger
    // size.
    constexpr Dim kLong = 240;
    constexpr double kMax = 1 << 22;
    const std::vector<Shape> shapes = shapes_of_all(args);
    double elements = known_elements(args);
    for (const Shape& shape : shapes) {
      for (const Dim dim : shape.dims()) elements *= dim == kUnknown ? 2.0 * kLong : 1;
    }
    const bool is_size_error =
        error.kind() == ErrorKind::kValue || error.kind() == ErrorKind::kShape;
    if (is_size_error && has_dim(shapes, kUnknown) && elements <= kMax) {
      return specs_with(args, shapes, kLong, run);
    }
    throw;
  }
}

}  // namespace maskflow
