# Data sets that others have written are read, and those that we write are read by the others: each test in the environment
# where its reader is. Left out, with a message, where that is not installed.
function(add_ecosystem_test name environment)
  set(python ${CMAKE_SOURCE_DIR}/.venv/${environment}/bin/python)
  if(NOT EXISTS ${python})
    message(STATUS "No .venv/${environment}: no test of ${name} (scripts/setup ${environment} installs it)")
    return()
  endif()
  add_test(NAME ecosystem.${name} COMMAND ${python} ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/test_${name}.py --verbose)
  set_tests_properties(ecosystem.${name} PROPERTIES TIMEOUT ${hang_seconds}
    ENVIRONMENT "OMP_NUM_THREADS=1;TRAINMARK_BIN=${CMAKE_RUNTIME_OUTPUT_DIRECTORY}")
endfunction()

add_ecosystem_test(hdf5 readers)
add_ecosystem_test(imagefolder pytorch)
add_ecosystem_test(recordio mxnet)
add_ecosystem_test(tfrecord tensorflow)
add_ecosystem_test(webdataset readers)
