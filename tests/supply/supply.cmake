# What scripts/setup installs is locked.
find_package(Python3 REQUIRED COMPONENTS Interpreter)
add_test(NAME supply COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_LIST_DIR}/locks_test.py --verbose)
set_tests_properties(supply PROPERTIES TIMEOUT ${hang_seconds} ENVIRONMENT "TRAINMARK_SOURCE=${CMAKE_SOURCE_DIR}")
