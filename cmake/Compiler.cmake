# Warnings, sanitizers and ccache: the same for every target of ours.

add_library(trainmark_compiler INTERFACE)
target_compile_options(trainmark_compiler INTERFACE
  -Wall -Wextra -Wpedantic -Werror -Wshadow -Wnon-virtual-dtor -Woverloaded-virtual)

# GCC 12 sees overlaps and overflows in std::string that are not there (its bugs 105651 and 105329).
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  target_compile_options(trainmark_compiler INTERFACE
    -Wno-restrict -Wno-stringop-overflow -Wno-array-bounds)
endif()

# The hot loops are the frameworks' own; -O3 would only make our build slower.
set(CMAKE_CXX_FLAGS_RELEASE "-O2 -DNDEBUG")

if(TRAINMARK_SANITIZE)
  # Optimising instrumented code takes GCC ten times as long, and finds nothing more.
  set(CMAKE_CXX_FLAGS_DEBUG "-O0 -g1")
  add_compile_options(-fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options(-fsanitize=address,undefined)
endif()

find_program(TRAINMARK_CCACHE ccache)
if(TRAINMARK_CCACHE)
  # The sloppiness is what ccache needs to reuse objects that were built with a precompiled header;
  # the base folder lets one checkout reuse what was built in another.
  set(launcher ${CMAKE_COMMAND} -E env
      CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime
      CCACHE_BASEDIR=${CMAKE_SOURCE_DIR} CCACHE_NOHASHDIR=1 ${TRAINMARK_CCACHE})
  set(CMAKE_CXX_COMPILER_LAUNCHER ${launcher})
  set(CMAKE_CUDA_COMPILER_LAUNCHER ${launcher})
endif()
