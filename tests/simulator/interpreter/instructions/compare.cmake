# Compares `LAUNCHER --list-instructions GPU` with the file EXPECTED; the listing is left in ACTUAL.
# Variables: LAUNCHER, GPU, EXPECTED, ACTUAL.
execute_process(
  COMMAND "${LAUNCHER}" --list-instructions ${GPU}
  OUTPUT_FILE "${ACTUAL}"
  ERROR_VARIABLE error
  RESULT_VARIABLE status)
if(NOT status EQUAL 0)
  message(FATAL_ERROR "--list-instructions ${GPU} ended with ${status}: ${error}")
endif()
execute_process(COMMAND diff -u "${EXPECTED}" "${ACTUAL}" RESULT_VARIABLE differs)
if(NOT differs EQUAL 0)
  message(FATAL_ERROR "the instructions of ${GPU} are not those of ${EXPECTED}; "
                      "if the difference above is meant, copy ${ACTUAL} there")
endif()
