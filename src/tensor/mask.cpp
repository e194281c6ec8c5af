// SPDX-License-Identifier: MIT
#include "tensor/mask.hpp"

#include <algorithm>
#include <cstring>

#include "base/error.hpp"
#include "base/memory.hpp"

namespace maskflow {
namespace {

// Returns the mask as batch * time bytes. A mask with one row for the whole batch is repeated in
// `copies`.
std::span<const std::uint8_t> sequence_bytes(const Tensor& values, Dim batch, Dim time,
                                             std::vector<std::uint8_t>& copies) {
  const Shape& shape = values.shape();
  const bool fits = (shape.rank() == 2 || (shape.rank() == 3 && shape[2] == 1)) &&
                    (shape[0] == batch || shape[0] == 1) && shape[1] == time;
  if (!fits) {
    shape_error("the mask has shape ", shape, " but the sequence is ", Shape{batch, time},
                " (batch, time); pass one boolean per step: (batch, time), (batch, time, 1) or "
                "(1, time)");
  }
  const std::span<const std::uint8_t> bytes = values.data<std::uint8_t>();
  if (shape[0] == batch) return bytes;
  copies.reserve((Count(batch) * time).of<std::uint8_t>());
  while (static_cast<Dim>(copies.size()) < batch * time) {
    copies.insert(copies.end(), bytes.begin(), bytes.end());
  }
  return copies;
}

template <class T>
Tensor non_zero(const Tensor& values) {
  Tensor result(DType::kBool, values.shape());
  std::ranges::transform(values.data<T>(), result.mutable_data<std::uint8_t>().begin(),
                         [](T x) { return static_cast<std::uint8_t>(x != T{0}); });
  return result;
}

}  // namespace

Mask::Mask(Tensor values, Tensor floats) : values_(std::move(values)), floats_(std::move(floats)) {}

std::shared_ptr<const SequencePlan> Mask::plan(Dim batch, Dim time, bool backwards) const {
  std::shared_ptr<const SequencePlan>& plan = plans_[backwards ? 1 : 0];
  if (plan == nullptr || plan->batch != batch || plan->time != time) {
    std::vector<std::uint8_t> copies;
    const std::span<const std::uint8_t> keep = sequence_bytes(values_, batch, time, copies);
    const auto rows = static_cast<std::int32_t>(batch);
    const auto steps = static_cast<std::int32_t>(time);
    // A single sequence rarely has padding, and its plan is then kept from call to call.
    const bool keeps_all = keep.empty() || std::memchr(keep.data(), 0, keep.size()) == nullptr;
    plan = keeps_all ? SequencePlan::all_kept(rows, steps, backwards)
                     : SequencePlan::from_mask(keep, rows, steps, backwards);
  }
  return plan;
}

MaskPtr make_mask(Tensor values) {
  if (values.empty_handle()) return nullptr;
  Tensor floats;
  if (!values.is_symbolic()) {
    if (values.dtype() == DType::kFloat32) {
      floats = values.with_mask(nullptr);
      values = non_zero<float>(values);
    }
    if (values.dtype() == DType::kInt32) values = non_zero<std::int32_t>(values);
  }
  return std::make_shared<Mask>(values.with_mask(nullptr), std::move(floats));
}

Masks masks_of(std::span<const Tensor> tensors) {
  Masks masks;
  masks.reserve(tensors.size());
  for (const Tensor& tensor : tensors) masks.push_back(tensor.mask());
  return masks;
}

bool any_mask(const Masks& masks) {
  return std::ranges::any_of(masks, [](const MaskPtr& mask) { return mask != nullptr; });
}

}  // namespace maskflow
