#define _GNU_SOURCE
#include "keys.h"

#include "common.h"
#include <poll.h>

static snd_rawmidi_t *keyboard;

void keyboard_open(const char *device) {
    int code = snd_rawmidi_open(NULL, &keyboard, device, 0);
    if (code < 0) die(device, code);
}

void keyboard_send(const unsigned char *bytes, size_t count) {
    ssize_t n = snd_rawmidi_write(keyboard, bytes, count);
    if (n < 0) die("writing MIDI", (int)n);
}

void press(int status, int first, int second) {
    unsigned char bytes[] = {status, first, second};
    keyboard_send(bytes, sizeof bytes);
}

void keyboard_drain(void) { snd_rawmidi_drain(keyboard); }

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

int witness_subscribe(Witness *w, const char *name) {
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

void witness_open(Witness *w) {
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

Reading witness_reading(Witness *w) {
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

Stamps witness_key(Witness *w, Reading earlier) {
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
