# SPDX-License-Identifier: MIT
# Reuses objects (with ccache) and linked modules of other clones on this machine.

# The compiler's counters of lines are in files with absolute paths.
if(CMAKE_HOST_SYSTEM_NAME STREQUAL Linux AND NOT CMAKE_BUILD_TYPE STREQUAL Coverage)
  set(CMAKE_CXX_COMPILER_LAUNCHER "${CMAKE_CURRENT_LIST_DIR}/compile_cached.sh")
endif()

# maskflow_cached_link(TARGET): copies the wasm module TARGET if another clone has linked it.
function(maskflow_cached_link target)
  if(CMAKE_HOST_SYSTEM_NAME STREQUAL Linux)
    set_target_properties(${target} PROPERTIES
      RULE_LAUNCH_LINK "${CMAKE_SOURCE_DIR}/scripts/cmake/link_cached.sh")
  endif()
endfunction()
