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
    fields.field("mask_value", mask_value_,
                 "A step is masked when all its features equal this number (or this list).");
  }
  void check_config() const override {
    if (mask_value_.is_number()) return;
    for (const Value& item : mask_value_.as_list("mask_value")) {
      static_cast<void>(item.as_number("mask_value"));
    }
  }
  [[nodiscard]] int min_rank() const override { return 1; }

  // Output and mask come from the same pass over the data.
  Structure call(const Args& args, Frame& /*frame*/) override {
    const Tensor& x = args.inputs.front();
    Tensor input = x.dtype() == DType::kBool ? ops::cast(x, DType::kFloat32) : x;
    Tensor output;
    Tensor keep(DType::kBool, input.shape().first(input.rank() - 1));
    if (input.dtype() == DType::kInt32) {
      fused<std::int32_t>(input, output, keep);
    } else {
      fused<float>(input, output, keep);
    }
    return {output.with_mask(make_mask(keep))};
  }

  // The mask alone; written with ops so that it also works on symbolic tensors.
  Masks compute_mask(const Tensors& inputs, const Masks&) override {
    const Tensor& x = inputs.front();
    const Tensor value = Tensor::from<float>(value_shape(), floats(values_for(x.shape().back())));
    Dict attributes;
    attributes["axis"] = -1;
    const Tensor differs = ops::not_equal(x, value);
    return {make_mask(apply_op1("Any", {&differs, 1}, attributes))};
  }

 private:
  [[nodiscard]] Shape value_shape() const {
    if (mask_value_.is_number()) return {};
    return {static_cast<Dim>(mask_value_.as_list("mask_value").size())};
  }

  // One number per feature, or one for all of them.
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

  static std::vector<float> floats(const std::vector<double>& values) {
    std::vector<float> result;
    for (const double value : values) result.push_back(static_cast<float>(value));
    return result;
  }

  template <class T>
  void fused(const Tensor& input, Tensor& output, Tensor& keep) const {
    const auto features = static_cast<std::size_t>(input.shape().back());
    std::vector<double> values = values_for(static_cast<Dim>(features));
    values.resize(features, values.empty() ? 0 : values.front());
    std::vector<T> typed;
    for (const double value : values) {
      // No whole number equals 0.5 (or NaN): such a mask_value masks nothing.
      if (std::is_integral_v<T> &&
          !(std::fabs(value) < 2147483648.0 && std::floor(value) == value)) {
        output = input;
        keep = Tensor::full(DType::kBool, keep.shape(), 1);
        return;
      }
      typed.push_back(static_cast<T>(value));
    }
    const T* x = input.data<T>().data();
    auto* kept = keep.mutable_data<std::uint8_t>().data();
    if (std::all_of(typed.begin(), typed.end(), [](T value) { return value == T{0}; })) {
      output = input;  // what would become zero is zero
      kernels::find_steps(x, keep.size(), features, typed.data(), kept);
    } else {
      output = Tensor(input.dtype(), input.shape());
      kernels::mask_steps(x, keep.size(), features, typed.data(), output.mutable_data<T>().data(),
                          kept);
    }
  }

  Value mask_value_ = 0.0;
};

const RegisterLayer<Masking> registration{"Masking",
                                          "Masks the steps whose features all equal mask_value: "
                                          "sets them to zero and makes the mask [batch, "
                                          "time]. Steps that only partly equal it pass unchanged."};

}  // namespace
}  // namespace maskflow
