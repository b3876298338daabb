# Takes text files into a program at build time:
#   embed_file(TARGET NAME PATH)      #include "embedded/NAME.h": std::string_view trainmark::embedded::NAME, the text
#   embed_files(TARGET NAME PATH...)  the same of several files: std::span<const trainmark::EmbeddedFile>
# The text becomes a string literal when CMake configures, which happens anew when a file changes. Nothing runs when the
# program starts, and ccache can keep what is compiled.

function(embed_file target name path)
  read_literal(literal ${path})
  write_embedded(${target} ${name} "std::string_view" "${literal}")
endfunction()

function(embed_files target name)
  set(entries "")
  foreach(path ${ARGN})
    read_literal(literal ${path})
    cmake_path(GET path STEM file)
    string(APPEND entries "    {\"${file}\", ${literal}},\n")
  endforeach()
  write_embedded(${target} ${name} "std::span<const EmbeddedFile>" "${name}_files"
    "constexpr EmbeddedFile ${name}_files[] = {\n${entries}};\n")
endfunction()

function(read_literal result path)
  cmake_path(ABSOLUTE_PATH path BASE_DIRECTORY ${CMAKE_SOURCE_DIR})
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${path})
  file(READ ${path} text)
  set(${result} "R\"embedded(${text})embedded\"" PARENT_SCOPE)
endfunction()

# Writes the header and the source of one constant; what is unchanged stays untouched.
function(write_embedded target name type value)
  set(before "${ARGN}")
  set(folder ${CMAKE_BINARY_DIR}/generated/embedded)
  file(CONFIGURE OUTPUT ${folder}/${name}.h @ONLY CONTENT
"#pragma once

#include \"base/embedded_file.h\"

namespace trainmark::embedded {
extern const @type@ @name@;
}
")
  file(CONFIGURE OUTPUT ${folder}/${name}.cpp @ONLY CONTENT
"#include \"embedded/@name@.h\"

namespace trainmark::embedded {
@before@
constinit const @type@ @name@ = @value@;
}
")
  target_sources(${target} PRIVATE ${folder}/${name}.cpp)
  set_source_files_properties(${folder}/${name}.cpp PROPERTIES
    SKIP_UNITY_BUILD_INCLUSION ON SKIP_PRECOMPILE_HEADERS ON)
  target_include_directories(${target} PRIVATE ${CMAKE_BINARY_DIR}/generated)
endfunction()
