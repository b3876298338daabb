# The page of HTML reports in a browser. Left out, with a message, where there is no Chromium.
find_package(Python3 REQUIRED COMPONENTS Interpreter)
add_test(NAME browser.page
  COMMAND Python3::Interpreter -m unittest discover --start-directory ${CMAKE_CURRENT_LIST_DIR} --pattern *_test.py --verbose)
set_tests_properties(browser.page PROPERTIES TIMEOUT ${hang_seconds} LABELS browser
  SKIP_REGULAR_EXPRESSION "chromium or chromedriver was not found"
  ENVIRONMENT "TRAINMARK_BIN=${CMAKE_RUNTIME_OUTPUT_DIRECTORY};TRAINMARK_PICTURES=${CMAKE_BINARY_DIR}/pictures")
