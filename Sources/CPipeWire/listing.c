#include "connection.h"
#include "pipewire_stream.h"
#include <errno.h>
#include <string.h>

typedef struct {
  connection connection;
  void *context;
  void (*found)(void *, const cpw_node *);
  int sequence;
  bool is_done;
} listing;

static void has_global(
    void *data, uint32_t id, uint32_t permissions, const char *type, uint32_t version, const spa_dict *properties) {
  listing *l = data;
  if (strcmp(type, "PipeWire:Interface:Node") || !properties) return;
  cpw_node node = {0};
  for (uint32_t i = 0; i < properties->count; i++) {
    const spa_dict_item *item = &properties->items[i];
    if (!strcmp(item->key, "node.name")) node.name = item->value;
    if (!strcmp(item->key, "node.description")) node.description = item->value;
    if (!strcmp(item->key, "media.class")) node.media_class = item->value;
    if (!strcmp(item->key, "object.serial")) node.serial = item->value;
  }
  if (node.name) l->found(l->context, &node);
}

static void is_done(void *data, uint32_t id, int sequence) {
  listing *l = data;
  if (id != 0 || sequence != l->sequence) return;
  l->is_done = true;
  library.thread_loop_signal(l->connection.thread, false);
}

int32_t cpw_list(const char *remote, void *context, void (*found)(void *context, const cpw_node *node)) {
  static const pw_core_events events = {.done = is_done};
  static const pw_registry_events registry_events = {.global = has_global};
  listing l = {.context = context, .found = found};
  int code = cpw_meet(&l.connection, remote, &events, &l);
  if (code == 0) code = cpw_start(&l.connection);
  void *registry = NULL;
  spa_hook hook = {0};
  if (code == 0) {
    library.thread_loop_lock(l.connection.thread);
    spa_interface *core = l.connection.core;
    const pw_core_methods *methods = core->callbacks.functions;
    spa_interface *interface = registry = methods->get_registry(core->callbacks.data, 3, 0);
    if (registry) {
      const pw_registry_methods *asks = interface->callbacks.functions;
      asks->add_listener(interface->callbacks.data, &hook, &registry_events, &l);
      l.sequence = methods->sync(core->callbacks.data, 0, 0);
      if (!cpw_wait_for(&l.connection, &l.is_done, 2000)) code = ETIMEDOUT;
    } else {
      code = EIO;
    }
    library.thread_loop_unlock(l.connection.thread);
    library.thread_loop_stop(l.connection.thread);
    if (registry) library.proxy_destroy(registry);
  }
  cpw_part(&l.connection);
  return code;
}
