#ifndef CARILLON_LILV_TABLE_H
#define CARILLON_LILV_TABLE_H
#include "lv2_abi.h"

// The functions of liblilv-0.so.0 that Carillon calls, looked up when the first plug-in is requested: the program is linked
// to none of them, and neither starts more slowly nor fails where lilv is not installed.

typedef struct lilv_world lilv_world;
typedef struct lilv_node lilv_node;
typedef struct lilv_nodes lilv_nodes;
typedef struct lilv_iter lilv_iter;
typedef struct lilv_plugin lilv_plugin;
typedef struct lilv_plugins lilv_plugins;
typedef struct lilv_class lilv_class;
typedef struct lilv_port lilv_port;
typedef struct lilv_scale_points lilv_scale_points;
typedef struct lilv_scale_point lilv_scale_point;
typedef struct lilv_state lilv_state;
/// Laid out in lilv's interface as well: it is the plug-in's functions that are called, not lilv's.
typedef struct {
  const lv2_descriptor *_Nonnull descriptor;
  lv2_handle _Nonnull handle;
  void *_Nullable rest;
} lilv_instance;
typedef void (*lilv_set_port)(
    const char *_Nonnull symbol, void *_Nullable context, const void *_Nonnull value, uint32_t size, uint32_t type);

/// Result, name without `lilv_`, arguments.
#define LILV_FUNCTIONS(F) \
  F(lilv_world *_Nullable, world_new, (void)) \
  F(void, world_load_all, (lilv_world *_Nonnull)) \
  F(int, world_load_resource, (lilv_world *_Nonnull, const lilv_node *_Nonnull)) \
  F(const lilv_plugins *_Nonnull, world_get_all_plugins, (const lilv_world *_Nonnull)) \
  F(lilv_node *_Nullable, world_get, (lilv_world *_Nonnull, const lilv_node *_Nullable subject, \
    const lilv_node *_Nullable predicate, const lilv_node *_Nullable object)) \
  F(lilv_node *_Nullable, new_uri, (lilv_world *_Nonnull, const char *_Nonnull)) \
  F(void, node_free, (lilv_node *_Nullable)) \
  F(const char *_Nullable, node_as_uri, (const lilv_node *_Nonnull)) \
  F(const char *_Nullable, node_as_string, (const lilv_node *_Nonnull)) \
  F(float, node_as_float, (const lilv_node *_Nonnull)) \
  F(bool, node_is_float, (const lilv_node *_Nonnull)) \
  F(bool, node_is_int, (const lilv_node *_Nonnull)) \
  F(bool, node_is_bool, (const lilv_node *_Nonnull)) \
  F(bool, node_as_bool, (const lilv_node *_Nonnull)) \
  F(char *_Nullable, node_get_path, (const lilv_node *_Nonnull, char *_Nullable *_Nullable host)) \
  F(void, free, (void *_Nullable)) \
  F(void, nodes_free, (lilv_nodes *_Nullable)) \
  F(lilv_iter *_Nullable, nodes_begin, (const lilv_nodes *_Nonnull)) \
  F(lilv_iter *_Nullable, nodes_next, (const lilv_nodes *_Nonnull, lilv_iter *_Nonnull)) \
  F(bool, nodes_is_end, (const lilv_nodes *_Nonnull, lilv_iter *_Nullable)) \
  F(const lilv_node *_Nonnull, nodes_get, (const lilv_nodes *_Nonnull, lilv_iter *_Nonnull)) \
  F(lilv_iter *_Nullable, plugins_begin, (const lilv_plugins *_Nonnull)) \
  F(lilv_iter *_Nullable, plugins_next, (const lilv_plugins *_Nonnull, lilv_iter *_Nonnull)) \
  F(bool, plugins_is_end, (const lilv_plugins *_Nonnull, lilv_iter *_Nullable)) \
  F(const lilv_plugin *_Nonnull, plugins_get, (const lilv_plugins *_Nonnull, lilv_iter *_Nonnull)) \
  F(const lilv_node *_Nonnull, plugin_get_uri, (const lilv_plugin *_Nonnull)) \
  F(lilv_node *_Nullable, plugin_get_name, (const lilv_plugin *_Nonnull)) \
  F(const lilv_class *_Nullable, plugin_get_class, (const lilv_plugin *_Nonnull)) \
  F(const lilv_node *_Nullable, plugin_class_get_label, (const lilv_class *_Nonnull)) \
  F(lilv_nodes *_Nullable, plugin_get_required_features, (const lilv_plugin *_Nonnull)) \
  F(bool, plugin_has_feature, (const lilv_plugin *_Nonnull, const lilv_node *_Nonnull)) \
  F(lilv_nodes *_Nullable, plugin_get_related, (const lilv_plugin *_Nonnull, const lilv_node *_Nullable type)) \
  F(uint32_t, plugin_get_num_ports, (const lilv_plugin *_Nonnull)) \
  F(const lilv_port *_Nullable, plugin_get_port_by_index, (const lilv_plugin *_Nonnull, uint32_t)) \
  F(bool, plugin_has_latency, (const lilv_plugin *_Nonnull)) \
  F(uint32_t, plugin_get_latency_port_index, (const lilv_plugin *_Nonnull)) \
  F(bool, port_is_a, (const lilv_plugin *_Nonnull, const lilv_port *_Nonnull, const lilv_node *_Nonnull)) \
  F(bool, port_has_property, (const lilv_plugin *_Nonnull, const lilv_port *_Nonnull, const lilv_node *_Nonnull)) \
  F(bool, port_supports_event, (const lilv_plugin *_Nonnull, const lilv_port *_Nonnull, const lilv_node *_Nonnull)) \
  F(lilv_node *_Nullable, port_get, (const lilv_plugin *_Nonnull, const lilv_port *_Nonnull, const lilv_node *_Nonnull)) \
  F(const lilv_node *_Nullable, port_get_symbol, (const lilv_plugin *_Nonnull, const lilv_port *_Nonnull)) \
  F(lilv_node *_Nullable, port_get_name, (const lilv_plugin *_Nonnull, const lilv_port *_Nonnull)) \
  F(void, port_get_range, (const lilv_plugin *_Nonnull, const lilv_port *_Nonnull, lilv_node *_Nullable *_Nullable def, \
    lilv_node *_Nullable *_Nullable min, lilv_node *_Nullable *_Nullable max)) \
  F(lilv_scale_points *_Nullable, port_get_scale_points, (const lilv_plugin *_Nonnull, const lilv_port *_Nonnull)) \
  F(void, scale_points_free, (lilv_scale_points *_Nullable)) \
  F(lilv_iter *_Nullable, scale_points_begin, (const lilv_scale_points *_Nonnull)) \
  F(lilv_iter *_Nullable, scale_points_next, (const lilv_scale_points *_Nonnull, lilv_iter *_Nonnull)) \
  F(bool, scale_points_is_end, (const lilv_scale_points *_Nonnull, lilv_iter *_Nullable)) \
  F(const lilv_scale_point *_Nonnull, scale_points_get, (const lilv_scale_points *_Nonnull, lilv_iter *_Nonnull)) \
  F(const lilv_node *_Nonnull, scale_point_get_label, (const lilv_scale_point *_Nonnull)) \
  F(const lilv_node *_Nonnull, scale_point_get_value, (const lilv_scale_point *_Nonnull)) \
  F(lilv_instance *_Nullable, plugin_instantiate, (const lilv_plugin *_Nonnull, double rate, \
    const lv2_feature *_Nullable const *_Nonnull)) \
  F(void, instance_free, (lilv_instance *_Nonnull)) \
  F(lilv_state *_Nullable, state_new_from_world, (lilv_world *_Nonnull, lv2_urid_map *_Nonnull, const lilv_node *_Nonnull)) \
  F(void, state_emit_port_values, (const lilv_state *_Nonnull, lilv_set_port _Nonnull, void *_Nullable)) \
  F(void, state_restore, (const lilv_state *_Nonnull, lilv_instance *_Nonnull, lilv_set_port _Nullable, void *_Nullable, \
    uint32_t flags, const lv2_feature *_Nullable const *_Nonnull)) \
  F(void, state_free, (lilv_state *_Nonnull))

/// One pointer for each function.
typedef struct {
#define LILV_MEMBER(result, name, arguments) result (*_Nonnull name) arguments;
  LILV_FUNCTIONS(LILV_MEMBER)
#undef LILV_MEMBER
} lilv_table;

/// Opens lilv and looks every function up. Returns null, or what the loader says. Control side.
const char *_Nullable lilv_table_load(lilv_table *_Nonnull table);
#endif
