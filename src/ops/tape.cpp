// SPDX-License-Identifier: MIT
#include "ops/tape.hpp"

#include <algorithm>

#include "kernels/copy.hpp"
#include "ops/op_gradient.hpp"
#include "ops/ops.hpp"

namespace maskflow {
namespace {

bool is_float(const Tensor& tensor) {
  return !tensor.empty_handle() && tensor.dtype() == DType::kFloat32;
}

}  // namespace

Tensor scatter_rows(const Tensor& rows, const std::vector<std::int32_t>& index,
                    const Shape& shape) {
  const std::size_t width = shape.length(-1);
  Tensor result = Tensor::zeros(DType::kFloat32, shape);
  const float* from = rows.floats();
  float* const to = result.mutable_floats();
  for (const std::int32_t row : index) {
    kernels::add(from, to + static_cast<std::size_t>(row) * width, width);
    from += width;
  }
  return result;
}

Tape::~Tape() {
  for (const auto& buffer : tracked_) buffer->tracker = nullptr;
}

std::int32_t Tape::number_of(const Tensor& tensor) const {
  return tensor.tracker() == this ? tensor.storage()->tracked_as : -1;
}

bool Tape::tracks_any(std::span<const Tensor> tensors) const {
  return std::ranges::any_of(tensors, [this](const Tensor& tensor) { return tracks(tensor); });
}

std::int32_t Tape::track(const Tensor& tensor) {
  if (tensor.tracker() == this) return number_of(tensor);
  Buffer& buffer = *tensor.storage();
  tracked_.push_back(tensor.storage());
  buffer.tracker = this;
  buffer.tracked_as = static_cast<std::int32_t>(tracked_.size()) - 1;
  return buffer.tracked_as;
}

void Tape::watch(const Tensor& tensor) {
  if (tensor.is_symbolic() || !is_float(tensor)) {
    value_error("gradients are computed with respect to float32 tensors with data, not ",
                tensor.empty_handle() ? std::string("nothing") : text(tensor.dtype()));
  }
  if (tensor.tracker() != nullptr && tensor.tracker() != this) {
    state_error(
        "another valueAndGradients is differentiating these tensors; do not call it inside the "
        "function that it differentiates");
  }
  track(tensor);
}

Tensors Tape::apply(const OpDef& op, Operands operands, const Dict& attributes) {
  if (!tracks_any(operands)) return compute_op(op, operands, attributes);
  const OpGradient* const gradient = find_op_gradient(op.name);
  if (gradient != nullptr && gradient->rule == nullptr) return compute_op(op, operands, attributes);
  Tensors results = unrecorded([&] { return compute_op(op, operands, attributes); });
  // A result that shares the storage of an operand is tracked already.
  const bool has_new = std::ranges::any_of(
      results, [&](const Tensor& result) { return is_float(result) && number_of(result) < 0; });
  if (!has_new) return results;
  if (gradient == nullptr) {
    unsupported_error("op ", op.name,
                      " has no derivative; call it outside of the function that is "
                      "differentiated");
  }
  auto call = std::make_shared<RecordedOp>(
      RecordedOp{op, {operands.begin(), operands.end()}, attributes, results, {}});
  for (const Tensor& operand : operands) call->needs.push_back(tracks(operand));
  record(operands, results, [call, rule = gradient->rule](const Tensors& cotangents) {
    Tensors all = cotangents;
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (all[i].empty_handle()) {
        all[i] = Tensor::zeros(DType::kFloat32, call->results[i].shape());
      }
    }
    Tensors gradients = rule(*call, all);
    for (std::size_t i = 0; i < gradients.size(); ++i) {
      if (gradients[i].empty_handle()) continue;
      gradients[i] = unbroadcast(gradients[i], call->operands[i].shape());
    }
    return gradients;
  });
  return results;
}

void Tape::record(std::span<const Tensor> inputs, std::span<const Tensor> results,
                  Backward backward) {
  if (!tracks_any(inputs)) return;
  Node node;
  for (const Tensor& input : inputs) node.inputs.push_back(number_of(input));
  for (const Tensor& result : results) {
    node.results.push_back(is_float(result) ? track(result) : -1);
    node.specs.push_back(result.spec());
  }
  node.backward = std::move(backward);
  nodes_.push_back(std::move(node));
}

Tensor Tape::select_rows(const Tensor& table, std::vector<std::int32_t> index, const Shape& shape) {
  Tensor rows = Tensor::looked_up(table.table(), index, shape);
  record_selection(table, std::move(index), rows);
  return rows;
}

void Tape::record_selection(const Tensor& table, std::vector<std::int32_t> index,
                            const Tensor& rows) {
  if (!tracks(table)) return;
  const auto selection = std::make_shared<const Selection>(Selection{table, std::move(index)});
  record({&table, 1}, {&rows, 1}, [selection](const Tensors& cotangents) -> Tensors {
    return {scatter_rows(cotangents[0], selection->index, selection->table.shape())};
  });
  selections_[number_of(rows)] = selection;
}

const Tape::Selection* Tape::selection_of(const Tensor& tensor) const {
  const auto found = selections_.find(number_of(tensor));
  return found == selections_.end() ? nullptr : found->second.get();
}

void Tape::add(std::int32_t number, const Tensor& gradient) {
  Cotangent& cotangent = cotangents_[at(number)];
  if (cotangent.sum.empty_handle()) {
    cotangent.sum = gradient;
    return;
  }
  const Tensor addend = gradient.reshaped(cotangent.sum.shape());
  if (!cotangent.is_owned) {
    cotangent = {ops::add(cotangent.sum, addend), true};
    return;
  }
  const std::span<float> sum = cotangent.sum.mutable_data<float>();
  const std::span<const float> numbers = addend.data<float>();
  for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += numbers[i];
}

void Tape::propagate(const Node& node) {
  Tensors cotangents(node.results.size());
  bool any = false;
  for (std::size_t i = 0; i < node.results.size(); ++i) {
    if (node.results[i] < 0) continue;
    const auto number = at(node.results[i]);
    const Tensor& sum = cotangents_[number].sum;
    if (sum.empty_handle()) continue;
    cotangents[i] = sum.reshaped(node.specs[i].shape);
    any = true;
    if (!is_requested_[number]) cotangents_[number] = {};
  }
  if (!any) return;
  const Tensors gradients = node.backward(cotangents);
  for (std::size_t i = 0; i < gradients.size() && i < node.inputs.size(); ++i) {
    if (node.inputs[i] >= 0 && !gradients[i].empty_handle()) add(node.inputs[i], gradients[i]);
  }
}

Tensors Tape::gradients(const Tensor& value, std::span<const Tensor> variables) {
  if (!is_float(value) || value.size() != 1) {
    value_error("the differentiated value must be one float32 number, but has ",
                value.empty_handle() ? std::string("no data")
                                     : text("shape ", value.shape(), " and dtype ", value.dtype()),
                "; take its sum or mean");
  }
  return gradients(std::span(&value, 1), {Tensor::full(DType::kFloat32, value.shape(), 1)},
                   variables);
}

Tensors Tape::gradients(std::span<const Tensor> values, const Tensors& cotangents,
                        std::span<const Tensor> variables) {
  if (std::exchange(used_, true)) {
    state_error("a tape can be used once; call valueAndGradients again");
  }
  const ScopedValue<bool> scope(recording_, false);
  cotangents_.resize(tracked_.size());
  is_requested_.assign(tracked_.size(), false);
  for (const Tensor& tensor : variables) {
    const std::int32_t number = number_of(tensor);
    if (number >= 0) is_requested_[at(number)] = true;
  }
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::int32_t number = number_of(values[i]);
    if (number >= 0 && !cotangents[i].empty_handle()) add(number, cotangents[i]);
  }
  while (!nodes_.empty()) {
    const Node node = std::move(nodes_.back());
    nodes_.pop_back();
    propagate(node);
  }
  Tensors result;
  for (const Tensor& tensor : variables) {
    const std::int32_t number = number_of(tensor);
    const Tensor sum = number < 0 ? Tensor() : cotangents_[at(number)].sum;
    result.push_back(sum.empty_handle() ? sum : sum.reshaped(tensor.shape()));
  }
  return result;
}

}  // namespace maskflow
