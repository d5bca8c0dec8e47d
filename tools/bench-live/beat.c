#define _GNU_SOURCE
#include "beat.h"

#include "common.h"
#include <alsa/asoundlib.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

typedef struct {
    int type, value;
    int64_t time;
} Beat;

static snd_seq_t *seq;
static Beat *beats;
static int capacity;
static atomic_int count;

static void *listen(void *unused) {
    (void)unused;
    struct sched_param first = {sched_get_priority_max(SCHED_FIFO)};
    int code = pthread_setschedparam(pthread_self(), SCHED_FIFO, &first);
    if (code) die("real-time priority", -code);
    for (;;) {
        snd_seq_event_t *event;
        if (snd_seq_event_input(seq, &event) < 0) continue;
        int64_t time = now();
        int place = atomic_load(&count);
        if (place == capacity) die("more beats than there is room for", -ENOSPC);
        beats[place] = (Beat){event->type, event->data.control.value, time};
        atomic_store(&count, place + 1);
    }
}

void beat_follow(int most) {
    beats = calloc(capacity = most, sizeof *beats);
    int code = snd_seq_open(&seq, "default", SND_SEQ_OPEN_INPUT, 0);
    if (code < 0) die("opening the sequencer", code);
    snd_seq_set_client_name(seq, "measure");
    code = snd_seq_create_simple_port(seq, "beat", SND_SEQ_PORT_CAP_WRITE | SND_SEQ_PORT_CAP_SUBS_WRITE,
                                      SND_SEQ_PORT_TYPE_APPLICATION);
    if (code < 0) die("making a port for the clock", code);
    pthread_t thread;
    pthread_create(&thread, NULL, listen, NULL);
}

int beat_count(void) { return atomic_load(&count); }
int beat_type(int index) { return beats[index].type; }
int beat_value(int index) { return beats[index].value; }
int64_t beat_time(int index) { return beats[index].time; }
