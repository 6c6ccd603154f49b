#ifndef TOUCHSTONE_CCRYPTO_SHIM_H
#define TOUCHSTONE_CCRYPTO_SHIM_H

#include <openssl/evp.h>

#endif
