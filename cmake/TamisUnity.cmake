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

# tamis_unity(TARGET SOURCES...): groups the sources in their order, each into the first group that has
# room and that it can be beside. Sources with options of their own are left alone.
function(tamis_unity target)
  set(n_groups 0)
  foreach(source ${ARGN})
    tamis_words(${source} own all)
    foreach(number RANGE ${n_groups}) # the last one is new
      list(LENGTH sources_${number} size)
      tamis_are_apart(leaves_it_alone own all_${number})
      tamis_are_apart(is_left_alone own_${number} all)
      if(size LESS TAMIS_UNITY_SIZE AND leaves_it_alone AND is_left_alone)
        set(group ${number})
        break()
      endif()
    endforeach()
    list(APPEND sources_${group} ${source})
    list(APPEND own_${group} ${own})
    list(APPEND all_${group} ${all})
    if(group EQUAL n_groups)
      math(EXPR n_groups "${n_groups} + 1")
    endif()
    set_property(SOURCE ${source} PROPERTY UNITY_GROUP ${target}_${group})
  endforeach()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  # To the compiler a group is a file that includes sources, as if they were headers.
  target_compile_options(${target} PRIVATE -Wno-subobject-linkage)
  # Names may change with the sources.
  set_property(DIRECTORY ${PROJECT_SOURCE_DIR} APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${ARGN})
endfunction()
