# What `cmake --install` writes works from any folder, for any user, and is never written to.
find_package(Python3 REQUIRED COMPONENTS Interpreter)
add_test(NAME install COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_LIST_DIR}/install_test.py --verbose)
set_tests_properties(install PROPERTIES TIMEOUT ${hang_seconds} ENVIRONMENT
  "TRAINMARK_SOURCE=${CMAKE_SOURCE_DIR};TRAINMARK_BUILD=${CMAKE_BINARY_DIR};CMAKE=${CMAKE_COMMAND}")
