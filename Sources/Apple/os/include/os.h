// Nothing in C: Swift alone calls the log here.
#pragma once
