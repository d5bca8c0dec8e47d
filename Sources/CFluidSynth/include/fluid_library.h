#ifndef FLUID_LIBRARY_H
#define FLUID_LIBRARY_H
#include "fluid_types.h"
#include "realtime.h"

// libfluidsynth, found when it is loaded and not when this is linked. Its licence is the LGPL
// (Carillon.docc/Guides/Licences.md).

#define FLUID_CONSTANT(name, value) name = value,
enum : int { FLUID_CONSTANTS(FLUID_CONSTANT) };
#undef FLUID_CONSTANT

/// Each function by its own name and type.
struct fluid_library {
#define FLUID_ENTRY(result, name, parameters) name##_call *_Nonnull name;
  FLUID_FUNCTIONS(FLUID_ENTRY)
#undef FLUID_ENTRY
};

/// Loads the library of that file name for the life of the process. Returns null, or why not. Control side; one thread at a
/// time. Nothing below may be called before it has returned null.
const char *_Nullable fluid_library_load(const char *_Nonnull name);
/// The functions, for the control side.
struct fluid_library fluid_library_functions(void);

// FluidSynth carries no annotations of its own. With the settings of FluidSynthSettings the calls of these were measured
// instead: no allocation, no lock, no system call. FluidSynthUnitTests and the sanitizer run are the check.

/// Adds `frames` frames to the buffers: left and right of each group in turn; a null pointer drops that channel.
RT_SAFE void fluid_render_process(fluid_synth_t *_Nonnull s, int frames, int count, float *_Nullable *_Nonnull out);
RT_SAFE int fluid_render_voices(fluid_synth_t *_Nonnull s);
RT_SAFE void fluid_render_note_on(fluid_synth_t *_Nonnull s, int c, int key, int velocity);
RT_SAFE void fluid_render_note_off(fluid_synth_t *_Nonnull s, int c, int key);
RT_SAFE void fluid_render_key_pressure(fluid_synth_t *_Nonnull s, int c, int key, int value);
RT_SAFE void fluid_render_channel_pressure(fluid_synth_t *_Nonnull s, int c, int value);
RT_SAFE void fluid_render_control(fluid_synth_t *_Nonnull s, int c, int number, int value);
RT_SAFE void fluid_render_bend(fluid_synth_t *_Nonnull s, int c, int value);
RT_SAFE void fluid_render_bend_range(fluid_synth_t *_Nonnull s, int c, int semitones);
RT_SAFE void fluid_render_select(fluid_synth_t *_Nonnull s, int c, int font, int bank, int program);
RT_SAFE void fluid_render_sound_off(fluid_synth_t *_Nonnull s, int c);
RT_SAFE void fluid_render_generator(fluid_synth_t *_Nonnull s, int c, int generator, float value);
RT_SAFE void fluid_render_gain(fluid_synth_t *_Nonnull s, float gain);

/// A voice that has sounded keeps its last level, and its next note glides from there. Lets `count` voices play at next
/// to no level, unheard, so that the next notes start as in a new synth. Everything must be off before. The tone is loud:
/// the library drops a voice that cannot be heard before it has moved its level.
RT_SAFE void fluid_render_settle(fluid_synth_t *_Nonnull s, fluid_sample_t *_Nonnull tone, int count, int buses,
                                 float *_Nullable *_Nonnull out);

/// Moves the voices of a channel by the cents of their keys, 128 of them, from equal temperament. How far a voice is moved already
/// is kept in a generator that means nothing. `room` as for `fluid_render_shed`.
RT_SAFE void fluid_render_tune(fluid_synth_t *_Nonnull s, fluid_voice_t *_Nullable *_Nonnull room, int size, int c,
                               const float *_Nonnull cents);

/// Notes from now on are interpolated by another method.
RT_SAFE void fluid_render_interpolation(fluid_synth_t *_Nonnull s, int method);

/// Marks half of the released voices to go, at least one: those struck most softly, and among those struck alike the
/// first in the library's order. The mark is a generator that means nothing, and counts the blocks of the fade. `room` is
/// for `size` voices and a null.
RT_SAFE void fluid_render_shed(fluid_synth_t *_Nonnull s, fluid_voice_t *_Nullable *_Nonnull room, int size);

/// Fades the marked voices for a block of 64 frames: after 16 they are 144 dB down, then they end. The attenuation grows
/// with the square of time, since the library ramps inside a block and a steep beginning would be heard. Changes of a voice
/// wait for the next call that is made to the synth: hence the last line.
RT_SAFE void fluid_render_fade(fluid_synth_t *_Nonnull s, fluid_voice_t *_Nullable *_Nonnull room, int size);

/// Whether all samples are zero; stops at the first that is not.
RT_SAFE static inline _Bool fluid_render_is_zero(const float *_Nonnull x, long n) {
  for (long i = 0; i < n; i++) if (x[i] != 0) return 0;
  return 1;
}

/// The log function of the library: keeps the first message of a thread that collects them; on other threads it does
/// nothing, since they may render.
void rt_fluid_log(int level, const char *_Nullable message, void *_Nullable data);
/// This thread collects from now on, for one call that loads. Control side.
void rt_fluid_log_begin(void);
/// It collects no more. Returns the first complaint, valid until the next call; NULL for none.
const char *_Nullable rt_fluid_log_end(void);
#endif
