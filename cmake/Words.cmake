# The texts of reports, src/report/words/words.json, as C++ (word_tables.py says how). Made when CMake configures, which
# happens anew when a text changes: the headers are there for whatever looks at the sources, built or not.

find_package(Python3 REQUIRED COMPONENTS Interpreter)

set(words_folder ${CMAKE_CURRENT_SOURCE_DIR}/report/words)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${words_folder}/words.json ${words_folder}/word_tables.py)
execute_process(
  COMMAND ${Python3_EXECUTABLE} ${words_folder}/word_tables.py ${CMAKE_BINARY_DIR}/generated
  COMMAND_ERROR_IS_FATAL ANY)
target_include_directories(trainmark_objects PUBLIC ${CMAKE_BINARY_DIR}/generated)
