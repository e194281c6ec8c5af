// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstring>

#include "model/model.hpp"

namespace maskflow {
namespace {

// Rows [first, first + count) as a tensor of their own.
Tensor rows(const Tensor& x, Dim first, Dim count) {
  Shape shape = x.shape();
  shape.set(0, count);
  Tensor result(x.dtype(), shape);
  const std::size_t row =
      x.shape()[0] == 0 ? 0 : x.bytes() / static_cast<std::size_t>(x.shape()[0]);
  std::memcpy(result.raw(), x.raw() + row * static_cast<std::size_t>(first),
              row * static_cast<std::size_t>(count));
  if (x.mask() && x.mask()->shape().rank() > 0 && x.mask()->shape()[0] == x.shape()[0]) {
    return result.with_mask(make_mask(rows(x.mask()->values(), first, count)));
  }
  return result.with_mask(x.mask());
}

// `total`: rows of all inputs together. A mask with another number, (1, time), serves every batch.
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

Tensor joined(const std::vector<Tensors>& parts, std::size_t output) {
  Shape shape = parts.front()[output].shape();
  Dim total = 0;
  for (const Tensors& part : parts) {
    const Shape& other = part[output].shape();
    if (other.rank() != shape.rank() || other.from(1) != shape.from(1)) {
      shape_error("output ", output, " has shape ", shape, " for one batch and ", other,
                  " for another, which cannot be joined; its first axis must be the batch");
    }
    total += other[0];
  }
  shape.set(0, total);
  Tensor result(parts.front()[output].dtype(), shape);
  std::byte* to = result.raw();
  for (const Tensors& part : parts) {
    if (part[output].bytes() > 0) std::memcpy(to, part[output].raw(), part[output].bytes());
    to += part[output].bytes();
  }
  return result;
}

Structure without_masks(Structure result) {
  for (Tensor& tensor : result.tensors) tensor = tensor.with_mask(nullptr);
  return result;
}

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
  Frame frame;
  if (batch_size <= 0 || count <= batch_size) return without_masks(layer.run(args, frame));
  Structure result;
  std::vector<Tensors> parts;
  for (Dim first = 0; first < count; first += batch_size) {
    const Dim rows = std::min(batch_size, count - first);
    result = layer.run(batch_of(args, first, rows, count), frame);
    parts.push_back(std::move(result.tensors));
  }
  result.tensors.clear();
  for (std::size_t output = 0; output < parts.front().size(); ++output) {
    result.tensors.push_back(joined(parts, output));
  }
  return result;
}

}  // namespace maskflow
