// The keyboard that is played, and the kernel's stamps of its keys.
#ifndef MEASURE_KEYS_H
#define MEASURE_KEYS_H
#include <alsa/asoundlib.h>
#include <stdint.h>

enum { ticks = 10 }; // of the queue in a second

// A sequencer port that gets what the keyboard sends, stamped by a queue in real time.
typedef struct {
    snd_seq_t *seq;
    int first, last; // ports: subscribed before the program under test, and after it
    int queue;
} Witness;

// What the queue's time was, and by how much CLOCK_MONOTONIC was ahead of it: the narrowest of five readings.
typedef struct {
    int64_t queue, ahead;
} Reading;

typedef struct {
    int64_t first, last;
} Stamps;

void keyboard_open(const char *device);
void keyboard_send(const unsigned char *bytes, size_t count);
void press(int status, int first, int second);
void keyboard_drain(void);

void witness_open(Witness *w);
int witness_subscribe(Witness *w, const char *name);
Reading witness_reading(Witness *w);
// Waits for the next key that goes down, of which `earlier` is a reading from before: its kernel stamps on
// CLOCK_MONOTONIC, or 0 when they did not come within a second.
Stamps witness_key(Witness *w, Reading earlier);

#endif
