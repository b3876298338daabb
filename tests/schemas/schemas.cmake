# What the bench writes, against docs/schema. Left out, with a message, where the validator is not installed.
set(validator ${CMAKE_SOURCE_DIR}/.venv/schemas/bin/python)
if(EXISTS ${validator})
  add_test(NAME schemas COMMAND ${validator} ${CMAKE_CURRENT_LIST_DIR}/schemas_test.py --verbose)
  set_tests_properties(schemas PROPERTIES TIMEOUT ${hang_seconds}
    ENVIRONMENT "TRAINMARK_BIN=${CMAKE_RUNTIME_OUTPUT_DIRECTORY};TRAINMARK_SOURCE=${CMAKE_SOURCE_DIR}")
else()
  message(STATUS "no tests of schemas: `scripts/setup schemas` installs what they need")
endif()
