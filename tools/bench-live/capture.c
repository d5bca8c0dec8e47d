#define _GNU_SOURCE
#include "capture.h"

#include <math.h>
#include <stdlib.h>

enum { chunk = 4096 };

int capture_open(Capture *c, const char *device, unsigned rate) {
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

long capture_read(Capture *c) {
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

int capture_origin(Capture *c, int64_t *origin) {
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
