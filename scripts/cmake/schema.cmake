# SPDX-License-Identifier: MIT
# The program that prints the schema. It needs objects that keep the texts of the reference
# (base/doc.hpp): those of the option MASKFLOW_DOCS.
add_executable(maskflow_schema EXCLUDE_FROM_ALL "${CMAKE_SOURCE_DIR}/bindings/schema.cpp")
list(GET variants 0 _variant)
target_link_libraries(maskflow_schema PRIVATE maskflow_core_${_variant})
if(EMSCRIPTEN)
  target_link_options(maskflow_schema PRIVATE -O0)
  maskflow_node_program(maskflow_schema)
endif()
