// The part of tools/bench-live that has to be quick: presses keys, listens to what comes out of the loopback card, and
// puts both on one time line, CLOCK_MONOTONIC.
//
//   measure latency CAPTURE RATE MIDI NOTES SEED   says "ready", waits for a line, plays; then a line per note: kernel's
//                                                  stamp in ns, microseconds to the onset from the
//                                                  first stamp and from the last
//   measure levels CAPTURE RATE                    a line per millisecond: ns, peak left, peak right; until killed
//   measure dense MIDI SECONDS SEED                twelve keys at a time, controllers and bends between them
//   measure hold PLAYBACK RATE                     takes the card as soon as it is there, and keeps it until killed
//
// A key goes through the raw MIDI port of snd-virmidi, as through a USB keyboard's. A sequencer port of our own is
// subscribed to the same source and gets every event with the kernel's time stamp. The kernel serves subscribers in their
// order and stamps for each, and whatever runs in between parts the stamps. So one port is subscribed before the program
// under test is, hence "ready", and one after it: the program's own stamp lies between these two. A queue's time steps at each tick of
// its timer by as much as the tick came late, up to 3 ms in an emulator; so this queue ticks ten times a second, and a
// stamp is turned into CLOCK_MONOTONIC by a reading from its own tick. The stream's time line comes from pairs of (frames captured, time stamp) in its status: snd-aloop advances at jiffies, 4 ms apart, so a pair is late by
// up to that much and never early, and the earliest pairs of each second are the line.
#include <alsa/asoundlib.h>
#include <errno.h>
#include <math.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { chunk = 4096, ticks = 10 };

static void die(const char *what, int code) {
    fprintf(stderr, "measure: %s: %s\n", what, snd_strerror(code));
    exit(70);
}

static int64_t now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000000000LL + t.tv_nsec;
}

static void sleep_until(int64_t time) {
    struct timespec t = {time / 1000000000, time % 1000000000};
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL) == EINTR) {}
}

// --- capture ----------------------------------------------------------------------------------------

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
static int capture_open(Capture *c, const char *device, unsigned rate) {
    static const snd_pcm_format_t formats[] = {
        SND_PCM_FORMAT_S16_LE, SND_PCM_FORMAT_S32_LE, SND_PCM_FORMAT_FLOAT_LE, SND_PCM_FORMAT_S24_LE};
    int code = snd_pcm_open(&c->pcm, device, SND_PCM_STREAM_CAPTURE, SND_PCM_NONBLOCK);
    if (code < 0) return code;
    snd_pcm_hw_params_t *hw;
    snd_pcm_hw_params_alloca(&hw);
    snd_pcm_uframes_t buffer = rate, period = rate / 20;
    int chosen = 0;
    for (; chosen < 4; chosen++) {
        snd_pcm_hw_params_any(c->pcm, hw);
        if (snd_pcm_hw_params_test_format(c->pcm, hw, formats[chosen]) == 0) break;
    }
    if (chosen == 4) code = -EINVAL;
    else c->format = formats[chosen];
    if (code >= 0) code = snd_pcm_hw_params_set_access(c->pcm, hw, SND_PCM_ACCESS_RW_INTERLEAVED);
    if (code >= 0) code = snd_pcm_hw_params_set_format(c->pcm, hw, c->format);
    if (code >= 0) code = snd_pcm_hw_params_set_channels(c->pcm, hw, 2);
    if (code >= 0) code = snd_pcm_hw_params_set_rate(c->pcm, hw, rate, 0);
    if (code >= 0) code = snd_pcm_hw_params_set_period_size_near(c->pcm, hw, &period, NULL);
    if (code >= 0) code = snd_pcm_hw_params_set_buffer_size_near(c->pcm, hw, &buffer);
    if (code >= 0) code = snd_pcm_hw_params(c->pcm, hw);
    snd_pcm_sw_params_t *sw;
    snd_pcm_sw_params_alloca(&sw);
    if (code >= 0) code = snd_pcm_sw_params_current(c->pcm, sw);
    if (code >= 0) code = snd_pcm_sw_params_set_tstamp_mode(c->pcm, sw, SND_PCM_TSTAMP_ENABLE);
    if (code >= 0) code = snd_pcm_sw_params_set_tstamp_type(c->pcm, sw, SND_PCM_TSTAMP_TYPE_MONOTONIC);
    if (code >= 0) code = snd_pcm_sw_params(c->pcm, sw);
    if (code >= 0) code = snd_pcm_start(c->pcm);
    if (code < 0) {
        snd_pcm_close(c->pcm);
        return code;
    }
    c->rate = rate;
    c->total = 0;
    if (!c->raw) c->raw = malloc(chunk * 8);
    if (!c->frames) c->frames = malloc(chunk * sizeof *c->frames);
    return 0;
}

// Takes what has come, up to a chunk: its frames, 0, or a negative error.
static long capture_read(Capture *c) {
    long n = snd_pcm_readi(c->pcm, c->raw, chunk);
    if (n == -EAGAIN) n = 0;
    if (n <= 0) return c->count = n;
    for (long i = 0; i < n; i++)
        for (int k = 0; k < 2; k++) {
            float *x = &c->frames[i][k];
            if (c->format == SND_PCM_FORMAT_S16_LE) *x = ((int16_t *)c->raw)[2 * i + k] / 32768.f;
            else if (c->format == SND_PCM_FORMAT_S32_LE) *x = ((int32_t *)c->raw)[2 * i + k] / 2147483648.f;
            else if (c->format == SND_PCM_FORMAT_S24_LE) *x = (((int32_t *)c->raw)[2 * i + k] << 8) / 2147483648.f;
            else *x = ((float *)c->raw)[2 * i + k];
        }
    c->total += n;
    return c->count = n;
}

// The time at which frame 0 would have been captured, by the stream's position now: late by up to 4 ms, never early.
static int capture_origin(Capture *c, int64_t *origin) {
    snd_pcm_status_t *status;
    snd_pcm_status_alloca(&status);
    int code = snd_pcm_status(c->pcm, status);
    if (code < 0) return code;
    snd_htimestamp_t t;
    snd_pcm_status_get_htstamp(status, &t);
    if (t.tv_sec == 0 && t.tv_nsec == 0) return -EAGAIN; // the card has not moved yet
    int64_t position = c->total + (int64_t)snd_pcm_status_get_avail(status);
    *origin = t.tv_sec * 1000000000LL + t.tv_nsec - llround(position * 1e9 / c->rate);
    return 0;
}

// --- keys -------------------------------------------------------------------------------------------

static snd_rawmidi_t *keyboard;

static void keyboard_open(const char *device) {
    int code = snd_rawmidi_open(NULL, &keyboard, device, 0);
    if (code < 0) die(device, code);
}

static void press(int status, int first, int second) {
    unsigned char bytes[] = {status, first, second};
    ssize_t n = snd_rawmidi_write(keyboard, bytes, sizeof bytes);
    if (n < 0) die("writing MIDI", (int)n);
}

// A sequencer port that gets what the keyboard sends, stamped by a queue in real time.
typedef struct {
    snd_seq_t *seq;
    int first, last; // ports: subscribed before the program under test, and after it
    int queue;
} Witness;

// The sequencer port of the raw MIDI device opened above.
static snd_seq_addr_t keyboard_address(snd_seq_t *seq) {
    snd_rawmidi_info_t *device;
    snd_rawmidi_info_alloca(&device);
    snd_rawmidi_info(keyboard, device);
    int card = snd_rawmidi_info_get_card(device), number = snd_rawmidi_info_get_device(device);
    snd_seq_client_info_t *client;
    snd_seq_client_info_alloca(&client);
    snd_seq_client_info_set_client(client, -1);
    while (snd_seq_query_next_client(seq, client) >= 0)
        if (snd_seq_client_info_get_card(client) == card && number-- == 0)
            return (snd_seq_addr_t){snd_seq_client_info_get_client(client), 0};
    die("no sequencer port of the raw MIDI port", -ENOENT);
    return (snd_seq_addr_t){0, 0};
}

static int witness_subscribe(Witness *w, const char *name) {
    int port = snd_seq_create_simple_port(w->seq, name, SND_SEQ_PORT_CAP_WRITE, SND_SEQ_PORT_TYPE_APPLICATION);
    snd_seq_port_subscribe_t *subscription;
    snd_seq_port_subscribe_alloca(&subscription);
    snd_seq_addr_t sender = keyboard_address(w->seq), self = {snd_seq_client_id(w->seq), port};
    snd_seq_port_subscribe_set_sender(subscription, &sender);
    snd_seq_port_subscribe_set_dest(subscription, &self);
    snd_seq_port_subscribe_set_queue(subscription, w->queue);
    snd_seq_port_subscribe_set_time_update(subscription, 1);
    snd_seq_port_subscribe_set_time_real(subscription, 1);
    int code = port < 0 ? port : snd_seq_subscribe_port(w->seq, subscription);
    if (code < 0) die("subscribing to the keyboard", code);
    return port;
}

static void witness_open(Witness *w) {
    int code = snd_seq_open(&w->seq, "default", SND_SEQ_OPEN_DUPLEX, 0);
    if (code < 0) die("opening the sequencer", code);
    snd_seq_set_client_name(w->seq, "measure");
    w->queue = snd_seq_alloc_queue(w->seq);
    snd_seq_queue_timer_t *timer;
    snd_seq_queue_timer_alloca(&timer);
    code = snd_seq_get_queue_timer(w->seq, w->queue, timer);
    snd_seq_queue_timer_set_resolution(timer, ticks);
    if (code >= 0) code = snd_seq_set_queue_timer(w->seq, w->queue, timer);
    if (code < 0) die("slowing the queue down", code);
    snd_seq_start_queue(w->seq, w->queue, NULL);
    snd_seq_drain_output(w->seq);
    w->first = witness_subscribe(w, "first");
}

// What the queue's time was, and by how much CLOCK_MONOTONIC was ahead of it: the narrowest of five readings.
typedef struct {
    int64_t queue, ahead;
} Reading;

static Reading witness_reading(Witness *w) {
    Reading best = {0, 0};
    int64_t narrowest = INT64_MAX;
    snd_seq_queue_status_t *status;
    snd_seq_queue_status_alloca(&status);
    for (int i = 0; i < 5; i++) {
        int64_t before = now();
        snd_seq_get_queue_status(w->seq, w->queue, status);
        int64_t after = now();
        if (after - before >= narrowest) continue;
        const snd_seq_real_time_t *t = snd_seq_queue_status_get_real_time(status);
        narrowest = after - before;
        best.queue = t->tv_sec * 1000000000LL + t->tv_nsec;
        best.ahead = (before + after) / 2 - best.queue;
    }
    return best;
}

typedef struct {
    int64_t first, last;
} Stamps;

// Waits for the next key that goes down, of which `earlier` is a reading from before: its kernel stamps on
// CLOCK_MONOTONIC, or 0 when they did not come within a second.
static Stamps witness_key(Witness *w, Reading earlier) {
    int64_t deadline = now() + 1000000000;
    struct pollfd fd;
    snd_seq_poll_descriptors(w->seq, &fd, 1, POLLIN);
    Stamps stamps = {0, 0};
    while (now() < deadline && (stamps.first == 0 || stamps.last == 0)) {
        if (snd_seq_event_input_pending(w->seq, 1) == 0) {
            poll(&fd, 1, 100);
            continue;
        }
        snd_seq_event_t *event;
        if (snd_seq_event_input(w->seq, &event) < 0 || event->type != SND_SEQ_EVENT_NOTEON) continue;
        int64_t stamp = event->time.time.tv_sec * 1000000000LL + event->time.time.tv_nsec;
        Reading later = witness_reading(w);
        int64_t tick = later.queue / (1000000000 / ticks) * (1000000000 / ticks);
        stamp += stamp >= tick ? later.ahead : earlier.ahead;
        if (event->dest.port == w->first) stamps.first = stamp;
        else stamps.last = stamp;
    }
    return stamps;
}

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

static int latency(const char *device, unsigned rate, const char *midi, int notes, unsigned seed) {
    keyboard_open(midi);
    Witness witness;
    witness_open(&witness);
    puts("ready");
    fflush(stdout);
    if (getchar() == EOF) return 1;
    witness.last = witness_subscribe(&witness, "last");
    int code = capture_open(&capture, device, rate);
    if (code < 0) die(device, code);
    capacity = (int64_t)rate * (10 + notes / 4);
    recording = calloc(capacity, sizeof *recording);
    origins = calloc(capacity / rate + 2, sizeof *origins);
    pthread_t thread;
    pthread_create(&thread, NULL, record, NULL);
    Stamps *stamps = calloc(notes, sizeof *stamps);
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
        sleep_until(now() + 40000000);
        press(0x80, 60, 0);
        next += 120000000 + rand() % 20000 * 1000LL;
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
        if (loudest < 0.001f || at == last || at == first) printf("%lld missing\n", (long long)stamp);
        else printf("%lld %.0f %.0f\n", (long long)stamp, (at - frame) * 1e6 / rate, (at - frame) * 1e6 / rate - parted);
    }
    return 0;
}

// --- levels and dense playing -----------------------------------------------------------------------

static void say_nothing(const char *file, int line, const char *function, int code, const char *format, ...) {
    (void)file, (void)line, (void)function, (void)code, (void)format;
}

static int levels(const char *device, unsigned rate) {
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
    snd_rawmidi_drain(keyboard);
    return 0;
}

// Tries far more often than anybody who is polite.
static int hold(const char *device, unsigned rate) {
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

int main(int count, char **a) {
    if (count == 7 && !strcmp(a[1], "latency")) return latency(a[2], atoi(a[3]), a[4], atoi(a[5]), atoi(a[6]));
    if (count == 4 && !strcmp(a[1], "levels")) return levels(a[2], atoi(a[3]));
    if (count == 5 && !strcmp(a[1], "dense")) return dense(a[2], atof(a[3]), atoi(a[4]));
    if (count == 4 && !strcmp(a[1], "hold")) return hold(a[2], atoi(a[3]));
    fputs("usage: measure latency CAPTURE RATE MIDI NOTES SEED | levels CAPTURE RATE | dense MIDI SECONDS SEED |\n"
          "       hold PLAYBACK RATE\n", stderr);
    return 64;
}
