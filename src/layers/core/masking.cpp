// SPDX-License-Identifier: MIT
#include "kernels/masking.hpp"

#include <algorithm>
#include <cmath>

#include "layer/layer.hpp"
#include "ops/ops.hpp"

namespace maskflow {
namespace {

class Masking final : public Layer {
 public:
  Masking() {
    supports_masking_ = true;
    streaming_ = Streaming::kEachStep;
  }

  void describe(Fields& fields) override {
    Layer::describe(fields);
    fields.field("mask_value", mask_value_, TypeScript{"number | readonly number[]"},
                 "A step is masked when all its features equal this number, or the list of one "
                 "number for each feature.");
  }
  void check_config() const override {
    if (mask_value_.is_number()) return;
    for (const Value& item : mask_value_.as_list("mask_value")) {
      static_cast<void>(item.as_number("mask_value"));
    }
  }
  void check_new() const override {
    const auto is_nan = [](const Value& value) { return std::isnan(value.as_number("")); };
    const List values = mask_value_.is_number() ? List{mask_value_} : mask_value_.as_list("");
    if (std::ranges::none_of(values, is_nan)) return;
    config_error(
        "'mask_value' is NaN, which equals no number, so no step would be masked; attach the mask "
        "instead: x.withMask(ops.logicalNot(ops.any(ops.isnan(x), { axis: -1 })))");
  }
  [[nodiscard]] int min_rank() const override { return 1; }

  // Computes the output and the mask in one pass over the data.
  Structure call(const Args& args, Frame& /*frame*/) override {
    const Tensor& x = args.inputs.front();
    const Tensor input = x.dtype() == DType::kBool ? ops::cast(x, DType::kFloat32) : x;
    const auto features = static_cast<std::size_t>(input.shape().back());
    std::vector<double> values = values_for(input.shape().back());
    values.resize(features, values.empty() ? 0 : values.front());
    const bool integers = input.dtype() == DType::kInt32;
    Tensor keep(DType::kBool, input.shape().first(input.rank() - 1));
    // No integer equals a mask_value such as 0.5 or NaN, which therefore masks no step.
    if (integers && !std::ranges::all_of(values, is_int32)) {
      return {input.with_mask(make_mask(Tensor::full(DType::kBool, keep.shape(), 1)))};
    }
    // Masked steps are zero already if mask_value is zero.
    const bool zeros =
        std::ranges::all_of(values, [](double value) { return static_cast<float>(value) == 0; });
    Tensor output = zeros ? input : Tensor(input.dtype(), input.shape());
    if (integers) {
      run<std::int32_t>(input, values, zeros ? nullptr : &output, keep);
    } else {
      run<float>(input, values, zeros ? nullptr : &output, keep);
    }
    return {output.with_mask(make_mask(keep))};
  }

  // Uses ops, so that it also works on symbolic tensors.
  Masks compute_mask(const Tensors& inputs, const Masks&) override {
    const Tensor& x = inputs.front();
    const Tensor value =
        Tensor::from<float>(value_shape(), as<float>(values_for(x.shape().back())));
    return {make_mask(ops::any(ops::not_equal(x, value), -1))};
  }

 private:
  [[nodiscard]] Shape value_shape() const {
    if (mask_value_.is_number()) return {};
    return {static_cast<Dim>(mask_value_.as_list("mask_value").size())};
  }

  // Returns one number for each feature, or a single one for all.
  [[nodiscard]] std::vector<double> values_for(Dim features) const {
    if (mask_value_.is_number()) return {mask_value_.as_number("")};
    std::vector<double> values;
    for (const Value& item : mask_value_.as_list("")) values.push_back(item.as_number(""));
    if (values.size() != 1 && static_cast<Dim>(values.size()) != features) {
      shape_error("mask_value has ", values.size(), " numbers but the input has ", features,
                  " features");
    }
    return values;
  }

  template <class T>
  static std::vector<T> as(const std::vector<double>& values) {
    std::vector<T> result;
    for (const double value : values) result.push_back(static_cast<T>(value));
    return result;
  }

  static bool is_int32(double value) {
    return std::fabs(value) < 2147483648.0 && std::floor(value) == value;
  }

  template <class T>
  static void run(const Tensor& x, const std::vector<double>& values, Tensor* output,
                  Tensor& keep) {
    const std::vector<T> typed = as<T>(values);
    kernels::mask_steps(x.data<T>().data(), keep.size(), values.size(), typed.data(),
                        output == nullptr ? nullptr : output->mutable_data<T>().data(),
                        keep.mutable_data<std::uint8_t>().data());
  }

  Value mask_value_ = 0.0;
};

const RegisterLayer<Masking> registration{
    "Masking",
    "Masks the steps whose features all equal mask_value: sets them to zero and returns the mask "
    "[batch, time] with the result. All other steps pass unchanged.",
    {.built_at_init = true, .in_recurrent_module = true, .in_tfjs = true}};

}  // namespace
}  // namespace maskflow
