#ifndef TOUCHSTONE_CEXPAT_SHIM_H
#define TOUCHSTONE_CEXPAT_SHIM_H

#include <expat.h>

#endif
