# Language, warnings, sanitizers, and the faster tools when they are there.

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE RelWithDebInfo)
endif()
# Line numbers are enough for a backtrace, and much faster to build than full debug information.
set(CMAKE_CXX_FLAGS_RELWITHDEBINFO "-O2 -g1 -DNDEBUG")

# Assertions and logs name files from the root of the project, wherever it was built; so one cache serves every clone.
add_compile_options(-fmacro-prefix-map=${PROJECT_SOURCE_DIR}/=)

# Every target of ours links this; generated code does not.
add_library(kindred_warnings INTERFACE)
target_compile_options(kindred_warnings INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Wold-style-cast -Woverloaded-virtual
  -Wimplicit-fallthrough -Wundef -Werror
  $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>)  # GCC 12 warns about std::string's own operator+ (PR 105651).

find_program(KINDRED_CCACHE ccache)
if(KINDRED_CCACHE)
  # Paths below the source tree are cached as relative ones, so that one cache serves every clone.
  set(CMAKE_CXX_COMPILER_LAUNCHER
    ${CMAKE_COMMAND} -E env CCACHE_BASEDIR=${PROJECT_SOURCE_DIR} CCACHE_NOHASHDIR=1 ${KINDRED_CCACHE})
endif()
find_program(KINDRED_MOLD mold)
if(KINDRED_MOLD)
  add_link_options(-fuse-ld=mold)
endif()

if(KINDRED_FUZZ)
  # What the fuzzer steers by; its own main comes with the targets (tests/fuzz).
  add_compile_options(-fsanitize=fuzzer-no-link)
endif()

if(KINDRED_SANITIZE)
  # -O1, behind the -O2 of the build type: with the sanitizers' checks in it, a unit compiles in 40 s instead of 66 s.
  add_compile_options(-fsanitize=${KINDRED_SANITIZE} -fno-omit-frame-pointer -O1)
  add_link_options(-fsanitize=${KINDRED_SANITIZE})
  if(KINDRED_SANITIZE MATCHES "undefined")
    add_compile_options(-fno-sanitize-recover=all)
  endif()
endif()
