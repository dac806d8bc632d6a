# cmake -DOUT=file.cpp -DROOT=include -P EmbedHeaders.cmake: the headers that generated code needs, as text inside the library.
# A run then depends on no folder of the build or of an installation.
file(GLOB_RECURSE headers RELATIVE ${ROOT} ${ROOT}/conesweep/*/*.hpp)
list(FILTER headers EXCLUDE REGEX "^conesweep/statistics/[^m]")   # no part of a member's step, but for moments.hpp, by which tracks are summed where they are made
list(SORT headers)
set(text "// made by cmake/EmbedHeaders.cmake\n#include \"model/unit.hpp\"\n\nnamespace conesweep::model {\n\nconst std::map<std::string, std::string>& embedded_headers() {\n  static const std::map<std::string, std::string> all = {\n")
foreach(header ${headers})
  file(READ ${ROOT}/${header} content)
  string(APPEND text "{\"${header}\", R\"embedded(${content})embedded\"},\n")
endforeach()
foreach(header advance.cuh member_words.cuh sum_tracks.cuh wave.hpp)
  file(READ ${ROOT}/../kernels/${header} content)
  string(APPEND text "{\"conesweep/kernels/${header}\", R\"embedded(${content})embedded\"},\n")
endforeach()
string(APPEND text "  };\n  return all;\n}\n\n}  // namespace conesweep::model\n")
file(WRITE ${OUT} "${text}")
