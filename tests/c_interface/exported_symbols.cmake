# libmosim exports the functions that its header declares, all of them and nothing else.
execute_process(COMMAND ${NM} -D --defined-only ${LIBRARY} OUTPUT_VARIABLE listed COMMAND_ERROR_IS_FATAL ANY)
string(REGEX MATCHALL "[^ \n]+\n" exported "${listed}\n")
list(TRANSFORM exported STRIP)
list(REMOVE_ITEM exported "")
list(TRANSFORM exported REPLACE "@.*" "")
list(SORT exported)

file(READ ${HEADER} text)
string(REGEX MATCHALL "MOSIM_API [^;(]*[ *]mosim_[a-z_]+\\(" declared "${text}")
list(TRANSFORM declared REPLACE ".*[ *](mosim_[a-z_]+)\\(" "\\1")
list(SORT declared)

list(LENGTH declared count)
if(count EQUAL 0 OR NOT "${declared}" STREQUAL "${exported}")
  message(FATAL_ERROR "declared: ${declared}\nexported: ${exported}")
endif()
