// SPDX-License-Identifier: MIT
// Calls ops and layers with random hostile shapes, settings and numbers: empty, huge, negative, not
// numbers. Each call returns a result or throws an Error, under the sanitizers. For a longer run,
// set MASKFLOW_HOSTILE to a number of rounds.
#include <gtest/gtest.h>

#include <cstdlib>
#include <limits>

#include "ops/ops.hpp"
#include "support/graphs.hpp"
#include "support/layer_cases.hpp"
#include "support/op_cases.hpp"
#include "support/scarce_memory.hpp"

namespace maskflow {
namespace {

using test::Rng;

int rounds(int usual) {
  const char* const wanted = std::getenv("MASKFLOW_HOSTILE");
  return wanted == nullptr ? usual : std::atoi(wanted);
}

double some_number(Rng& rng) {
  constexpr double kNumbers[] = {0,
                                 1,
                                 -1,
                                 2,
                                 3,
                                 -2,
                                 7,
                                 0.5,
                                 -0.5,
                                 64,
                                 65536,
                                 2147483647.0,
                                 -2147483648.0,
                                 2147483648.0,
                                 4294967296.0,
                                 4294967297.0,
                                 9007199254740992.0,
                                 -9007199254740992.0,
                                 1e300,
                                 -1e300,
                                 std::numeric_limits<double>::infinity(),
                                 std::numeric_limits<double>::quiet_NaN()};
  return kNumbers[rng.integer(0, static_cast<int>(std::size(kNumbers)) - 1)];
}

// Returns a copy of a value with random changes.
Value changed(const Value& value, Rng& rng, double chance) {
  if (rng.chance(chance)) {
    switch (rng.integer(0, 7)) {
      case 0:
        return nullptr;
      case 1:
        return rng.chance(0.5);
      case 2:
        return List{};
      case 3:
        return List{some_number(rng), some_number(rng)};
      case 4:
        return "";
      default:
        return some_number(rng);
    }
  }
  if (value.is_list()) {
    List list;
    for (const Value& item : value.as_list("")) list.push_back(changed(item, rng, chance));
    if (rng.chance(chance)) list.push_back(some_number(rng));
    if (rng.chance(chance) && !list.empty()) list.pop_back();
    return list;
  }
  if (value.is_dict()) {
    Dict dict;
    for (const Dict::Entry& entry : value.as_dict("").entries()) {
      dict[entry.key] = entry.key == "class_name" ? entry.value : changed(entry.value, rng, chance);
    }
    return dict;
  }
  return value;
}

Shape changed(const Shape& shape, Rng& rng) {
  constexpr Dim kDims[] = {0, 0, 1, 1, 2, 3, 5, 64, 65536, 1 << 20, kMaxElements};
  Shape result;
  for (const Dim dim : shape.dims()) {
    if (rng.chance(0.05)) continue;
    const bool other = rng.chance(0.2);
    result.push_back(other ? kDims[rng.integer(0, static_cast<int>(std::size(kDims)) - 1)] : dim);
    if (rng.chance(0.05) && result.rank() < kMaxRank) result.push_back(rng.integer(0, 2));
  }
  return result;
}

Tensor some_tensor(const Shape& shape, DType dtype, Rng& rng) {
  Tensor result(dtype, shape);
  if (dtype == DType::kFloat32) {
    for (float& x : result.mutable_data<float>()) {
      x = rng.chance(0.05) ? static_cast<float>(std::clamp(some_number(rng), -3e38, 3e38))
                           : rng.real(3);
    }
  } else if (dtype == DType::kInt32) {
    for (std::int32_t& x : result.mutable_data<std::int32_t>()) {
      x = rng.chance(0.05) ? INT32_MIN + rng.integer(0, 1) : rng.integer(-3, 5);
    }
  } else {
    for (std::uint8_t& x : result.mutable_data<std::uint8_t>()) x = rng.chance(0.5) ? 1 : 0;
  }
  return result;
}

Tensor some_tensor_like(const Tensor& x, Rng& rng) {
  const Shape shape = rng.chance(0.6) ? changed(x.shape(), rng) : x.shape();
  const DType dtype = rng.chance(0.1) ? static_cast<DType>(rng.integer(0, 2)) : x.dtype();
  Tensor result = some_tensor(shape, dtype, rng);
  if (x.mask() != nullptr || rng.chance(0.1)) {
    Shape mask = x.mask() != nullptr ? x.mask()->shape() : shape.first(std::min(2, shape.rank()));
    if (rng.chance(0.2)) mask = changed(mask, rng);
    result = result.with_mask(make_mask(some_tensor(mask, DType::kBool, rng)));
  }
  return result;
}

// Expects that the call returns a result or throws an Error, and frees its memory.
template <class F>
void expect_answer(F&& f) {
  const MemoryInfo before = live_memory();
  try {
    f();
  } catch (const Error& error) {
    EXPECT_STRNE(error.what(), "");
  } catch (const std::exception& error) {
    ADD_FAILURE() << "not an Error: " << error.what();
  }
  EXPECT_EQ(live_memory().bytes, before.bytes);
}

// Memory limit in bytes, so that a loop over all numbers stays fast.
constexpr std::uint64_t kSmall = std::uint64_t{1} << 23;

TEST(Hostile, Ops) {
  const test::MaxBytes limit(kSmall);
  const std::vector<test::OpCase> cases = test::op_cases();
  for (int round = 0; round < rounds(12); ++round) {
    for (std::size_t i = 0; i < cases.size(); ++i) {
      Rng rng(static_cast<std::uint64_t>(round) * 1000 + i);
      SCOPED_TRACE(cases[i].op + ", " + rng.trace());
      expect_answer([&] {
        Tensors operands;
        for (const Tensor& x : cases[i].operands) operands.push_back(some_tensor_like(x, rng));
        if (rng.chance(0.03)) operands.clear();
        const Value attributes = changed(cases[i].attributes, rng, 0.2);
        static_cast<void>(apply_op(cases[i].op, operands,
                                   attributes.is_dict() ? attributes.as_dict("") : Dict()));
      });
    }
    if (HasFailure()) return;
  }
}

TEST(Hostile, Layers) {
  const test::MaxBytes limit(kSmall);
  const test::Scope quiet(MaskPropagation::kKeras315, OnMaskDropped::kSilent);
  const std::vector<test::LayerCase> cases = test::layer_cases();
  for (int round = 0; round < rounds(12); ++round) {
    for (std::size_t i = 0; i < cases.size(); ++i) {
      Rng rng(static_cast<std::uint64_t>(round) * 1000 + i);
      SCOPED_TRACE(cases[i].class_name + ", " + rng.trace());
      expect_answer([&] {
        const Value config = changed(cases[i].config, rng, 0.1);
        const LayerPtr layer =
            make_layer(cases[i].class_name, config.is_dict() ? config.as_dict("") : Dict());
        for (int call = 0; call < 2; ++call) {
          Args args = cases[i].masked_arguments(rng);
          if (call == 0 || rng.chance(0.5)) {
            args.for_each_tensor([&](Tensor& tensor) { tensor = some_tensor_like(tensor, rng); });
          }
          if (rng.chance(0.1)) args.training = true;
          static_cast<void>(layer->apply(std::move(args)));
        }
        static_cast<void>(layer->get_config());
      });
    }
    if (HasFailure()) return;
  }
}

// Calls layers on symbolic tensors, whose dimensions may be unknown.
TEST(Hostile, Graphs) {
  const test::MaxBytes limit(kSmall);
  const test::Scope quiet(MaskPropagation::kKeras315, OnMaskDropped::kSilent);
  const std::vector<test::LayerCase> cases = test::layer_cases();
  for (int round = 0; round < rounds(4); ++round) {
    for (std::size_t i = 0; i < cases.size(); ++i) {
      Rng rng(static_cast<std::uint64_t>(round) * 1000 + i);
      SCOPED_TRACE(cases[i].class_name + ", " + rng.trace());
      expect_answer([&] {
        const Value config = changed(cases[i].config, rng, 0.05);
        const LayerPtr layer =
            make_layer(cases[i].class_name, config.is_dict() ? config.as_dict("") : Dict());
        Args args = cases[i].arguments(rng);
        args.for_each_tensor([&](Tensor& tensor) {
          Shape shape = changed(tensor.shape(), rng);
          for (int axis = 0; axis < shape.rank(); ++axis) {
            if (rng.chance(axis < 2 ? 0.5 : 0.1)) shape.set(axis, kUnknown);
          }
          tensor = test::input(shape, tensor.dtype());
        });
        static_cast<void>(layer->apply(std::move(args)));
      });
    }
    if (HasFailure()) return;
  }
}

}  // namespace
}  // namespace maskflow
