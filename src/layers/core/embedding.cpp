// SPDX-License-Identifier: MIT
#include "layers/core/embedding.hpp"

#include <cmath>

#include "ops/made_up_sizes.hpp"
#include "ops/ops.hpp"

namespace maskflow {
namespace {

Tensor truncate_ids(const Tensor& ids) {
  const Tensor floats = ops::cast(ids, DType::kFloat32);
  Tensor result(DType::kInt32, ids.shape());
  std::int32_t* to = result.mutable_data<std::int32_t>().data();
  for (const float id : floats.data<float>()) {
    if (!(std::fabs(id) < 2147483648.0F)) {
      value_error("id ", static_cast<double>(id), " is not a 32-bit integer");
    }
    *to++ = static_cast<std::int32_t>(id);
  }
  return result;
}

}  // namespace

void Embedding::describe(Fields& fields) {
  Layer::describe(fields);
  fields.field("input_dim", input_dim_, "Number of ids: 0 to input_dim - 1.", FieldKind::kRequired);
  fields.field("output_dim", output_dim_, "Size of the vectors.", FieldKind::kRequired);
  fields.field("embeddings_initializer", embeddings_initializer_,
               "Initializer of the table [input_dim, output_dim].");
  fields.field("mask_zero", mask_zero_, "Id 0 is padding: return the mask ids != 0.");
  fields.inert(inert_, {"embeddings_regularizer", "activity_regularizer", "embeddings_constraint",
                        "quantization_config"});
  fields.ignored({"input_length", "lora_rank", "lora_alpha", "sparse"});
}

void Embedding::check_config() const {
  if (input_dim_ <= 0) config_error("'input_dim' is ", input_dim_, " but must be at least 1");
  if (output_dim_ <= 0) config_error("'output_dim' is ", output_dim_, " but must be at least 1");
}

void Embedding::build(const std::vector<Shape>&) {
  embeddings_ = add_weight("embeddings", {input_dim_, output_dim_}, embeddings_initializer_);
  embeddings_->use_rows();
}

OutputSpecs Embedding::output_specs(const Args& args) {
  Shape shape = args.inputs.front().shape();
  shape.push_back(output_dim_);
  return {{shape, DType::kFloat32}};
}

Masks Embedding::compute_mask(const Tensors& inputs, const Masks&) {
  if (!mask_zero_) return {};
  const Tensor& ids = inputs.front();
  // The comparison with 0 is that of make_mask, too, so the ids serve as the mask.
  if (!ids.is_symbolic() && ids.dtype() == DType::kInt32) return {make_mask(ids)};
  return {make_mask(ops::not_equal(ids, Tensor::scalar(DType::kInt32, 0)))};
}

Tensor Embedding::look_up(const Tensor& ids) const {
  Shape shape = ids.shape();
  shape.push_back(output_dim_);
  // Float ids are truncated, as Keras casts them.
  const Tensor integers = ids.dtype() == DType::kInt32 ? ids : truncate_ids(ids);
  std::vector<std::int32_t> rows;
  static_cast<void>(elements_that_fit(DType::kFloat32, shape));
  rows.reserve(integers.size());
  for (const std::int32_t id : integers.data<std::int32_t>()) rows.push_back(row_of(id));
  return Tensor::looked_up(embeddings_->table(), std::move(rows), shape);
}

// Negative ids count from the end of the table, as in Keras on a CPU.
std::int32_t Embedding::row_of(std::int32_t id) const {
  const std::int32_t row = id < 0 ? id + input_dim_ : id;
  if (row < 0 || row >= input_dim_) {
    if (sizes_are_made_up()) return 0;
    value_error("id ", id, " is out of range: input_dim is ", input_dim_, ", so ids go from ",
                -input_dim_, " to ", input_dim_ - 1,
                "; map unknown words to a separate id, or increase input_dim");
  }
  return row;
}

bool is_embedding(const Layer& layer) {
  return layer.class_name() == "Embedding" && layer.kind() == "layer";
}

namespace {
const RegisterLayer<Embedding> registration{
    "Embedding",
    "Looks up a vector for each id: [batch, time] becomes [batch, time, output_dim]; ids may have "
    "any shape. With mask_zero, the result has the mask ids != 0.",
    {.in_recurrent_module = true, .in_tfjs = true}};
}  // namespace

}  // namespace maskflow
