# Documentation and messages: banned phrases, spelling, and no text of the reports untranslated.
find_package(Python3 REQUIRED COMPONENTS Interpreter)
add_test(NAME prose COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_LIST_DIR}/check.py)
add_test(NAME prose_checker COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_LIST_DIR}/check_test.py)
add_test(NAME sentences COMMAND ${Python3_EXECUTABLE} ${CMAKE_SOURCE_DIR}/scripts/sentences check)
set_tests_properties(prose prose_checker sentences PROPERTIES TIMEOUT ${hang_seconds})
