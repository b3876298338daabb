# The page of `trainmark report --format html`: our modules in src/report/html/page, bundled by esbuild, and Chart.js of the
# distribution, put together into one file at build time, which src/report/html/page.cpp takes into the program.

find_file(TRAINMARK_CHART_JS chart.min.js PATHS /usr/share/javascript/chart.js NO_DEFAULT_PATH
          DOC "Chart.js 3, minified (Debian: libjs-chart.js)")
if(NOT TRAINMARK_CHART_JS)
  message(FATAL_ERROR
    "Chart.js was not found. Run scripts/setup (it installs libjs-chart.js), or write "
    "-DTRAINMARK_CHART_JS=path/to/chart.min.js (version 3).")
endif()
find_program(TRAINMARK_ESBUILD esbuild DOC "The bundler of the page's modules (Debian: esbuild)")
if(NOT TRAINMARK_ESBUILD)
  message(FATAL_ERROR "esbuild was not found. Run scripts/setup, which installs it, or write -DTRAINMARK_ESBUILD=path/to/esbuild.")
endif()
find_package(Python3 REQUIRED COMPONENTS Interpreter)

set(page_folder ${CMAKE_CURRENT_SOURCE_DIR}/report/html/page)
set(page ${CMAKE_BINARY_DIR}/generated/page.html)
file(GLOB page_sources CONFIGURE_DEPENDS ${page_folder}/*)
add_custom_command(
  OUTPUT ${page}
  COMMAND Python3::Interpreter ${page_folder}/assemble.py ${TRAINMARK_ESBUILD} ${TRAINMARK_CHART_JS} ${page}
  DEPENDS ${page_sources} ${CMAKE_CURRENT_SOURCE_DIR}/report/words/words.json ${TRAINMARK_CHART_JS}
  COMMENT "Putting the page of HTML reports together"
  VERBATIM)
add_custom_target(trainmark_page DEPENDS ${page})
add_dependencies(trainmark_objects trainmark_page)
set_source_files_properties(report/html/page.cpp PROPERTIES
  COMPILE_DEFINITIONS "TRAINMARK_PAGE=\"${page}\"" OBJECT_DEPENDS ${page} SKIP_PRECOMPILE_HEADERS TRUE)
