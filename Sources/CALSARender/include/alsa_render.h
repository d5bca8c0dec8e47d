#ifndef ALSA_RENDER_H
#define ALSA_RENDER_H
#include <alsa/asoundlib.h>
#include "pcm.h"

// libasound carries no annotations. On a device of the kernel each of these calls is an ioctl, and ALSATests watches them on
// a real kernel: no allocation. A plug-in (`plug`, `dmix`, or a third party's) runs its own code here, which is not watched.
// RT_TRUSTED_LOOP declares the trust.

/// What the device says now: room, stamp and state in one call. `memory` is what snd_pcm_status_malloc gave.
RT_TRUSTED_LOOP(rt_pcm_status alsa_render_status(snd_pcm_t *_Nonnull p, snd_pcm_status_t *_Nonnull memory),
  int code = snd_pcm_status(p, memory);
  if (code < 0) return (rt_pcm_status){.code = code};
  snd_htimestamp_t stamp;
  snd_pcm_status_get_htstamp(memory, &stamp);
  snd_pcm_state_t state = snd_pcm_status_get_state(memory);
  snd_pcm_uframes_t available = snd_pcm_status_get_avail(memory);
  return (rt_pcm_status){
    .code = state == SND_PCM_STATE_DISCONNECTED ? -ENODEV : 0,
    .is_xrun = state == SND_PCM_STATE_XRUN, .is_suspended = state == SND_PCM_STATE_SUSPENDED,
    .available = available > INT64_MAX ? INT64_MAX : (int64_t)available,
    .time = (int64_t)stamp.tv_sec * 1000000000 + stamp.tv_nsec})

/// Writes interleaved frames without waiting. Returns how many were taken.
RT_TRUSTED_LOOP(int64_t alsa_render_write(snd_pcm_t *_Nonnull p, const void *_Nonnull frames, int64_t count),
  return snd_pcm_writei(p, frames, (snd_pcm_uframes_t)count))
/// Reads interleaved frames without waiting. Returns how many came.
RT_TRUSTED_LOOP(int64_t alsa_render_read(snd_pcm_t *_Nonnull p, void *_Nonnull frames, int64_t count),
  return snd_pcm_readi(p, frames, (snd_pcm_uframes_t)count))
RT_TRUSTED_LOOP(int32_t alsa_render_prepare(snd_pcm_t *_Nonnull p), return snd_pcm_prepare(p))
RT_TRUSTED_LOOP(int32_t alsa_render_start(snd_pcm_t *_Nonnull p), return snd_pcm_start(p))
RT_TRUSTED_LOOP(int32_t alsa_render_resume(snd_pcm_t *_Nonnull p), return snd_pcm_resume(p))
/// What `poll` found, in terms of the device: plug-ins may mean something else by it.
RT_TRUSTED_LOOP(int32_t alsa_render_events(snd_pcm_t *_Nonnull p, struct pollfd *_Nonnull found, uint32_t count),
  unsigned short events = 0;
  int code = snd_pcm_poll_descriptors_revents(p, found, count, &events);
  return code < 0 ? code : events)
#endif
