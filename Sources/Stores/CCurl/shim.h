#ifndef TOUCHSTONE_CCURL_SHIM_H
#define TOUCHSTONE_CCURL_SHIM_H

#include <curl/curl.h>

// curl_easy_setopt and curl_easy_getinfo are variadic, which Swift cannot call.
static inline CURLcode touchstone_curl_set_text(CURL *handle, CURLoption option, const char *value) {
  return curl_easy_setopt(handle, option, value);
}

static inline CURLcode touchstone_curl_set_number(CURL *handle, CURLoption option, long value) {
  return curl_easy_setopt(handle, option, value);
}

static inline CURLcode touchstone_curl_set_list(CURL *handle, CURLoption option, struct curl_slist *value) {
  return curl_easy_setopt(handle, option, value);
}

typedef size_t (*touchstone_curl_receiver)(char *bytes, size_t size, size_t count, void *context);

static inline CURLcode touchstone_curl_set_receiver(
    CURL *handle, CURLoption option, CURLoption context_option, touchstone_curl_receiver receiver, void *context) {
  CURLcode code = curl_easy_setopt(handle, option, receiver);
  if (code != CURLE_OK) return code;
  return curl_easy_setopt(handle, context_option, context);
}

// The body stays with the caller until the transfer ends.
static inline CURLcode touchstone_curl_set_body(CURL *handle, const void *bytes, curl_off_t count) {
  CURLcode code = curl_easy_setopt(handle, CURLOPT_POSTFIELDSIZE_LARGE, count);
  if (code != CURLE_OK) return code;
  return curl_easy_setopt(handle, CURLOPT_POSTFIELDS, bytes);
}

static inline CURLcode touchstone_curl_status(CURL *handle, long *status) {
  return curl_easy_getinfo(handle, CURLINFO_RESPONSE_CODE, status);
}

#endif
