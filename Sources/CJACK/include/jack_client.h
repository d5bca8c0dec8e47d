#ifndef CARILLON_JACK_CLIENT_H
#define CARILLON_JACK_CLIENT_H
#include "pcm.h"

// A client of a JACK server. libjack is found when a device of JACK's is requested and not when this is linked: the program
// starts without it, and runs with the library of JACK 2 or with PipeWire's, whichever the machine has. Its interface is
// declared in jack_client.c; it has not changed since JACK 0.121.

/// Loads the library of that file name for the life of the process, and keeps it quiet. Returns null, or why not. Control
/// side; one thread at a time. Nothing below may be called before it has returned null.
const char *_Nullable cjack_load(const char *_Nonnull name);

/// The functions that a client calls, from threads of libjack; none without a context.
typedef struct {
  void *_Nullable context;
  /// Answers a cycle. JACK's real-time thread.
  void (*_Nonnull cycle)(void *_Nonnull context, const rt_cycle *_Nonnull cycle) RT_WAITS;
  /// The server ran out of sound, or some client of it did.
  void (*_Nonnull xrun)(void *_Nonnull context);
  /// The server has gone, has thrown the client out, or runs at another rate than it did.
  void (*_Nonnull lost)(void *_Nonnull context);
} cjack_calls;

typedef struct cjack_client cjack_client;

/// A new client of a server that runs; it starts none. Its ports are called out_1... and in_1... It is not active yet.
///
/// `server` is the server's name, null for the default. Where there is no client, `status` says why, as JACK's bits do.
cjack_client *_Nullable cjack_open(
    const char *_Nonnull name, const char *_Nullable server, int32_t outputs, int32_t inputs, cjack_calls calls,
    int32_t *_Nonnull status);
/// Bits of `status`: there is no server, there is one that does not understand, and (not JACK's) an earlier call of libjack has
/// not returned for five seconds.
enum : int32_t { CJACK_NO_SERVER = 0x10, CJACK_SERVER_ERROR = 0x20, CJACK_STUCK = 1 << 30 };

/// Lets JACK call it from now on. Returns 0, or not.
int32_t cjack_activate(cjack_client *_Nonnull client);
/// Ends it; none of its functions is called any more. With a server that has died or hangs it may never
/// return; after such a call it does nothing.
void cjack_close(cjack_client *_Nonnull client);

/// What it is called among the clients, which may be more than it asked for.
const char *_Nonnull cjack_name(const cjack_client *_Nonnull client);
uint32_t cjack_sample_rate(const cjack_client *_Nonnull client);
uint32_t cjack_period(const cjack_client *_Nonnull client);
/// Asks the server for cycles of so many frames, and for freewheeling or its end, for all clients. Returns 0, or not.
int32_t cjack_set_period(const cjack_client *_Nonnull client, uint32_t frames);
int32_t cjack_set_freewheel(const cjack_client *_Nonnull client, bool freewheel);
/// How its thread is scheduled: SCHED_FIFO's priority, 0 for none; negative before it runs.
int32_t cjack_priority(const cjack_client *_Nonnull client);

/// Which ports `cjack_ports` lists: JACK's flags, added up.
enum : uint32_t { CJACK_INPUT = 1, CJACK_OUTPUT = 2, CJACK_PHYSICAL = 4 };
/// The full names of all audio ports that have these flags, until a null; null for none. To be given to `cjack_free`.
const char *_Nullable *_Nullable cjack_ports(const cjack_client *_Nonnull client, uint32_t flags);
void cjack_free(const char *_Nullable *_Nullable names);
/// The full name of the client's output or input number `index`.
const char *_Nullable cjack_port_name(const cjack_client *_Nonnull client, bool is_input, int32_t index);
/// Which of the client's inputs are linked to something: a bit each, the first one the lowest. JACK gives zeros to those that
/// are not; where none is, cycles say from then on that nothing was captured (`rt_cycle.is_deaf`), until it is asked again.
uint64_t cjack_linked_inputs(cjack_client *_Nonnull client);
/// Connects an output with an input, of whichever clients. Returns 0, EEXIST where they are, or another number.
int32_t cjack_connect(const cjack_client *_Nonnull client, const char *_Nonnull from, const char *_Nonnull to);
#endif
