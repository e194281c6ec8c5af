// SPDX-License-Identifier: MIT
// Functional configurations: the format that Keras 3 writes, and damaged ones.
#include <gtest/gtest.h>

#include <algorithm>

#include "support/errors.hpp"
#include "support/graphs.hpp"

namespace maskflow {
namespace {

using test::dict;
using test::list;
using test::text_of;

std::string text_at(const Value& value, std::initializer_list<std::string_view> keys) {
  const Value* at = &value;
  for (const std::string_view key : keys) {
    at = at->find(key);
    if (at == nullptr) return "nothing at " + std::string(key);
  }
  return text_of(*at);
}

const Value& item(const Value& value, const char* key, std::size_t index) {
  return value.find(key)->as_list(key).at(index);
}

// Embedding(mask_zero) -> LSTM, with fixed names, because automatic ones depend on other tests.
Dict masked_model() {
  const LayerPtr start =
      test::make("InputLayer",
                 {{"batch_shape", list({nullptr, nullptr})}, {"dtype", "int32"}, {"name", "ids"}});
  const Tensor ids = std::static_pointer_cast<InputLayer>(start)->symbol();
  const LayerPtr words = test::make(
      "Embedding", {{"input_dim", 7}, {"output_dim", 3}, {"mask_zero", true}, {"name", "words"}});
  const LayerPtr lstm = test::make("LSTM", {{"units", 2}, {"name", "reader"}});
  return test::functional({ids}, {(*lstm)((*words)(ids))})->get_config();
}

TEST(FunctionalConfig, HasTheFormatOfKeras3) {
  const Value config = masked_model();
  EXPECT_EQ(text_at(config, {"input_layers"}), "['ids', 0, 0]");
  EXPECT_EQ(text_at(config, {"output_layers"}), "['reader', 0, 0]");
  std::vector<std::string> names;
  for (const Value& entry : config.find("layers")->as_list("")) {
    names.push_back(entry.find("name")->as_string(""));
  }
  EXPECT_EQ(names, (std::vector<std::string>{"ids", "words", "not_equal", "reader"}));
  const Value& lstm = item(config, "layers", 3);
  EXPECT_EQ(text_at(lstm, {"class_name"}), "'LSTM'");
  EXPECT_EQ(text_at(lstm, {"module"}), "'keras.layers'");
  EXPECT_EQ(text_at(lstm, {"config", "units"}), "2");
  const Value& call = item(lstm, "inbound_nodes", 0);
  const Value& argument = item(call, "args", 0);
  EXPECT_EQ(text_at(argument, {"class_name"}), "'__keras_tensor__'");
  EXPECT_EQ(text_at(argument, {"config", "keras_history"}), "['words', 0, 0]");
  EXPECT_EQ(text_at(argument, {"config", "shape"}), "[null, null, 3]");
  EXPECT_EQ(text_at(call, {"kwargs", "mask", "config", "keras_history"}), "['not_equal', 0, 0]");
  const Value& op = item(config, "layers", 2);
  EXPECT_EQ(text_at(op, {"module"}), "'keras.src.ops.numpy'");
  EXPECT_EQ(text_at(op, {"class_name"}), "'NotEqual'");
  EXPECT_EQ(text_of(item(item(op, "inbound_nodes", 0), "args", 1)), "0");
}

// A copy of `value` in which `key`, at any depth, has another value.
Value changed(const Value& value, std::string_view key, const Value& by) {
  if (value.is_list()) {
    List result;
    for (const Value& each : value.as_list("")) result.push_back(changed(each, key, by));
    return result;
  }
  if (!value.is_dict()) return value;
  Dict result;
  for (const Dict::Entry& entry : value.as_dict("").entries()) {
    result[entry.key] = entry.key == key ? by : changed(entry.value, key, by);
  }
  return result;
}

Value without(const Value& value, std::string_view key) {
  if (value.is_list()) {
    List result;
    for (const Value& each : value.as_list("")) result.push_back(without(each, key));
    return result;
  }
  if (!value.is_dict()) return value;
  Dict result;
  for (const Dict::Entry& entry : value.as_dict("").entries()) {
    if (entry.key != key) result[entry.key] = without(entry.value, key);
  }
  return result;
}

void collect_keys(const Value& value, std::vector<std::string>& keys) {
  if (value.is_list()) {
    for (const Value& each : value.as_list("")) collect_keys(each, keys);
  }
  if (!value.is_dict()) return;
  for (const Dict::Entry& entry : value.as_dict("").entries()) {
    keys.push_back(entry.key);
    collect_keys(entry.value, keys);
  }
}

// A file can contain anything: with any part removed or replaced, the outcome is a model or an
// Error.
TEST(FunctionalConfig, DamagedConfigsThrowTypedErrorsOnly) {
  const Value good = masked_model();
  std::vector<std::string> keys;
  collect_keys(good, keys);
  std::sort(keys.begin(), keys.end());
  keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
  const List replacements{nullptr,
                          true,
                          -1,
                          3,
                          1e300,
                          "text",
                          list({}),
                          list({1}),
                          list({"words", 9, 9}),
                          list({"words", -1, -1}),
                          dict({})};
  int errors = 0;
  const auto attempt = [&](const Value& config) {
    try {
      static_cast<void>(make_layer("Functional", config.as_dict("")));
    } catch (const Error&) {
      ++errors;
    }
  };
  for (const std::string& key : keys) {
    SCOPED_TRACE(key);
    EXPECT_NO_THROW(attempt(without(good, key)));
    for (const Value& by : replacements)
      EXPECT_NO_THROW(attempt(changed(good, key, by))) << text_of(by);
  }
  EXPECT_GT(errors, 100);
}

TEST(FunctionalConfig, MissingTensorIsNamed) {
  const Value broken = changed(masked_model(), "output_layers", list({"nowhere", 0, 0}));
  EXPECT_TRUE(test::fails_with(ErrorKind::kConfig, {"nowhere", "does not exist"}, [&] {
    static_cast<void>(make_layer("Functional", broken.as_dict("")));
  }));
}

}  // namespace
}  // namespace maskflow
