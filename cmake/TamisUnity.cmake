# Several sources are compiled as one, so that what they include is read and instantiated once. Names
# in anonymous name spaces stay as short as they are: a source that mentions the name of something that
# another keeps to itself is not put beside it, and so means in a group what it means alone.
set(TAMIS_UNITY_SIZE 8) # sources at most: what is compiled again after one of them has changed

# tamis_code(TEXT VARIABLE): without comments, strings and what means something in lists.
function(tamis_code text variable)
  string(REGEX REPLACE "//[^\n]*" "" text "${text}")
  string(REGEX REPLACE "\"[^\"\n]*\"" "" text "${text}")
  string(REGEX REPLACE "[][;]" "@" text "${text}")
  set(${variable} "${text}" PARENT_SCOPE)
endfunction()

# tamis_words(SOURCE OWN ALL): the names that the source declares in anonymous name spaces, which are
# those at the beginning of a line, more rather than less; and all words in its code.
function(tamis_words source own all)
  file(READ ${source} text)
  tamis_code("${text}" code)
  string(REGEX MATCHALL "[A-Za-z_][A-Za-z0-9_]*" words "${code}")
  list(REMOVE_DUPLICATES words)
  set(${all} ${words} PARENT_SCOPE)
  set(${own} "" PARENT_SCOPE)

  string(FIND "${text}" "\nnamespace {\n" begin)
  string(FIND "${text}" "\n}  // namespace\n" end REVERSE)
  if(begin EQUAL -1 OR end EQUAL -1)
    return()
  endif()
  math(EXPR length "${end} - ${begin}")
  string(SUBSTRING "${text}" ${begin} ${length} text)
  tamis_code("${text}" code)
  string(REGEX MATCHALL "\n[A-Za-z_@][^\n=(]*[ *&>][A-Za-z0-9_]+[(]" functions "${code}")
  string(REGEX MATCHALL "\n(class|struct|enum class|using|concept) [A-Za-z0-9_]+" types "${code}")
  string(REGEX MATCHALL "\n(static |inline )?(const|constexpr|thread_local|std::) ?[^\n=({@]*[A-Za-z0-9_]"
         variables "${code}")
  set(names ${functions} ${types} ${variables})
  list(TRANSFORM names REPLACE "[^A-Za-z0-9_]+$" "")
  list(TRANSFORM names REPLACE "^.*[^A-Za-z0-9_]" "")
  list(REMOVE_DUPLICATES names)
  set(${own} ${names} PARENT_SCOPE)
endfunction()

# tamis_are_apart(VARIABLE NAMES WORDS): whether no name is among the words; both are names of lists.
function(tamis_are_apart variable names words)
  list(LENGTH ${words} before)
  list(REMOVE_ITEM ${words} ${${names}} "")
  list(LENGTH ${words} after)
  if(before EQUAL after)
    set(${variable} ON PARENT_SCOPE)
  else()
    set(${variable} OFF PARENT_SCOPE)
  endif()
endfunction()

# tamis_unity(TARGET SOURCES...): compiles sources of the target in groups, each a file that includes
# them. In their order, but those that read Boost first, so that few groups do, a source goes into the
# first group that has room and that it can be beside; those with options of their own are left alone.
# Groups name sources as seen from the project's folder, so that the compiler's cache serves other
# clones too.
function(tamis_unity target)
  set(first "")
  foreach(source ${ARGN})
    file(STRINGS ${source} large REGEX "^#include <boost/")
    if(large)
      list(APPEND first ${source})
    endif()
  endforeach()
  set(sources ${first} ${ARGN})
  list(REMOVE_DUPLICATES sources)

  set(n_groups 0)
  foreach(source ${sources})
    get_source_file_property(options ${source} COMPILE_OPTIONS)
    if(options)
      continue()
    endif()
    tamis_words(${source} own all)
    foreach(number RANGE ${n_groups}) # the last one is new
      list(LENGTH lines_${number} size)
      tamis_are_apart(leaves_it_alone own all_${number})
      tamis_are_apart(is_left_alone own_${number} all)
      if(size LESS TAMIS_UNITY_SIZE AND leaves_it_alone AND is_left_alone)
        set(group ${number})
        break()
      endif()
    endforeach()
    file(RELATIVE_PATH name ${PROJECT_SOURCE_DIR} ${source})
    list(APPEND lines_${group} "#include \"${name}\"\n")
    list(APPEND own_${group} ${own})
    list(APPEND all_${group} ${all})
    if(group EQUAL n_groups)
      math(EXPR n_groups "${n_groups} + 1")
    endif()
    set_source_files_properties(${source} PROPERTIES HEADER_FILE_ONLY ON)
  endforeach()

  foreach(number RANGE ${n_groups}) # the last one is empty
    if(lines_${number})
      set(group ${PROJECT_BINARY_DIR}/groups/${target}_${number}.cpp)
      string(CONCAT content ${lines_${number}})
      file(CONFIGURE OUTPUT ${group} CONTENT "${content}" @ONLY)
      target_sources(${target} PRIVATE ${group})
    endif()
  endforeach()
  target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR})
  # To the compiler a group is a file that includes sources, as if they were headers.
  target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>)
  # Names may change with the sources.
  set_property(DIRECTORY ${PROJECT_SOURCE_DIR} APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${ARGN})
endfunction()
