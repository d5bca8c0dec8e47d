// Bare libfluidsynth for tools/bench: the song's events at their frames, 64 frames at a time, into a 16-bit WAV.
// What it takes is the floor under every program that plays through libfluidsynth.
//
// usage: bench-bare SONG.mid SOUNDFONT OUT.wav RATE POLYPHONY effects|dry
#include <fluidsynth.h>
#include <math.h>
#include <smf.h>
#include <sndfile.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { period = 64, block = 4096 };

static void die(const char *what) {
    fprintf(stderr, "bench-bare: %s\n", what);
    exit(70);
}

static void play(fluid_synth_t *synth, const smf_event_t *event) {
    const unsigned char *m = event->midi_buffer;
    int channel = m[0] & 15;
    switch (m[0] & 0xF0) {
    case 0x80: fluid_synth_noteoff(synth, channel, m[1]); break;
    case 0x90: fluid_synth_noteon(synth, channel, m[1], m[2]); break;
    case 0xA0: fluid_synth_key_pressure(synth, channel, m[1], m[2]); break;
    case 0xB0: fluid_synth_cc(synth, channel, m[1], m[2]); break;
    case 0xC0: fluid_synth_program_change(synth, channel, m[1]); break;
    case 0xD0: fluid_synth_channel_pressure(synth, channel, m[1]); break;
    case 0xE0: fluid_synth_pitch_bend(synth, channel, m[1] | m[2] << 7); break;
    }
}

int main(int count, char **arguments) {
    if (count != 7) die("usage: bench-bare SONG.mid SOUNDFONT OUT.wav RATE POLYPHONY effects|dry");
    double rate = atof(arguments[4]);
    int effects = strcmp(arguments[6], "effects") == 0;
    fluid_settings_t *settings = new_fluid_settings();
    fluid_settings_setnum(settings, "synth.sample-rate", rate);
    fluid_settings_setint(settings, "synth.polyphony", atoi(arguments[5]));
    fluid_settings_setint(settings, "synth.reverb.active", effects);
    fluid_settings_setint(settings, "synth.chorus.active", effects);
    fluid_settings_setint(settings, "synth.threadsafe-api", 0);
    fluid_settings_setint(settings, "synth.lock-memory", 0);
    fluid_synth_t *synth = new_fluid_synth(settings);
    if (!synth || fluid_synth_sfload(synth, arguments[2], 1) < 0) die("no SoundFont");
    fluid_synth_set_interp_method(synth, -1, FLUID_INTERP_4THORDER);

    smf_t *song = smf_load(arguments[1]);
    if (!song) die("no song");
    SF_INFO format = {.samplerate = (int)rate, .channels = 2, .format = SF_FORMAT_WAV | SF_FORMAT_PCM_16};
    SNDFILE *file = sf_open(arguments[3], SFM_WRITE, &format);
    if (!file) die("no output");

    static short frames[2 * block];
    int filled = 0, quiet = 0;
    long now = 0;
    smf_event_t *event = smf_get_next_event(song);
    // To the last event, then until no voice sounds; two seconds more at most with effects, as for a hall.
    while (event || (fluid_synth_get_active_voice_count(synth) > 0 || (effects && quiet < 2 * rate))) {
        if (!event && fluid_synth_get_active_voice_count(synth) == 0) quiet += period;
        while (event && lround(event->time_seconds * rate) <= now) {
            if (!smf_event_is_metadata(event) && event->midi_buffer[0] < 0xF0) play(synth, event);
            event = smf_get_next_event(song);
        }
        fluid_synth_write_s16(synth, period, frames + 2 * filled, 0, 2, frames + 2 * filled, 1, 2);
        now += period;
        filled += period;
        if (filled == block) {
            sf_writef_short(file, frames, filled);
            filled = 0;
        }
    }
    sf_writef_short(file, frames, filled);
    sf_close(file);
    delete_fluid_synth(synth);
    delete_fluid_settings(settings);
    return 0;
}
