/* The zlib of the system (Debian: zlib1g-dev). */
#include <zlib.h>
