// The part of tools/bench-live that has to be quick: presses keys, listens to what comes out of the loopback card, and
// puts both on one time line, CLOCK_MONOTONIC.
//
//   measure latency CAPTURE RATE MIDI NOTES SEED [HELD APART]   keys held for so many milliseconds, so far apart (40, 120); says "ready", waits for a line, plays; then a line per note: kernel's
//                                                  stamp in ns, microseconds to the onset from the
//                                                  first stamp and from the last
//   measure levels CAPTURE RATE                    a line per millisecond: ns, peak left, peak right; until killed
//   measure beat CAPTURE RATE SECONDS            follows MIDI's clock on its port "measure:beat"; says "ready", waits for a line,
//                                                  listens; then a line for each message, "clock NS VALUE", and one for
//                                                  each click that was heard, "click NS"
//   measure dense MIDI SECONDS SEED                twelve tones at a time, controllers and bends between them
//   measure hold PLAYBACK RATE                     takes the card as soon as it is there, and keeps it until killed
//   measure stalls MICROSECONDS                    a line each time a processor stood still for longer: ns of its
//                                                  beginning and end; until killed
//
//   measure hog MILLISECONDS COUNT SEED            lets nobody run for so long, so often, each 100 to 200 ms after the last;
//                                                  a line for each: ns of its beginning and end
//   measure hog MILLISECONDS COUNT SEED MOST EACH  for so long up to MOST milliseconds, and so often, each about EACH after the
//                                                  last began; but not before who plays `first`
//
// A key goes through the raw MIDI port of snd-virmidi, as through a USB keyboard's. A sequencer port of our own is
// subscribed to the same source and gets every event with the kernel's time stamp. The kernel serves subscribers in their
// order and stamps for each, and whatever runs in between parts the stamps. So one port is subscribed before the program
// under test is, hence "ready", and one after it: the program's own stamp lies between these two. A queue's time steps at each tick of
// its timer by as much as the tick came late, up to 3 ms in an emulator; so this queue ticks ten times a second, and a
// stamp is turned into CLOCK_MONOTONIC by a reading from its own tick. The stream's time line comes from pairs of (frames captured, time stamp) in its status: snd-aloop advances at jiffies, 4 ms apart, so a pair is late by
// up to that much and never early, and the earliest pairs of each second are the line.
#define _GNU_SOURCE
#include "beat.h"
#include "capture.h"
#include "common.h"
#include "keys.h"

#include <math.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// --- latency ----------------------------------------------------------------------------------------

static Capture capture;
static float *recording; // the louder of both channels
static int64_t *origins; // the earliest origin of each second of sound
static int64_t capacity;
static atomic_bool done;

static void *record(void *unused) {
    (void)unused;
    while (!atomic_load(&done)) {
        long n = capture_read(&capture);
        if (n < 0) die("capturing", (int)n);
        int64_t first = capture.total - n, origin;
        if (capture.total > capacity) die("recording", -ENOSPC);
        for (long i = 0; i < n; i++)
            recording[first + i] = fmaxf(fabsf(capture.frames[i][0]), fabsf(capture.frames[i][1]));
        if (capture_origin(&capture, &origin) == 0) {
            int64_t *second = &origins[(int64_t)(capture.total / capture.rate)];
            if (*second == 0 || origin < *second) *second = origin;
        }
        sleep_until(now() + 17300000); // no multiple of a jiffy, so that some pair comes right after one
    }
    return NULL;
}

// A second's origin may have missed its jiffy; that of its neighbours counts as well.
static int64_t origin_at(int64_t second) {
    int64_t best = INT64_MAX;
    for (int64_t i = second > 1 ? second - 1 : 1; i <= second + 1; i++)
        if (origins[i] && origins[i] < best) best = origins[i];
    return best;
}

// Comes before all others, but for so many ranks.
static void come_first(int ranks) {
    struct sched_param first = {sched_get_priority_max(SCHED_FIFO) - ranks};
    int code = pthread_setschedparam(pthread_self(), SCHED_FIFO, &first);
    if (code) die("real-time priority", -code);
}

static int latency(const char *device, unsigned rate, const char *midi, int notes, unsigned seed, int held, int apart, bool comesFirst) {
    keyboard_open(midi);
    Witness witness;
    witness_open(&witness);
    puts("ready");
    fflush(stdout);
    if (getchar() == EOF) return 1;
    witness.last = witness_subscribe(&witness, "last");
    int code = capture_open(&capture, device, rate);
    if (code < 0) die(device, code);
    capacity = (int64_t)rate * (10 + (int64_t)notes * (apart + 130) / 1000);
    recording = calloc(capacity, sizeof *recording);
    origins = calloc(capacity / rate + 2, sizeof *origins);
    pthread_t thread;
    pthread_create(&thread, NULL, record, NULL);
    Stamps *stamps = calloc(notes, sizeof *stamps);
    // Who plays is no part of the machine that is held up.
    if (comesFirst) come_first(0);
    int64_t next = now() + 2000000000;
    srand(seed);
    for (int i = 0; i < notes; i++) {
        sleep_until(next);
        // Away from the ticks: a stamp from where the queue runs on before a late tick would be taken for one after it.
        Reading earlier = witness_reading(&witness);
        int64_t phase = earlier.queue % (1000000000 / ticks);
        if (phase < 10000000 || phase > 90000000) {
            sleep_until(now() + 25000000);
            earlier = witness_reading(&witness);
        }
        press(0x90, 60, 127);
        stamps[i] = witness_key(&witness, earlier);
        sleep_until(now() + held * 1000000LL);
        press(0x80, 60, 0);
        next += apart * 1000000LL + rand() % 20000 * 1000LL;
    }
    sleep_until(now() + 1500000000);
    atomic_store(&done, true);
    pthread_join(thread, NULL);

    float loudest = 0;
    for (int64_t i = 0; i < capture.total; i++) loudest = fmaxf(loudest, recording[i]);
    int64_t lowest = INT64_MAX, highest = 0;
    for (int64_t s = 2; s < capture.total / rate; s++) {
        int64_t origin = origin_at(s);
        lowest = origin < lowest ? origin : lowest;
        highest = origin > highest ? origin : highest;
    }
    printf("# peak %.4f, time line within %.3f ms, %d notes\n", loudest, (highest - lowest) / 1e6, notes);
    for (int i = 0; i < notes; i++) {
        int64_t stamp = stamps[i].first, origin = origin_at((stamp - origin_at(2)) / 1000000000);
        double frame = (stamp - origin) * rate / 1e9, parted = (stamps[i].last - stamp) / 1e3;
        int64_t first = (int64_t)frame, at = first, last = first + rate / 9;
        if (first < 0 || last > capture.total || stamps[i].last == 0) last = at;
        while (at < last && recording[at] < loudest * 0.05f) at++;
        // Sound where the key went down is the tail of an earlier note: no measurement.
        if (loudest < 0.001f || at == last || at == first) {
            // And the loudest of every 10 ms since.
            printf("%lld missing", (long long)stamp);
            for (int64_t from = first; from >= 0 && from < first + rate / 4 && from + rate / 100 < capture.total; from += rate / 100) {
                float peak = 0;
                for (unsigned k = 0; k < rate / 100; k++) peak = fmaxf(peak, recording[from + k]);
                printf(" %.3f", peak / loudest);
            }
            puts("");
        }
        else printf("%lld %.0f %.0f\n", (long long)stamp, (at - frame) * 1e6 / rate, (at - frame) * 1e6 / rate - parted);
    }
    return 0;
}

// --- the beat ---------------------------------------------------------------------------------------

static int beat(const char *device, unsigned rate, int seconds) {
    beat_follow(100 * (seconds + 60));
    puts("ready");
    fflush(stdout);
    if (getchar() == EOF) return 1;
    int code = capture_open(&capture, device, rate);
    if (code < 0) die(device, code);
    capacity = (int64_t)rate * (seconds + 10);
    recording = calloc(capacity, sizeof *recording);
    origins = calloc(capacity / rate + 2, sizeof *origins);
    pthread_t thread;
    pthread_create(&thread, NULL, record, NULL);
    sleep_until(now() + seconds * 1000000000LL);
    atomic_store(&done, true);
    pthread_join(thread, NULL);
    float loudest = 0;
    for (int64_t i = 0; i < capture.total; i++) loudest = fmaxf(loudest, recording[i]);
    for (int i = 0; i < beat_count(); i++) {
        int type = beat_type(i);
        const char *name = type == SND_SEQ_EVENT_CLOCK ? "clock" : type == SND_SEQ_EVENT_START ? "start"
            : type == SND_SEQ_EVENT_SONGPOS ? "position" : type == SND_SEQ_EVENT_STOP ? "stop" : type == SND_SEQ_EVENT_CONTINUE ? "continue" : "other";
        printf("%s %lld %d\n", name, (long long)beat_time(i), beat_value(i));
    }
    // A click begins where a tenth of a second was quiet.
    int64_t quiet = 0;
    for (int64_t i = 0; i < capture.total; i++) {
        if (recording[i] < loudest * 0.05f) {
            quiet++;
            continue;
        }
        if (quiet > rate / 10 && i > 2 * rate) printf("click %lld 0\n", (long long)(origin_at(i / rate) + llround(i * 1e9 / rate)));
        quiet = 0;
    }
    return 0;
}

// --- levels and dense playing -----------------------------------------------------------------------

static void say_nothing(const char *file, int line, const char *function, int code, const char *format, ...) {
    (void)file, (void)line, (void)function, (void)code, (void)format;
}

static _Noreturn void levels(const char *device, unsigned rate) {
    // The card may go and come back.
    snd_lib_error_set_handler(say_nothing);
    for (;;) {
        if (capture_open(&capture, device, rate) < 0) {
            sleep_until(now() + 10000000);
            continue;
        }
        int64_t origin = INT64_MAX, other, begin = now();
        float peak[2] = {0, 0};
        long filled = 0, step = rate / 1000;
        while (capture_read(&capture) >= 0) {
            if (capture_origin(&capture, &other) == 0 && other < origin) origin = other;
            // The line settles first; what came meanwhile is left out.
            for (long i = 0; i < capture.count; i++) {
                for (int k = 0; k < 2; k++) peak[k] = fmaxf(peak[k], fabsf(capture.frames[i][k]));
                if (++filled < step) continue;
                int64_t time = origin + llround((capture.total - capture.count + i + 1) * 1e9 / rate);
                if (now() - begin > 100000000) printf("%lld %.4f %.4f\n", (long long)time, peak[0], peak[1]);
                peak[0] = peak[1] = filled = 0;
            }
            fflush(stdout);
            sleep_until(now() + 9300000);
        }
        snd_pcm_close(capture.pcm);
    }
}

static int dense(const char *midi, double seconds, unsigned seed) {
    keyboard_open(midi);
    srand(seed);
    int held[12] = {0}, turn = 0;
    for (int channel = 0; channel < 4; channel++) {
        unsigned char tone[] = {0xC0 | channel, 1};
        keyboard_send(tone, 2);
    }
    int64_t next = now(), end = next + llround(seconds * 1e9);
    while (next < end) {
        int voice = turn % 12, channel = voice % 4;
        if (held[voice]) press(0x80 | channel, held[voice], 64);
        held[voice] = 36 + rand() % 60;
        press(0x90 | channel, held[voice], 40 + rand() % 80);
        press(0xB0 | channel, 1, rand() % 128);
        press(0xE0 | channel, rand() % 128, 56 + rand() % 16);
        turn++;
        next += 40000000 + rand() % 20000 * 1000LL;
        sleep_until(next);
    }
    for (int voice = 0; voice < 12; voice++)
        if (held[voice]) press(0x80 | voice % 4, held[voice], 64);
    keyboard_drain();
    return 0;
}

// Tries far more often than anybody who is polite.
static _Noreturn void hold(const char *device, unsigned rate) {
    snd_lib_error_set_handler(say_nothing);
    // Not the card that is still there.
    while (snd_card_get_index("Loopback") >= 0) sleep_until(now() + 1000000);
    snd_pcm_t *pcm;
    for (;;) {
        while (snd_pcm_open(&pcm, device, SND_PCM_STREAM_PLAYBACK, SND_PCM_NONBLOCK) < 0) sleep_until(now() + 500000);
        if (snd_pcm_set_params(pcm, SND_PCM_FORMAT_S16_LE, SND_PCM_ACCESS_RW_INTERLEAVED, 2, rate, 0, 500000) == 0) break;
        snd_pcm_close(pcm);
    }
    puts("held");
    fflush(stdout);
    for (;;) sleep_until(now() + 1000000000);
}

// A thread that nothing in this machine comes before, on each processor: when even that one is late, the machine was not
// running, or its kernel let nobody run.
static int64_t tolerance;

static void *watch(void *processor) {
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET((int)(intptr_t)processor, &set);
    pthread_setaffinity_np(pthread_self(), sizeof set, &set);
    struct sched_param first = {sched_get_priority_max(SCHED_FIFO)};
    int code = pthread_setschedparam(pthread_self(), SCHED_FIFO, &first);
    if (code) die("real-time priority", -code);
    for (int64_t next = now();;) {
        next += 2000000;
        sleep_until(next);
        int64_t awake = now();
        if (awake - next > tolerance) {
            printf("%lld %lld\n", (long long)next, (long long)awake);
            fflush(stdout);
            next = awake;
        }
    }
    return NULL;
}

static int stalls(int64_t microseconds) {
    tolerance = microseconds * 1000;
    pthread_t thread;
    for (intptr_t i = sysconf(_SC_NPROCESSORS_ONLN) - 1; i >= 0; i--) pthread_create(&thread, NULL, watch, (void *)i);
    pthread_join(thread, NULL);
    return 0;
}

static int hog(int64_t milliseconds, int count, unsigned seed, int64_t most, int64_t each) {
    come_first(each ? 1 : 0);
    srand(seed);
    int64_t next = now();
    for (; count > 0; count--) {
        int64_t pause = rand() % 100000 * 1000LL, length = (milliseconds * 1000 + rand() % ((most - milliseconds) * 1000 + 1)) * 1000;
        next += each * 1000000;
        sleep_until(each ? next + pause - 50000000 : now() + 100000000 + pause);
        int64_t start = now(), end = start + length;
        while (now() < end) {}
        printf("%lld %lld\n", (long long)start, (long long)now());
        fflush(stdout);
    }
    return 0;
}

int main(int count, char **a) {
    if (count == 7 && !strcmp(a[1], "latency")) return latency(a[2], atoi(a[3]), a[4], atoi(a[5]), atoi(a[6]), 40, 120, false);
    if (count == 9 && !strcmp(a[1], "latency"))
        return latency(a[2], atoi(a[3]), a[4], atoi(a[5]), atoi(a[6]), atoi(a[7]), atoi(a[8]), false);
    if (count == 10 && !strcmp(a[1], "latency") && !strcmp(a[9], "first"))
        return latency(a[2], atoi(a[3]), a[4], atoi(a[5]), atoi(a[6]), atoi(a[7]), atoi(a[8]), true);
    if (count == 5 && !strcmp(a[1], "beat")) return beat(a[2], atoi(a[3]), atoi(a[4]));
    if (count == 4 && !strcmp(a[1], "levels")) levels(a[2], atoi(a[3]));
    if (count == 5 && !strcmp(a[1], "dense")) return dense(a[2], atof(a[3]), atoi(a[4]));
    if (count == 4 && !strcmp(a[1], "hold")) hold(a[2], atoi(a[3]));
    if (count == 3 && !strcmp(a[1], "stalls")) return stalls(atoll(a[2]));
    if (count == 5 && !strcmp(a[1], "hog")) return hog(atoll(a[2]), atoi(a[3]), atoi(a[4]), atoll(a[2]), 0);
    if (count == 7 && !strcmp(a[1], "hog")) return hog(atoll(a[2]), atoi(a[3]), atoi(a[4]), atoll(a[5]), atoll(a[6]));
    fputs("usage: measure latency CAPTURE RATE MIDI NOTES SEED [HELD APART [first]] | levels CAPTURE RATE | beat CAPTURE RATE SECONDS |\n       dense MIDI SECONDS SEED |\n"
          "       hold PLAYBACK RATE | stalls MICROSECONDS | hog MILLISECONDS COUNT SEED [MOST EACH]\n", stderr);
    return 64;
}
