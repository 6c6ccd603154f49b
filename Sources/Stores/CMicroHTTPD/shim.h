#ifndef TOUCHSTONE_CMICROHTTPD_SHIM_H
#define TOUCHSTONE_CMICROHTTPD_SHIM_H

#include <arpa/inet.h>
#include <microhttpd.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>

// MHD_start_daemon is variadic, which Swift cannot call.
static inline struct MHD_Daemon *touchstone_httpd_start(
    MHD_AccessHandlerCallback handler, void *(*begin)(void *, const char *, struct MHD_Connection *),
    MHD_RequestCompletedCallback completed, void *context, unsigned int limit_seconds) {
  struct sockaddr_in address;
  memset(&address, 0, sizeof address);
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return MHD_start_daemon(
      MHD_USE_INTERNAL_POLLING_THREAD | MHD_USE_THREAD_PER_CONNECTION, 0, NULL, NULL, handler, context,
      MHD_OPTION_SOCK_ADDR, (struct sockaddr *)&address,
      MHD_OPTION_URI_LOG_CALLBACK, begin, context,
      MHD_OPTION_NOTIFY_COMPLETED, completed, context,
      MHD_OPTION_CONNECTION_TIMEOUT, limit_seconds,
      MHD_OPTION_END);
}

// Swift imports the enumerations of the library under other names in other versions.
static const enum MHD_Result touchstone_httpd_yes = MHD_YES;
static const enum MHD_Result touchstone_httpd_no = MHD_NO;

static inline void touchstone_httpd_each_header(
    struct MHD_Connection *connection, MHD_KeyValueIterator iterator, void *context) {
  MHD_get_connection_values(connection, MHD_HEADER_KIND, iterator, context);
}

// A response with a copy of the bytes.
static inline struct MHD_Response *touchstone_httpd_response(const void *bytes, size_t count) {
  return MHD_create_response_from_buffer(count, (void *)bytes, MHD_RESPMEM_MUST_COPY);
}

// The port that the system chose; 0 if it is unknown.
static inline unsigned short touchstone_httpd_port(struct MHD_Daemon *daemon) {
  const union MHD_DaemonInfo *info = MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_BIND_PORT);
  return info == NULL ? 0 : info->port;
}

#endif
