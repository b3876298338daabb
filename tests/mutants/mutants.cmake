# `make mutants` plants the faults that are listed here. `make test` only looks whether each still has its place in the
# sources, and at the program that plants them.

add_test(NAME mutants.list COMMAND ${CMAKE_SOURCE_DIR}/scripts/mutants check)
add_test(NAME mutants.program COMMAND python3 ${CMAKE_CURRENT_LIST_DIR}/mutants_test.py)
