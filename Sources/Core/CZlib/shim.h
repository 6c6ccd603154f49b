#ifndef TOUCHSTONE_CZLIB_SHIM_H
#define TOUCHSTONE_CZLIB_SHIM_H

#include <zlib.h>

#endif
