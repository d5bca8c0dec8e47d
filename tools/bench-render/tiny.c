// TinySoundFont for tools/bench: the song's events, 64 frames at a time as its own example plays them, into a 16-bit WAV.
// Its two headers come from the source package `tinysoundfont` of PyPI when the bench runs; nothing of them is kept here.
//
// usage: bench-tiny SONG.mid SOUNDFONT OUT.wav RATE POLYPHONY
#define TSF_IMPLEMENTATION
#define TML_IMPLEMENTATION
#include "tsf.h"
#include "tml.h"
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { period = 64, block = 4096 };

static void die(const char *what) {
    fprintf(stderr, "bench-tiny: %s\n", what);
    exit(70);
}

static void play(tsf *synth, const tml_message *m) {
    switch (m->type) {
    case TML_PROGRAM_CHANGE: tsf_channel_set_presetnumber(synth, m->channel, m->program, m->channel == 9); break;
    case TML_NOTE_ON: tsf_channel_note_on(synth, m->channel, m->key, m->velocity / 127.0f); break;
    case TML_NOTE_OFF: tsf_channel_note_off(synth, m->channel, m->key); break;
    case TML_PITCH_BEND: tsf_channel_set_pitchwheel(synth, m->channel, m->pitch_bend); break;
    case TML_CONTROL_CHANGE: tsf_channel_midi_control(synth, m->channel, m->control, m->control_value); break;
    }
}

static void write_header(FILE *file, uint32_t rate, uint32_t frames) {
    struct { char riff[4]; uint32_t size; char wave[8]; uint32_t length; uint16_t pcm, channels; uint32_t rate, bytes;
        uint16_t frame, bits; char data[4]; uint32_t count; } header = {
        {'R', 'I', 'F', 'F'}, 36 + 4 * frames, {'W', 'A', 'V', 'E', 'f', 'm', 't', ' '}, 16, 1, 2, rate, 4 * rate, 4, 16,
        {'d', 'a', 't', 'a'}, 4 * frames};
    rewind(file);
    fwrite(&header, sizeof header, 1, file);
}

int main(int count, char **arguments) {
    if (count != 6) die("usage: bench-tiny SONG.mid SOUNDFONT OUT.wav RATE POLYPHONY");
    double rate = atof(arguments[4]);
    tsf *synth = tsf_load_filename(arguments[2]);
    if (!synth) die("no SoundFont");
    tsf_set_output(synth, TSF_STEREO_INTERLEAVED, (int)rate, -14);   // 0.2, as the others have it
    tsf_set_max_voices(synth, atoi(arguments[5]));
    for (int channel = 0; channel < 16; channel++) tsf_channel_set_presetnumber(synth, channel, 0, channel == 9);
    tml_message *song = tml_load_filename(arguments[1]);
    if (!song) die("no song");
    FILE *file = fopen(arguments[3], "wb");
    if (!file) die("no output");

    static short frames[2 * block];
    uint32_t now = 0;
    int filled = 0;
    write_header(file, (uint32_t)rate, 0);
    for (const tml_message *m = song; m || tsf_active_voice_count(synth) > 0;) {
        for (; m && m->time * rate <= now * 1000.0; m = m->next) play(synth, m);
        tsf_render_short(synth, frames + 2 * filled, period, 0);
        now += period;
        filled += period;
        if (filled == block) {
            fwrite(frames, 4, filled, file);
            filled = 0;
        }
    }
    fwrite(frames, 4, filled, file);
    write_header(file, (uint32_t)rate, now);
    if (fclose(file)) die("no output");
    return 0;
}
