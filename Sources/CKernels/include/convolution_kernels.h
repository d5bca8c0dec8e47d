#ifndef CARILLON_CONVOLUTION_KERNELS_H
#define CARILLON_CONVOLUTION_KERNELS_H
#include "realtime.h"
#include <stdint.h>
// Products of spectra that are convolutions of sounds: see `ConvolutionTransform`. Sizes are powers of eight from 64 on. As
// in voice_kernels.h there are only additions and multiplications in one written order: the same bits everywhere.

/// What `size` samples become: real and imaginary parts, in an order of their own. `twist`: `size` cosines and as many
/// sines; `turns`: what the stages multiply by, one behind the other.
RT_SAFE void kernel_spectrum(const float *_Nonnull from, float *_Nonnull re, float *_Nonnull im, ptrdiff_t size,
                             const float *_Nonnull twist, const float *_Nonnull turns);
/// The way back, of a product of two such spectra: to[i] = after[i] + the first half, and the second half goes to `after`.
/// The spectrum is lost.
RT_SAFE void kernel_sound(float *_Nonnull re, float *_Nonnull im, float *_Nonnull to, float *_Nonnull after,
                          ptrdiff_t size, const float *_Nonnull twist, const float *_Nonnull turns);
/// Adds to a spectrum, in its places `from` up to `end`, multiples of eight, the products of `taken` spectra each: those of
/// a ring of `count`, from slot `newest` on backwards in time, and the first of `responses`. A spectrum is `size` real parts
/// and as many imaginary ones.
RT_SAFE void kernel_gather(float *_Nonnull to, ptrdiff_t from, ptrdiff_t end, ptrdiff_t size,
                           const float *_Nonnull history, ptrdiff_t newest, const float *_Nonnull responses,
                           ptrdiff_t count, ptrdiff_t taken);
#endif
