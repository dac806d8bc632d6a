#pragma once

#include <conesweep/statistics/moments.hpp>

// The border between libconesweep and the plugin that nvcc compiles: plain functions, plain memory of the host, no
// exceptions. Each function gives 0, or not 0 and the reason in `error`; then nothing of its output counts, and its
// input is as it was.

namespace conesweep::statistics {

struct PluginError {
  char text[512];
};

struct Plugin {
  int version;                                  // plugin_version of the text it was compiled from
  int (*open)(int device, PluginError* error);  // is there such a device, and does it start?
  int (*sort)(int device, const double* values, long count, double* sorted, PluginError* error);
  int (*sum_blocks)(int device, const double* values, const unsigned char* status, long count, double factor,
                    Moments* blocks, PluginError* error);
  int (*sum_tracks)(int device, const double* values, long members, const long* rows, long count, long times,
                    long before, double* mean, double* squares, PluginError* error);
  int (*track_quantiles)(int device, const double* values, long members, const long* rows, long count, long times,
                         const double* levels, long level_count, double* quantiles, PluginError* error);
};
inline constexpr int plugin_version = 2;  // raise it with every change of this file or of Moments

/// The one name that the plugin shows.
inline constexpr char plugin_entry[] = "conesweep_statistics_plugin";
using PluginEntry = const Plugin* (*)();

}  // namespace conesweep::statistics
