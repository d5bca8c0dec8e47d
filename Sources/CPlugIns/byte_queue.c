#include "byte_queue.h"

RT_SAFE static void copy_in(byte_queue *queue, uint32_t place, const uint8_t *data, uint32_t size) {
  for (uint32_t i = 0; i < size; i++) queue->bytes[(place + i) % BYTE_QUEUE_SIZE] = data[i];
}

RT_SAFE static void copy_out(const byte_queue *queue, uint32_t place, uint8_t *data, uint32_t size) {
  for (uint32_t i = 0; i < size; i++) data[i] = queue->bytes[(place + i) % BYTE_QUEUE_SIZE];
}

RT_SAFE bool byte_queue_push(byte_queue *queue, const void *data, uint32_t size) {
  uint32_t written = atomic_load_explicit(&queue->written, memory_order_relaxed);
  uint32_t used = written - atomic_load_explicit(&queue->read, memory_order_acquire);
  if (size > BYTE_QUEUE_SIZE - sizeof size || used + size + sizeof size > BYTE_QUEUE_SIZE) return false;
  copy_in(queue, written, (const uint8_t *)&size, sizeof size);
  copy_in(queue, written + sizeof size, data, size);
  atomic_store_explicit(&queue->written, written + (uint32_t)sizeof size + size, memory_order_release);
  return true;
}

RT_SAFE int64_t byte_queue_pop(byte_queue *queue, void *room, uint32_t capacity) {
  uint32_t read = atomic_load_explicit(&queue->read, memory_order_relaxed), size = 0;
  if (read == atomic_load_explicit(&queue->written, memory_order_acquire)) return -1;
  copy_out(queue, read, (uint8_t *)&size, sizeof size);
  if (size <= capacity) copy_out(queue, read + sizeof size, room, size);
  atomic_store_explicit(&queue->read, read + (uint32_t)sizeof size + size, memory_order_release);
  return size;
}
