// SPDX-License-Identifier: MIT
#include "layers/list_attention.hpp"

#include <algorithm>
#include <array>

#include "kernels/copy.hpp"
#include "ops/ops.hpp"
#include "rnn/stream_past.hpp"

namespace maskflow {
namespace {

bool fits(Dim a, Dim b) { return a == b || a == kUnknown || b == kUnknown; }

// That of one of the inputs as [batch, time]; no handle when there is none.
Tensor mask_of(const Args& args, std::size_t index, const Shape& shape) {
  const MaskPtr mask = args.mask && index < args.mask->size() ? (*args.mask)[index] : nullptr;
  if (mask == nullptr || mask->shape() == shape) return mask ? mask->values() : Tensor();
  Dict target;
  target["shape"] = List{shape[0], shape[1]};
  return apply_op1("BroadcastTo", {&mask->values(), 1}, target);
}

// In a stream: queries that see nothing weigh all keys so far alike, whose scores are 1e9 less,
// beside which they are nothing.
void show_means(const StreamPast& past, const KeptRows& seeing, Tensors& results) {
  const Tensor means = past.means();
  const Shape& shape = results[0].shape();
  std::size_t next = 0;
  for (Dim i = 0; i < shape[0] * shape[1]; ++i) {
    if (next < seeing.size() && seeing.index[next] == i) {
      ++next;
      continue;
    }
    kernels::copy(means.data<float>().data() + i / shape[1] * shape[2],
                  results[0].mutable_data<float>().data() + i * shape[2],
                  static_cast<std::size_t>(shape[2]));
    if (results.size() == 1) continue;
    std::fill_n(results[1].mutable_data<float>().data() + i * past.seen(), past.seen(),
                1 / static_cast<float>(past.seen()));
  }
}

}  // namespace

Tensors ListAttention::call(const Args& args) {
  check(args);
  StreamPast* const past = take_past();
  const Tensor query = ops::cast(args.inputs[0], DType::kFloat32);
  const Tensor value = ops::cast(args.inputs[1], DType::kFloat32);
  const Tensor key = ops::cast(args.inputs.size() > 2 ? args.inputs[2] : value, DType::kFloat32);
  const Shape& shape = query.shape();
  Dim steps = value.shape()[1];
  const Dim width = value.shape()[2];
  const Tensor shown = mask_of(args, 0, {shape[0], shape[1]});
  Tensor allowed = mask_of(args, 1, {shape[0], steps});
  if (!allowed.empty_handle()) allowed = allowed.reshaped({shape[0], 1, 1, steps});
  if (past != nullptr) {
    const MaskPtr data = args.mask && args.mask->size() > 1 ? (*args.mask)[1] : nullptr;
    past->append({data, nullptr}, key, value, value, 0);
    allowed = past->allowed(nullptr, shape[1]);
    steps = past->capacity();
  } else if (args.flag("use_causal_mask")) {
    allowed = both(allowed, band_mask(shape[1], steps, true, 0));
  }
  Attend attend({shape[0], shape[1], steps, 1, 1, static_cast<std::size_t>(shape[2]),
                 static_cast<std::size_t>(width)},
                allowed, past == nullptr ? Blind::kScored : Blind::kUniform);
  attend.in_place = past != nullptr;
  attend.score = score(shape[2]);
  attend.returns_dropped = true;
  if (args.trains()) attend.dropout = dropout_;
  const bool masked = !shown.empty_handle() || !allowed.empty_handle();
  if (past != nullptr || (masked && finite(query) && finite(key) && finite(value))) {
    // Scores that are asked for show masked queries too.
    const bool hidden = !shown.empty_handle() && !returns_scores_;
    attend.leave_out(hidden ? shown.data<std::uint8_t>().data() : nullptr);
  }
  Tensor rows(DType::kFloat32, {static_cast<Dim>(attend.queries().size()), width});
  Tensors results;
  if (returns_scores_) {
    results = {{}, Tensor::zeros(DType::kFloat32, {shape[0], shape[1], steps})};
  }
  results.resize(returns_scores_ ? 2 : 1);
  attend.run(query.data<float>().data(), false, past ? past->keys() : key.data<float>().data(),
             past ? past->values() : value.data<float>().data(), false,
             rows.mutable_data<float>().data(),
             returns_scores_ ? results[1].mutable_data<float>().data() : nullptr);
  results[0] = attend.queries().spread(rows, {shape[0], shape[1], width});
  if (past != nullptr) {
    if (returns_scores_) results[1] = past->spread(results[1]);
    if (attend.queries().size() != static_cast<std::size_t>(shape[0] * shape[1])) {
      show_means(*past, attend.queries(), results);
    }
  }
  if (!shown.empty_handle()) {
    // Keras multiplies: a NaN of a masked query stays one.
    const Tensor factor = ops::expand_dims(ops::cast(shown, DType::kFloat32), -1);
    results[0] = ops::multiply(results[0], factor);
  }
  return results;
}

std::vector<TensorSpec> ListAttention::output_specs(const Args& args) {
  check(args);
  const Shape& query = args.inputs[0].shape();
  const Shape& value = args.inputs[1].shape();
  std::vector<TensorSpec> specs{{{query[0], query[1], value[2]}, DType::kFloat32}};
  if (returns_scores_) specs.push_back({{query[0], query[1], value[1]}, DType::kFloat32});
  return specs;
}

// Scores have no mask.
Masks ListAttention::compute_mask(const Tensors&, const Masks& masks) {
  return {masks.empty() ? nullptr : masks.front()};
}

void ListAttention::describe_dropout(Fields& fields) {
  fields.field("dropout", dropout_, "Share of the attention weights set to zero when training.");
  fields.field("seed", seed_, "Kept for the configuration.");
}

void ListAttention::check(const Args& args) {
  returns_scores_ = args.flag("return_attention_scores");
  const std::size_t count = args.inputs.size();
  if (!args.list || count < 2 || count > 3) {
    value_error("expected a list [query, value] or [query, value, key], but got ",
                args.list ? "a list of " : "", count, count == 1 ? " tensor" : " tensors");
  }
  if (args.mask && args.mask->size() != 2 && args.mask->size() != 3) {
    value_error("the mask must be a list [query mask, value mask], but has ", args.mask->size(),
                " of them; use null where there is none");
  }
  const Shape& query = args.inputs.front().shape();
  for (const Tensor& input : args.inputs) {
    if (input.rank() != 3) {
      shape_error("expected inputs [batch, time, features], but one has shape ", input.shape());
    }
  }
  const Shape& value = args.inputs[1].shape();
  const Shape& key = args.inputs.back().shape();
  const bool same_batch = fits(query[0], value[0]) && fits(query[0], key[0]);
  if (!same_batch || !fits(query[2], key[2]) || !fits(value[1], key[1])) {
    shape_error("query ", query, ", value ", value, " and key ", key,
                " do not fit: they need one batch size, query and key as many features, value "
                "and key as many steps");
  }
}

}  // namespace maskflow
