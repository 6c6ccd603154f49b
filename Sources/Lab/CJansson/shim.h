#ifndef TOUCHSTONE_CJANSSON_SHIM_H
#define TOUCHSTONE_CJANSSON_SHIM_H

#include <jansson.h>

#endif
