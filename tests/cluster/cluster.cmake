# Several ranks and hosts for real: mpirun, ssh between network namespaces, Slurm on loopback. What needs root or programs
# that are not there is left out with a message.
find_package(Python3 REQUIRED COMPONENTS Interpreter)
foreach(part ranks hosts slurm)
  add_test(NAME cluster.${part}
    COMMAND Python3::Interpreter -m unittest discover --start-directory ${CMAKE_CURRENT_LIST_DIR} --pattern ${part}_test.py --verbose)
  set_tests_properties(cluster.${part} PROPERTIES TIMEOUT ${hang_seconds} LABELS cluster RUN_SERIAL TRUE
    ENVIRONMENT "TRAINMARK_BIN=${CMAKE_RUNTIME_OUTPUT_DIRECTORY}")
endforeach()
