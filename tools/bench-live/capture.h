// What the loopback card captures, as pairs of floats on CLOCK_MONOTONIC.
#ifndef MEASURE_CAPTURE_H
#define MEASURE_CAPTURE_H
#include <alsa/asoundlib.h>
#include <stdint.h>

typedef struct {
    snd_pcm_t *pcm;
    snd_pcm_format_t format;
    double rate;
    char *raw;
    float (*frames)[2]; // what the last read gave
    long count;         // its frames
    int64_t total;      // frames read since the start
} Capture;

// The other side of the cable decides the format, so the first that the card still offers is taken.
int capture_open(Capture *c, const char *device, unsigned rate);

// Takes what has come, up to a chunk: its frames, 0, or a negative error.
long capture_read(Capture *c);

// The time at which frame 0 would have been captured, by the stream's position now: late by up to 4 ms, never early.
int capture_origin(Capture *c, int64_t *origin);

#endif
