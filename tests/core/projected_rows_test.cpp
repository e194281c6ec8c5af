// SPDX-License-Identifier: MIT
// Recurrent layers after an Embedding keep the projection of each row of its table. Their results
// must equal those of the same layer on vectors that were looked up earlier.
#include <gtest/gtest.h>

#include "base/error.hpp"
#include "kernels/gemm.hpp"
#include "support/layers.hpp"
#include "support/recurrent.hpp"

namespace maskflow {
namespace {

using test::call;
using test::make;
using test::randomize;
using test::Rng;
using test::same_bits;

constexpr int kIds = 23;
constexpr int kWidth = 5;
const Shape kShape{3, 7};

Tensor random_ids(Rng& rng) {
  Tensor ids(DType::kInt32, kShape);
  for (std::int32_t& id : ids.mutable_data<std::int32_t>()) {
    id = static_cast<std::int32_t>((rng.real(1) + 1) / 2 * (kIds - 1));
  }
  return ids;
}

struct Pair {
  LayerPtr embedding, layer;

  Pair(Rng& rng, const char* class_name, bool sequences, bool backwards) {
    embedding = make("Embedding", {{"input_dim", kIds}, {"output_dim", kWidth}});
    layer = make(class_name,
                 {{"units", 6}, {"return_sequences", sequences}, {"go_backwards", backwards}});
    randomize(*embedding, rng, kShape);
    randomize(*layer, rng, {3, 7, kWidth});
  }

  // Compares the result, which may use kept projections, with the result for plain vectors.
  void check(const Tensor& ids, const MaskPtr& mask) const {
    const Tensor looked_up = call(*embedding, ids).front();
    ASSERT_NE(looked_up.lookup(), nullptr);
    const Tensor result = call(*layer, looked_up, mask).front();
    EXPECT_NE(looked_up.lookup(), nullptr) << "the layer read the vectors";
    const Tensor vectors = Tensor::from<float>(looked_up.shape(), looked_up.data<float>());
    ASSERT_EQ(vectors.lookup(), nullptr);
    EXPECT_TRUE(same_bits(result, call(*layer, vectors, mask).front()));
  }
};

MaskPtr random_mask(Rng& rng) {
  Tensor keep(DType::kBool, kShape);
  for (std::uint8_t& k : keep.mutable_data<std::uint8_t>()) k = rng.real(1) < 0.4F ? 1 : 0;
  return make_mask(keep);
}

TEST(ProjectedRows, EqualTheProjectionsOfTheVectors) {
  for (const char* class_name : {"LSTM", "GRU", "SimpleRNN"}) {
    for (const bool sequences : {false, true}) {
      for (const bool backwards : {false, true}) {
        Rng rng(7);
        SCOPED_TRACE(class_name);
        const Pair pair(rng, class_name, sequences, backwards);
        for (int repeat = 0; repeat < 5; ++repeat) {
          pair.check(random_ids(rng), nullptr);
          pair.check(random_ids(rng), random_mask(rng));
        }
      }
    }
  }
}

TEST(ProjectedRows, FollowNewWeightsOfTheLayerAndOfTheTable) {
  Rng rng(8);
  const Pair pair(rng, "LSTM", true, false);
  const Tensor ids = random_ids(rng);
  pair.check(ids, nullptr);
  randomize(*pair.layer, rng, {3, 7, kWidth});
  pair.check(ids, nullptr);
  randomize(*pair.embedding, rng, kShape);
  pair.check(ids, nullptr);
}

// Changes the weights in place, as an optimizer does.
void scale_in_place(const Layer& layer) {
  for (const Layer::Weight& weight : layer.weights()) {
    for (float& x : weight.variable->writable().mutable_data<float>()) x *= 1.25F;
  }
}

TEST(ProjectedRows, FollowWeightsWrittenInPlace) {
  for (const char* class_name : {"LSTM", "GRU", "SimpleRNN"}) {
    SCOPED_TRACE(class_name);
    Rng rng(11);
    const Pair pair(rng, class_name, true, false);
    const Tensor ids = random_ids(rng);
    pair.check(ids, nullptr);
    scale_in_place(*pair.embedding);
    pair.check(ids, nullptr);
    scale_in_place(*pair.layer);
    pair.check(ids, nullptr);
  }
}

TEST(ProjectedRows, FollowTheWeightsOfTheFirstOfStackedCells) {
  Rng rng(12);
  Pair pair(rng, "LSTM", true, false);
  const Value cells = List{test::serialized("LSTMCell", {{"units", 6}}),
                           test::serialized("GRUCell", {{"units", 4}})};
  pair.layer = make("RNN", {{"cell", cells}});
  randomize(*pair.layer, rng, {3, 7, kWidth});
  const Tensor ids = random_ids(rng);
  pair.check(ids, nullptr);
  scale_in_place(*pair.layer);
  pair.check(ids, nullptr);
  randomize(*pair.layer, rng, {3, 7, kWidth});
  pair.check(ids, nullptr);
  scale_in_place(*pair.embedding);
  pair.check(ids, nullptr);
}

#ifndef NDEBUG
TEST(ProjectedRows, StaleRowsAreErrorsInDebugBuilds) {
  for (const bool of_embedding : {false, true}) {
    Rng rng(13);
    const Pair pair(rng, "LSTM", true, false);
    const Tensor ids = random_ids(rng);
    pair.check(ids, nullptr);
    const Layer& written = of_embedding ? *pair.embedding : *pair.layer;
    const VariablePtr weight = written.weights().front().variable;
    for (const float& x : weight->value().data<float>()) const_cast<float&>(x) += 1;
    const Tensor looked_up = call(*pair.embedding, ids).front();
    EXPECT_THROW(static_cast<void>(call(*pair.layer, looked_up)), Error);
  }
}
#endif

TEST(Version, WriteCreatesTheNewestVersion) {
  Tensor a(DType::kFloat32, {2});
  const Tensor b(DType::kFloat32, {2});
  EXPECT_NE(a.storage()->version(), b.storage()->version());
  const Version before = a.storage()->version();
  static_cast<void>(a.data<float>());
  EXPECT_EQ(a.storage()->version(), before);
  a.mutable_data<float>()[0] = 1;
  EXPECT_GT(a.storage()->version(), b.storage()->version());
  EXPECT_GT(a.storage()->version(), before);
}

TEST(ProjectedRows, LayerKeepsRowsOfSeveralTables) {
  Rng rng(9);
  const Pair pair(rng, "GRU", false, false);
  Pair other = pair;
  other.embedding = make("Embedding", {{"input_dim", kIds}, {"output_dim", kWidth}});
  randomize(*other.embedding, rng, kShape);
  for (int repeat = 0; repeat < 3; ++repeat) {
    pair.check(random_ids(rng), nullptr);
    other.check(random_ids(rng), nullptr);
  }
}

TEST(ProjectedRows, LookupsOutliveTheirTable) {
  Rng rng(10);
  const LayerPtr embedding = make("Embedding", {{"input_dim", kIds}, {"output_dim", kWidth}});
  randomize(*embedding, rng, kShape);
  const Tensor ids = random_ids(rng);
  const Tensor early = call(*embedding, ids).front();
  const Tensor second = call(*embedding, ids).front();
  const Tensor expected = Tensor::from<float>(second.shape(), second.data<float>());
  randomize(*embedding, rng, kShape);
  EXPECT_TRUE(same_bits(early, expected));
}

TEST(PackedMatrix, StartsAtACacheLine) {
  const std::vector<float> b(3 * 5, 1.0F);
  for (int repeat = 0; repeat < 4; ++repeat) {
    const kernels::PackedMatrix packed(b.data(), 3, 5, 5);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(packed.panel(0)) % 64, 0U);
  }
}

}  // namespace
}  // namespace maskflow
