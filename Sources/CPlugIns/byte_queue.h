#ifndef CARILLON_BYTE_QUEUE_H
#define CARILLON_BYTE_QUEUE_H
#include "realtime.h"
#include <stdatomic.h>

enum { BYTE_QUEUE_SIZE = 1 << 16 };
/// Messages of bytes from one thread to another. One thread writes, one reads.
typedef struct {
  _Atomic uint32_t written, read;
  uint8_t bytes[BYTE_QUEUE_SIZE];
} byte_queue;

/// Adds a message. False: there is no room.
RT_SAFE bool byte_queue_push(byte_queue *queue, const void *data, uint32_t size);
/// The size of the oldest message, and itself into `room` where that is large enough; -1 for none.
RT_SAFE int64_t byte_queue_pop(byte_queue *queue, void *room, uint32_t capacity);
#endif
