// SPDX-License-Identifier: MIT
#include "layers/core/einsum_dense.hpp"

#include <algorithm>

#include "ops/ops.hpp"

namespace maskflow {
namespace {

// Reads a size in 'output_shape'; null is unknown.
Dim size_from(const Value& size) {
  return size.is_null() ? kUnknown : size.as_integer("output_shape");
}

}  // namespace

void EinsumDense::describe(Fields& fields) {
  Layer::describe(fields);
  fields.field(
      "output_shape", output_shape_, TypeScript{"number | readonly (number | null)[]"},
      "Shape of the result without the batch and the axes that '...' stands for; null: the "
      "size of the input's axis.",
      FieldKind::kRequired);
  fields.field("equation", equation_,
               "Axes of input, kernel and result, as in 'abc,cd->abd'; a '...' at the start or end "
               "stands for all other axes.",
               FieldKind::kRequired);
  fields.field("activation", activation_, "Activation function of the result.");
  fields.field("bias_axes", bias_axes_,
               "Axes of the result that the bias has, as in 'd'; null: no bias.");
  fields.field("kernel_initializer", kernel_initializer_, "Initializer of the kernel.");
  fields.field("bias_initializer", bias_initializer_, "Initializer of the bias.");
  fields.inert(inert_, {"kernel_regularizer", "bias_regularizer", "activity_regularizer",
                        "kernel_constraint", "bias_constraint", "quantization_config"});
  fields.ignored({"lora_rank", "lora_alpha"});
}

Subscripts EinsumDense::subscripts(const Shape& input) const {
  const std::size_t comma = equation_.find(',');
  const std::size_t arrow = equation_.find("->");
  if (comma == std::string::npos || arrow == std::string::npos || arrow < comma) {
    config_error("the equation '", equation_, "' is not of the form 'input,kernel->result'");
  }
  std::array<int, 2> ranks{input.rank(), 0};
  for (std::size_t i = comma + 1; i < arrow; ++i) ranks[1] += equation_[i] == ' ' ? 0 : 1;
  return {equation_, ranks};
}

void EinsumDense::build(const std::vector<Shape>& inputs) {
  const Shape& input = built_for_ = inputs.front();
  Subscripts names = subscripts(input);
  names.measure(0, input);
  const std::string& result = names.result();
  // 'output_shape' has a size for each axis of the result except the batch and those of a '...'.
  const std::size_t before = equation_.starts_with("...") ? names.elided() : 1;
  const std::size_t after = equation_.ends_with("...") ? names.elided() : 0;
  if (output_shape_.size() + before + after != result.size()) {
    config_error("'output_shape' has ", output_shape_.size(), " sizes, but the result of '",
                 equation_, "' has ", result.size(), " axes, of which ", before + after,
                 " are the batch and those of '...'");
  }
  Shape kernel;
  for (const char label : names.operand(1)) {
    const std::size_t place = result.find(label);
    if (names.operand(0).find(label) != std::string::npos) {
      kernel.push_back(names.size_of(label));
    } else if (place == std::string::npos || place < before) {
      config_error("'", std::string(1, label), "' of the kernel in '", equation_,
                   "' is an axis of neither the input nor 'output_shape'");
    } else {
      kernel.push_back(size_from(output_shape_.at(place - before)));
    }
  }
  names.measure(1, kernel);
  for (std::size_t i = 0; i < output_shape_.size(); ++i) {
    const Dim size = names.size_of(result[before + i]);
    const Dim configured = size_from(output_shape_[i]);
    if (configured != kUnknown && size != kUnknown && size != configured) {
      config_error("'output_shape' has ", configured, " for '", std::string(1, result[before + i]),
                   "' of '", equation_, "', which is ", size, "; use ", size, " or null");
    }
  }
  kernel_ = add_weight("kernel", kernel, kernel_initializer_);
  place_matrix(names);
  if (!bias_axes_) return;
  const std::size_t first = result.find_first_of(*bias_axes_);
  if (result.find_first_of(*bias_axes_) == std::string::npos) {
    config_error("'bias_axes' is '", *bias_axes_, "', which is not in the result of '", equation_,
                 "'");
  }
  Shape bias;
  for (const char label : result.substr(first)) {
    bias.push_back(bias_axes_->find(label) == std::string::npos ? 1 : names.size_of(label));
  }
  bias_ = add_weight("bias", bias, bias_initializer_);
}

// Steps are independent if batch and time are the first axes of the input and of the result and
// occur nowhere else in the equation.
Streaming EinsumDense::streaming(const Shape& input) const {
  const Subscripts names = subscripts(input);
  bool independent = !activation_.is_custom() && input.rank() >= 2 && names.result().size() >= 2;
  for (std::size_t axis = 0; independent && axis < 2; ++axis) {
    const char label = names.operand(0)[axis];
    independent = names.result()[axis] == label &&
                  std::ranges::count(names.operand(0), label) == 1 &&
                  names.operand(1).find(label) == std::string::npos &&
                  (!bias_ || bias_axes_->find(label) == std::string::npos);
  }
  return each_step_unless(!independent);
}

LabelGroups EinsumDense::groups(const Subscripts& names) {
  return {names.operand(0), names.operand(1), names.result()};
}

bool EinsumDense::is_product(const Subscripts& names, const LabelGroups& parts) {
  return parts.lone_b.empty() && parts.rows + parts.summed == names.operand(0) &&
         parts.rows + parts.columns == names.result();
}

// Registers the kernel as a matrix if its axes have the order of the matrix or of its transpose.
void EinsumDense::place_matrix(const Subscripts& names) {
  const LabelGroups parts = groups(names);
  if (!is_product(names, parts)) return;
  const auto k = static_cast<std::size_t>(names.count(parts.summed));
  const auto n = static_cast<std::size_t>(names.count(parts.columns));
  if (names.operand(1) == parts.summed + parts.columns)
    kernel_->use_matrices({{0, k, n, n}});
  else if (names.operand(1) == parts.columns + parts.summed)
    kernel_->use_matrices({{0, k, n, 1, k}});
}

const kernels::PackedMatrix& EinsumDense::packed() {
  if (kernel_->use() == Variable::Use::kMatrices) return kernel_->packed();
  if (reordered_from_ != kernel_->version()) {
    reordered_ = pack_reordered();
    reordered_from_ = kernel_->version();
  }
  check_kept([&] { return reordered_ == pack_reordered(); });
  return reordered_;
}

kernels::PackedMatrix EinsumDense::pack_reordered() const {
  Subscripts names = subscripts(built_for_);
  names.measure(1, kernel_->shape());
  const LabelGroups parts = groups(names);
  const Tensor matrix =
      names.arranged(kernel_->value(), names.operand(1), parts.summed + parts.columns);
  const auto columns = static_cast<std::size_t>(names.count(parts.columns));
  return {matrix.floats(),
          {0, static_cast<std::size_t>(names.count(parts.summed)), columns, columns}};
}

void EinsumDense::multiply(const kernels::Rows& rows, std::size_t count, float* out) {
  kernels::gemm(rows, count, packed(), bias_ ? kernels::Start::kBias : kernels::Start::kZero,
                bias_ ? bias_->data() : nullptr, out);
}

void EinsumDense::project(const kernels::Rows& rows, std::size_t count, float* out) {
  multiply(rows, count, out);
  activation_.apply(out, count, width());
}

Structure EinsumDense::call(const Args& args, Frame& /*frame*/) {
  const Tensor x = ops::cast(args.inputs.front(), DType::kFloat32);
  Subscripts names = subscripts(x.shape());
  names.measure(1, kernel_->shape());
  names.measure(0, x.shape());
  if (names.shape_of(names.operand(0)) != x.shape() ||
      names.shape_of(names.operand(1)) != kernel_->shape()) {
    shape_error("the input has shape ", x.shape(), ", which does not fit the kernel ",
                kernel_->shape(), " in '", equation_, "'");
  }
  const LabelGroups parts = groups(names);
  Tensor output;
  if (is_product(names, parts)) {
    // Computes one matrix product. The kernel is packed once.
    output = Tensor(DType::kFloat32, names.shape_of(names.result()));
    kernels::gemm({x.floats(), width_in()}, static_cast<std::size_t>(names.count(parts.rows)),
                  packed(), kernels::Start::kZero, nullptr, output.mutable_floats());
  } else {
    output = ops::einsum(equation_, std::array{x, kernel_->read()});
  }
  if (bias_) output = ops::add(output, bias_->value());
  if (activation_.is_custom()) return {activation_(output)};
  if (output.size() > 0) {
    const auto last = static_cast<std::size_t>(output.shape().back());
    activation_.apply(output.mutable_floats(), output.size() / last, last);
  }
  return {output};
}

OutputSpecs EinsumDense::output_specs(const Args& args) {
  Subscripts names = subscripts(args.inputs.front().shape());
  names.measure(0, args.inputs.front().shape());
  names.measure(1, kernel_->shape());
  return {{names.shape_of(names.result()), DType::kFloat32}};
}

namespace {
const RegisterLayer<EinsumDense> registration{
    "EinsumDense",
    "activation(product + bias), where the product is the Einstein sum of the input and a kernel "
    "by an equation such as 'abc,cd->abd'. Drops the mask with a warning."};
}  // namespace

}  // namespace maskflow
