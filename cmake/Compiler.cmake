# Warnings, sanitizers and ccache: the same for every target of ours.

add_library(trainmark_compiler INTERFACE)
target_compile_options(trainmark_compiler INTERFACE
  -Wall -Wextra -Wpedantic -Werror -Wshadow -Wnon-virtual-dtor -Woverloaded-virtual)

if(TRAINMARK_SANITIZE)
  add_compile_options(-fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options(-fsanitize=address,undefined)
endif()

find_program(TRAINMARK_CCACHE ccache)
if(TRAINMARK_CCACHE)
  # The sloppiness is what ccache needs to reuse objects that were built with a precompiled header.
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env
      CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime
      ${TRAINMARK_CCACHE})
endif()
