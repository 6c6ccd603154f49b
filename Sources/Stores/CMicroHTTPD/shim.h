#ifndef TOUCHSTONE_CMICROHTTPD_SHIM_H
#define TOUCHSTONE_CMICROHTTPD_SHIM_H

#include <arpa/inet.h>
#include <microhttpd.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>

struct touchstone_httpd_options {
  // A number of IPv4 or IPv6.
  const char *host;
  // 0 lets the system choose.
  unsigned short port;
  unsigned int idle_seconds;
  unsigned int connections_max;
  size_t header_bytes_max;
};

struct touchstone_httpd_callbacks {
  MHD_AccessHandlerCallback handle;
  void *(*begin)(void *, const char *, struct MHD_Connection *);
  MHD_RequestCompletedCallback completed;
  MHD_NotifyConnectionCallback connection;
  void *context;
};

// MHD_start_daemon is variadic, which Swift cannot call. Returns NULL with errno if it fails.
static inline struct MHD_Daemon *touchstone_httpd_start(
    struct touchstone_httpd_options options, struct touchstone_httpd_callbacks callbacks) {
  struct sockaddr_in address;
  struct sockaddr_in6 address6;
  memset(&address, 0, sizeof address);
  memset(&address6, 0, sizeof address6);
  address.sin_family = AF_INET;
  address.sin_port = htons(options.port);
  address6.sin6_family = AF_INET6;
  address6.sin6_port = htons(options.port);
  struct sockaddr *place = (struct sockaddr *)&address;
  unsigned int flags = MHD_USE_INTERNAL_POLLING_THREAD | MHD_USE_THREAD_PER_CONNECTION | MHD_USE_POLL;
  if (inet_pton(AF_INET, options.host, &address.sin_addr) != 1) {
    if (inet_pton(AF_INET6, options.host, &address6.sin6_addr) != 1) return NULL;
    place = (struct sockaddr *)&address6;
    flags |= MHD_USE_IPv6;
  }
  return MHD_start_daemon(
      flags, options.port, NULL, NULL, callbacks.handle, callbacks.context,
      MHD_OPTION_SOCK_ADDR, place,
      MHD_OPTION_LISTENING_ADDRESS_REUSE, 1u,
      MHD_OPTION_URI_LOG_CALLBACK, callbacks.begin, callbacks.context,
      MHD_OPTION_NOTIFY_COMPLETED, callbacks.completed, callbacks.context,
      MHD_OPTION_NOTIFY_CONNECTION, callbacks.connection, callbacks.context,
      MHD_OPTION_CONNECTION_TIMEOUT, options.idle_seconds,
      MHD_OPTION_CONNECTION_LIMIT, options.connections_max,
      MHD_OPTION_CONNECTION_MEMORY_LIMIT, options.header_bytes_max,
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

// A response whose bytes come from a callback; UINT64_MAX for an unknown length.
static inline struct MHD_Response *touchstone_httpd_stream(
    unsigned long long count, MHD_ContentReaderCallback reader, void *context,
    MHD_ContentReaderFreeCallback release) {
  return MHD_create_response_from_callback(count, 65536, reader, context, release);
}

static const ssize_t touchstone_httpd_end = MHD_CONTENT_READER_END_OF_STREAM;
static const ssize_t touchstone_httpd_cut = MHD_CONTENT_READER_END_WITH_ERROR;

// Whether the notification is about a new connection.
static inline int touchstone_httpd_is_start(enum MHD_ConnectionNotificationCode code) {
  return code == MHD_CONNECTION_NOTIFY_STARTED;
}

// Closes the connection after this response.
static inline void touchstone_httpd_close_after(struct MHD_Response *response) {
  MHD_add_response_header(response, "Connection", "close");
}

// The socket of a connection; -1 if it is unknown.
static inline int touchstone_httpd_socket(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info =
      MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
  return info == NULL ? -1 : info->connect_fd;
}

// The port that the system chose; 0 if it is unknown.
static inline unsigned short touchstone_httpd_port(struct MHD_Daemon *daemon) {
  const union MHD_DaemonInfo *info = MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_BIND_PORT);
  return info == NULL ? 0 : info->port;
}

#endif
