// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstring>

#include "model/model.hpp"

namespace maskflow {
namespace {

// Copies the rows [first, first + count) and their mask.
Tensor rows(const Tensor& x, Dim first, Dim count) {
  Shape shape = x.shape();
  shape.set(0, count);
  Tensor result(x.dtype(), shape);
  const std::size_t row =
      x.shape()[0] == 0 ? 0 : x.bytes() / static_cast<std::size_t>(x.shape()[0]);
  std::memcpy(result.mutable_raw(), x.raw() + row * static_cast<std::size_t>(first),
              row * static_cast<std::size_t>(count));
  if (x.mask() && x.mask()->shape().rank() > 0 && x.mask()->shape()[0] == x.shape()[0]) {
    return result.with_mask(make_mask(rows(x.mask()->values(), first, count)));
  }
  return result.with_mask(x.mask());
}

// Returns the arguments of a batch. `total` is the number of rows of the inputs. A mask with
// another number of rows, such as (1, time), is used for every batch.
Args batch_of(Args args, Dim first, Dim count, Dim total) {
  args.for_each_tensor([&](Tensor& tensor) { tensor = rows(tensor, first, count); });
  if (args.mask) {
    for (MaskPtr& mask : *args.mask) {
      if (mask && mask->shape().rank() > 0 && mask->shape()[0] == total) {
        mask = make_mask(rows(mask->values(), first, count));
      }
    }
  }
  return args;
}

// Joins the results of all batches for one output. The parts are copied into the final tensor as
// they come, so that they are not in memory twice.
class Joined {
 public:
  // Adds the result of a batch. `expected` is the number of rows in all, if each batch returns as
  // many rows as it received.
  void add(const Tensor& part, std::size_t output, Dim expected) {
    const Shape& shape = part.shape();
    if (whole_.empty_handle()) first_ = part.spec();
    if (shape.rank() != first_.shape.rank() || shape.from(1) != first_.shape.from(1) ||
        part.dtype() != first_.dtype) {
      shape_error("output ", output, " has shape ", first_.shape, " for one batch and ", shape,
                  " for another, which cannot be joined; its first axis must be the batch");
    }
    const Dim needed = filled_ + shape[0];
    const Dim room = whole_.empty_handle() ? -1 : whole_.shape()[0];
    // Grows by half, so that an output with more rows than the input is not copied for each batch.
    if (needed > room) whole_ = resized(std::max({needed, expected, room + room / 2}));
    if (part.bytes() > 0) std::memcpy(whole_.mutable_raw() + bytes_, part.raw(), part.bytes());
    bytes_ += part.bytes();
    filled_ = needed;
  }
  [[nodiscard]] Tensor take() const {
    return filled_ == whole_.shape()[0] ? whole_ : resized(filled_);
  }

 private:
  [[nodiscard]] Tensor resized(Dim rows) const {
    Shape shape = first_.shape;
    shape.set(0, rows);
    Tensor result(first_.dtype, shape);
    if (bytes_ > 0) std::memcpy(result.mutable_raw(), whole_.raw(), bytes_);
    return result;
  }

  TensorSpec first_;
  Tensor whole_;
  Dim filled_ = 0;
  std::size_t bytes_ = 0;
};

Structure without_masks(Structure result) {
  for (Tensor& tensor : result.tensors) tensor = tensor.with_mask(nullptr);
  return result;
}

// Keras's default batch size.
constexpr Dim kDefaultBatch = 32;

}  // namespace

Structure predict(Layer& layer, const Args& args, Dim batch_size) {
  if (args.inputs.empty()) value_error("predict needs at least one input");
  const auto check = [&](const Tensor& input) {
    if (input.rank() == 0)
      shape_error("predict needs a batch axis, but an input is a single number");
    if (input.shape()[0] != args.inputs.front().shape()[0]) {
      shape_error("the inputs have ", args.inputs.front().shape()[0], " and ", input.shape()[0],
                  " rows; all need the same number");
    }
  };
  for (const Tensor& input : args.inputs) check(input);
  for (const TensorArgument& argument : args.tensors) {
    for (const Tensor& tensor : argument.values) check(tensor);
  }
  const Dim count = args.inputs.front().shape()[0];
  if (batch_size < 0) {
    const Model* const model = layer.as_model();
    const Dim fixed = model == nullptr ? kUnknown : model->fixed_batch();
    batch_size = fixed > 0 ? fixed : kDefaultBatch;
  }
  Frame frame;
  frame.training = false;
  if (batch_size == 0 || count <= batch_size) return without_masks(layer.run(args, frame));
  Structure result;
  std::vector<Joined> outputs;
  for (Dim first = 0; first < count; first += batch_size) {
    const Dim rows = std::min(batch_size, count - first);
    result = layer.run(batch_of(args, first, rows, count), frame);
    outputs.resize(result.tensors.size());
    for (std::size_t i = 0; i < outputs.size(); ++i) outputs[i].add(result.tensors[i], i, count);
    result.tensors.clear();
  }
  for (const Joined& output : outputs) result.tensors.push_back(output.take());
  return result;
}

}  // namespace maskflow
