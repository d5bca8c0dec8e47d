#ifndef FLUID_RENDER_H
#define FLUID_RENDER_H
#include <fluidsynth.h>
#include "realtime.h"

// FluidSynth carries no annotations of its own. With the settings of FluidSynthSettings these calls were measured
// instead: no allocation, no lock, no system call. The pragma is the trust, FluidSynthUnitTests and the sanitizer run
// are the check.
#define FLUID_TRUSTED(signature, body) RT_SAFE static inline signature { \
  _Pragma("clang diagnostic push") _Pragma("clang diagnostic ignored \"-Wfunction-effects\"") body; \
  _Pragma("clang diagnostic pop") }

/// Adds `frames` frames to the buffers: left and right of each group in turn; a null pointer drops that channel.
FLUID_TRUSTED(void fluid_render_process(fluid_synth_t *_Nonnull s, int frames, int count, float *_Nullable *_Nonnull out),
  fluid_synth_process(s, frames, 0, 0, count, out))
FLUID_TRUSTED(int fluid_render_voices(fluid_synth_t *_Nonnull s), return fluid_synth_get_active_voice_count(s))
FLUID_TRUSTED(void fluid_render_note_on(fluid_synth_t *_Nonnull s, int c, int key, int velocity),
  fluid_synth_noteon(s, c, key, velocity))
FLUID_TRUSTED(void fluid_render_note_off(fluid_synth_t *_Nonnull s, int c, int key), fluid_synth_noteoff(s, c, key))
FLUID_TRUSTED(void fluid_render_key_pressure(fluid_synth_t *_Nonnull s, int c, int key, int value),
  fluid_synth_key_pressure(s, c, key, value))
FLUID_TRUSTED(void fluid_render_channel_pressure(fluid_synth_t *_Nonnull s, int c, int value),
  fluid_synth_channel_pressure(s, c, value))
FLUID_TRUSTED(void fluid_render_control(fluid_synth_t *_Nonnull s, int c, int number, int value),
  fluid_synth_cc(s, c, number, value))
FLUID_TRUSTED(void fluid_render_bend(fluid_synth_t *_Nonnull s, int c, int value), fluid_synth_pitch_bend(s, c, value))
FLUID_TRUSTED(void fluid_render_bend_range(fluid_synth_t *_Nonnull s, int c, int semitones),
  fluid_synth_pitch_wheel_sens(s, c, semitones))
FLUID_TRUSTED(void fluid_render_select(fluid_synth_t *_Nonnull s, int c, int font, int bank, int program),
  fluid_synth_program_select(s, c, font, bank, program))
FLUID_TRUSTED(void fluid_render_sound_off(fluid_synth_t *_Nonnull s, int c), fluid_synth_all_sounds_off(s, c))
FLUID_TRUSTED(void fluid_render_generator(fluid_synth_t *_Nonnull s, int c, int generator, float value),
  fluid_synth_set_gen(s, c, generator, value))
FLUID_TRUSTED(void fluid_render_gain(fluid_synth_t *_Nonnull s, float gain), fluid_synth_set_gain(s, gain))

/// A voice that has sounded keeps its last level, and its next note glides from there. Lets `count` voices play at next
/// to no level, unheard, so that the next notes start as in a new synth. Everything must be off before. The tone is loud:
/// the library drops a voice that cannot be heard before it has moved its level.
FLUID_TRUSTED(void fluid_render_settle(fluid_synth_t *_Nonnull s, fluid_sample_t *_Nonnull tone, int count, int buses, float *_Nullable *_Nonnull out),
  float gain = fluid_synth_get_gain(s);
  fluid_synth_set_gain(s, 0);
  for (int i = 0; i < count; i++) {
    fluid_voice_t *voice = fluid_synth_alloc_voice(s, tone, 0, 60, 127);
    if (!voice) break;
    fluid_voice_gen_set(voice, GEN_SAMPLEMODE, 1);
    fluid_voice_gen_set(voice, GEN_PAN, -500);
    fluid_voice_gen_set(voice, GEN_CUSTOM_BALANCE, 960);
    fluid_synth_start_voice(s, voice);
  }
  fluid_synth_process(s, 128, 0, 0, buses, out);
  fluid_synth_all_sounds_off(s, 0);
  fluid_synth_process(s, 64, 0, 0, buses, out);
  fluid_synth_set_gain(s, gain))

/// Notes from now on are interpolated by another method.
FLUID_TRUSTED(void fluid_render_interpolation(fluid_synth_t *_Nonnull s, int method),
  fluid_synth_set_interp_method(s, -1, method))

/// Whether a voice is in its release: no key and no pedal holds it.
FLUID_TRUSTED(_Bool fluid_render_is_released(fluid_voice_t *_Nonnull v),
  return fluid_voice_is_playing(v) && !fluid_voice_is_on(v) && !fluid_voice_is_sustained(v) && !fluid_voice_is_sostenuto(v))

/// Marks half of the released voices to go, at least one: those struck most softly, and among those struck alike the
/// first in the library's order. The mark is a generator that means nothing, and counts the blocks of the fade. `room` is
/// for `size` voices and a null.
FLUID_TRUSTED(void fluid_render_shed(fluid_synth_t *_Nonnull s, fluid_voice_t *_Nullable *_Nonnull room, int size),
  int count[128] = {0};
  int released = 0;
  fluid_synth_get_voicelist(s, room, size, -1);
  for (int i = 0; i < size && room[i]; i++) {
    if (!fluid_render_is_released(room[i]) || fluid_voice_gen_get(room[i], GEN_UNUSED1) > 0) continue;
    count[fluid_voice_get_actual_velocity(room[i]) & 127]++;
    released++;
  }
  int left = (released + 1) / 2;
  for (int velocity = 0; velocity < 128 && left > 0; velocity++) {
    for (int i = 0; i < size && room[i] && count[velocity] > 0 && left > 0; i++) {
      if (!fluid_render_is_released(room[i]) || fluid_voice_gen_get(room[i], GEN_UNUSED1) > 0) continue;
      if ((fluid_voice_get_actual_velocity(room[i]) & 127) != velocity) continue;
      fluid_voice_gen_set(room[i], GEN_UNUSED1, 1);
      count[velocity]--;
      left--;
    }
  })

/// Fades the marked voices for a block of 64 frames: after 16 they are 144 dB down, then they end. The attenuation grows
/// with the square of time, since the library ramps inside a block and a steep beginning would be heard. Changes of a voice
/// wait for the next call that is made to the synth: hence the last line.
FLUID_TRUSTED(void fluid_render_fade(fluid_synth_t *_Nonnull s, fluid_voice_t *_Nullable *_Nonnull room, int size),
  fluid_synth_get_voicelist(s, room, size, -1);
  for (int i = 0; i < size && room[i]; i++) {
    float block = fluid_voice_gen_get(room[i], GEN_UNUSED1);
    if (block < 1 || block > 17) continue;
    fluid_voice_gen_set(room[i], GEN_UNUSED1, block + 1);
    if (block < 17) {
      fluid_voice_gen_set(room[i], GEN_ATTENUATION, fluid_voice_gen_get(room[i], GEN_ATTENUATION) + 5.625f * (2 * block - 1));
      fluid_voice_update_param(room[i], GEN_ATTENUATION);
    } else {
      fluid_voice_gen_set(room[i], GEN_VOLENVRELEASE, -12000);
      fluid_voice_update_param(room[i], GEN_VOLENVRELEASE);
    }
  }
  fluid_synth_get_active_voice_count(s))

/// Whether all samples are zero; stops at the first that is not.
RT_SAFE static inline _Bool fluid_render_is_zero(const float *_Nonnull x, long n) {
  for (long i = 0; i < n; i++) if (x[i] != 0) return 0;
  return 1;
}

/// What the library is told to call with its complaints: keeps the first of this thread, where that collects; else it does
/// nothing, since the thread may render.
void rt_fluid_log(int level, const char *_Nullable message, void *_Nullable data);
/// This thread collects from now on, for one call that loads. Control side.
void rt_fluid_log_begin(void);
/// It collects no more. Returns the first complaint, valid until the next call; NULL for none.
const char *_Nullable rt_fluid_log_end(void);
#endif
