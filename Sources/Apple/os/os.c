#include "os.h"

// An object file for the module's product.
typedef int os_is_a_module;
