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

# Compiles the files of a folder at once, which takes a third of the time: most of it goes into headers. Names that
# a file has for itself must then differ within the folder. Files that register something stay alone: the same few
# names stand in each of them. One that has a namespace of its own, called as the file is, shares with every second one
# of its folder: they are few and large, and two cores should both have work. Folders deeper than `depth` belong to the
# folder above them.
option(TRAINMARK_TOGETHER "Compile the files of a folder at once" ON)
function(compile_together target)
  if(NOT TRAINMARK_TOGETHER)
    return()
  endif()
  set(depth 2)
  if(ARGC GREATER 1)
    set(depth ${ARGV1})
  endif()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  get_target_property(files ${target} SOURCES)
  set(half "")
  foreach(file ${files})
    cmake_path(ABSOLUTE_PATH file BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR})
    cmake_path(GET file STEM name)
    file(STRINGS ${file} registers LIMIT_COUNT 1 REGEX "Registration.* registered")
    file(STRINGS ${file} has_namespace LIMIT_COUNT 1 REGEX "^namespace trainmark::.*::${name} {")
    if(has_namespace OR NOT registers)
      cmake_path(RELATIVE_PATH file BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR} OUTPUT_VARIABLE folders)
      string(REPLACE "/" ";" folders ${folders})
      list(POP_BACK folders)
      if(folders)
        list(SUBLIST folders 0 ${depth} folders)
      endif()
      string(MAKE_C_IDENTIFIER "in_${folders}" group)
      if(has_namespace)
        string(APPEND group "${half}")
        if(half)
          set(half "")
        else()
          set(half _other)
        endif()
      endif()
      set_source_files_properties(${file} PROPERTIES UNITY_GROUP ${group})
    endif()
  endforeach()
endfunction()
