# Documentation and messages: banned phrases, spelling, and no text of the reports untranslated.
find_package(Python3 REQUIRED COMPONENTS Interpreter)
add_test(NAME prose COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_LIST_DIR}/check.py)
add_test(NAME prose_checker COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_LIST_DIR}/check_test.py)
add_test(NAME sentences COMMAND ${Python3_EXECUTABLE} ${CMAKE_SOURCE_DIR}/scripts/sentences check)
set_tests_properties(prose prose_checker sentences PROPERTIES TIMEOUT ${hang_seconds})
# docs/benchmarks.md and its Chinese are made from one source and stored journals.
add_test(NAME benchmark_pages COMMAND ${Python3_EXECUTABLE} ${CMAKE_SOURCE_DIR}/scripts/benchmark-pages --check --program $<TARGET_FILE:trainmark>)
add_test(NAME benchmark_pages_script COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_LIST_DIR}/benchmark_pages_test.py)
set_tests_properties(benchmark_pages benchmark_pages_script PROPERTIES TIMEOUT ${hang_seconds})
