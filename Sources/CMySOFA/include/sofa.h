#ifndef CARILLON_SOFA_H
#define CARILLON_SOFA_H
#include <stdint.h>
// SOFA files (AES69) through libmysofa, which is loaded when the first one is requested: nothing depends on it. Control side.

/// What a file holds of a head: for each direction the responses of the left and of the right ear.
typedef struct {
  /// How many directions, and samples of each response.
  int64_t directions, length;
  /// Samples per second.
  double sample_rate;
  /// Metres ahead, to the left and up, for each direction.
  const float *_Nullable places;
  /// Left and right ear's response, direction by direction.
  const float *_Nullable responses;
  /// Samples by which the ears' responses are late besides: two numbers for all directions, or two for each.
  const float *_Nullable delays;
  int64_t delay_count;
  /// The library's own.
  void *_Nullable handle;
} sofa_contents;

/// How reading ended.
typedef enum {
  SOFA_READ = 0,
  /// The library is not installed, or has not got what is needed.
  SOFA_NO_LIBRARY,
  /// The system could not read the file; the code is an errno.
  SOFA_UNREADABLE,
  /// The library found no head in it; the code is the library's.
  SOFA_DAMAGED,
} sofa_outcome;

/// Reads a file; give back what was read by `sofa_close`. `code` is why not.
sofa_outcome sofa_open(const char *_Nonnull path, sofa_contents *_Nonnull contents, int32_t *_Nonnull code);
/// Frees what was read.
void sofa_close(sofa_contents *_Nonnull contents);
#endif
