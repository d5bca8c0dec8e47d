#ifndef CARILLON_LOUDNESS_KERNELS_H
#define CARILLON_LOUDNESS_KERNELS_H
#include "realtime.h"

/// Passes two channels through two filters of second order, one after the other, and adds the squares of what comes out to
/// `energies`, of each channel. As in voice_kernels.h the operations have one written order: the same bits everywhere.
///
/// - `coefficients`: b0, b1, b2, a1, a2, four numbers of each: those of the first filter twice, then those of the second twice.
/// - `state`: sixteen numbers in the same four lanes: the last two inputs and the last two outputs of each filter, newest first.
RT_SAFE void kernel_weigh(const float *_Nonnull a, const float *_Nonnull b, ptrdiff_t count,
                          const double *_Nonnull coefficients, double *_Nonnull state, double *_Nonnull energies);
#endif
