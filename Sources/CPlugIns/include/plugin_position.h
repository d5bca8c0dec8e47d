#ifndef CARILLON_PLUGIN_POSITION_H
#define CARILLON_PLUGIN_POSITION_H
#include <stdbool.h>
#include <stdint.h>

/// Where a song stands: what time:Position says to a plug-in.
typedef struct {
  /// Whether the music runs; if not, only the meter and the tempo are sent.
  bool is_running;
  /// Frames since the music began, and the number of the bar, from 0 on.
  int64_t frame, bar;
  /// Beats that have passed: of the bar, and of all bars.
  double bar_beat, beat;
  /// The meter: beats of a bar, and the part of a whole note that each is.
  int32_t beats, unit;
  /// Beats a minute, not quarter notes.
  double tempo;
} plugin_position;
#endif
