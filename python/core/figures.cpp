#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "arrays.hpp"
#include "bindings.hpp"
#include "conesweep/studies.hpp"
#include "listening.hpp"

namespace conesweep::python {
namespace {

nb::tuple to_tuple(const FigureAxis& axis) {
  return nb::make_tuple(axis.label, axis.least, axis.most, axis.logarithmic, nb::tuple(nb::cast(axis.names)));
}

// in the order of what _figures.py makes of them
nb::tuple to_tuple(FigureMark mark) {
  return nb::make_tuple(mark.join, mark.style, mark.width, to_array(std::move(mark.x)), to_array(std::move(mark.y)));
}
nb::tuple to_tuple(Figure figure) {
  nb::list marks;
  for (FigureMark& mark : figure.marks) marks.append(to_tuple(std::move(mark)));
  const nb::tuple content = nb::make_tuple(figure.height, to_tuple(figure.x), to_tuple(figure.y), nb::tuple(marks),
                                           nb::tuple(nb::cast(figure.names)), to_tuple(figure.colours));
  return nb::make_tuple(figure.title, figure.note, figure.svg, figure.csv, content);
}

nb::list draw_figures(const std::string& folder, const std::string& panel, const FigureOptions& options) {
  Listening listening;
  nb::list all;
  for (Figure& figure : listening.wait_for([&] { return draw(folder, panel, options); }))
    all.append(to_tuple(std::move(figure)));
  return all;
}

}  // namespace

void bind_figures(nb::module_& module) {
  module.def("panels", &panels);
  module.def("draw", [](const std::string& folder, const std::string& panel, const std::string& x, const std::string& y,
                        const std::string& color, double width) {
    return draw_figures(folder, panel, {x, y, color, width});
  });
  module.def("report_head", [](const std::string& folder) {
    Listening listening;
    return listening.wait_for([&] { return make_report_head(folder); });
  });
  module.def("write_report", [](const std::vector<std::string>& folders, const std::string& file, bool force) {
    Listening listening;
    return listening.wait_for([&] { return write_report(folders, file, force); });
  });
  module.def("correlate", [](const std::string& folder) {
    Listening listening;
    return listening.wait_for([&] { return find_correlations(folder).json; });
  });
}

}  // namespace conesweep::python
