// A follower of MIDI's clock: what reaches it, with the moment at which it did.
#ifndef MEASURE_BEAT_H
#define MEASURE_BEAT_H
#include <stdint.h>

// Makes the sequencer port "measure:beat" and writes down what comes, on a thread that nothing comes before.
void beat_follow(int most);

// What has come: the event's type, as ALSA numbers them, its value, and CLOCK_MONOTONIC nanoseconds.
int beat_count(void);
int beat_type(int index);
int beat_value(int index);
int64_t beat_time(int index);

#endif
