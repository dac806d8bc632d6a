# cmake -DOUT=file.cpp -DROOT=samples -P EmbedSamples.cmake: the samples and their published hashes as text inside the library, for `selftest`: an
# installed program checks itself without looking for files.
file(GLOB samples RELATIVE ${ROOT} ${ROOT}/*.toml)
list(SORT samples)
set(text "// made by cmake/EmbedSamples.cmake\n#include \"selftest/embedded.hpp\"\n\nnamespace conesweep::selftest {\n\nconst std::map<std::string, std::string>& embedded_samples() {\n  static const std::map<std::string, std::string> all = {\n")
foreach(sample ${samples})
  file(READ ${ROOT}/${sample} content)
  get_filename_component(name ${sample} NAME_WE)
  string(APPEND text "{\"${name}\", R\"embedded(${content})embedded\"},\n")
endforeach()
set(content "")
if(EXISTS ${ROOT}/hashes.txt)   # a new sample's hash is made by a program that has the sample and no hash yet
  file(READ ${ROOT}/hashes.txt content)
endif()
string(APPEND text "  };\n  return all;\n}\n\nconst std::string& embedded_hashes() {\n  static const std::string text = R\"embedded(${content})embedded\";\n  return text;\n}\n\n}  // namespace conesweep::selftest\n")
file(WRITE ${OUT} "${text}")
