internal import Synchronization

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// Processes to kill and folders to remove when this process ends, in whatever way, `SIGKILL`
/// included.
///
/// A shell in its own process group reads from a socket which processes end and which folders are
/// removed with this process. When the socket closes, which the kernel does for a killed process,
/// the shell kills the processes and removes the folders. Unlike the parent death signal of Linux,
/// this reaches whole process groups, does not depend on the thread that started a process, and
/// works on every system with a POSIX shell.
public enum ExitCleanup {
  /// A process or folder that must not outlive this process.
  public enum Item: Hashable, Sendable {
    /// One process, by its id.
    case process(Int32)
    /// All processes of a group, by the number of its leader.
    case group(Int32)
    /// A folder with everything in it.
    case folder(String)

    /// The item in the form that the shell reads; nil if it does not fit on one line.
    fileprivate var line: String? {
      switch self {
      case .process(let number): "p\(number)"
      case .group(let number): "g\(number)"
      case .folder(let path): path.utf8.contains(UInt8(ascii: "\n")) ? nil : "d\(path)"
      }
    }
  }

  private struct State {
    var items: [Item] = []
    /// The socket end of this process; nil before the first item.
    var socket: Descriptor?
    var shell: pid_t = 0
  }

  private static let state = Mutex(State())

  /// Registers an item, which from now on ends with this process.
  public static func add(_ item: Item) {
    state.withLock { state in
      state.items.append(item)
      // Without a shell there is no cleanup; everything else works.
      guard state.socket != nil else { return start(&state) }
      tell("+", item, state: &state)
    }
  }

  /// Unregisters an item that has ended or may outlive this process.
  public static func remove(_ item: Item) {
    state.withLock { state in
      guard let place = state.items.firstIndex(of: item) else { return }
      state.items.remove(at: place)
      guard state.socket != nil else { return }
      tell("-", item, state: &state)
    }
  }

  private static func tell(_ verb: String, _ item: Item, state: inout State) {
    guard let line = item.line, let socket = state.socket else { return }
    // Another process killed the shell: a new one gets the whole list.
    if !send("\(verb)\(line)\n", to: socket) { start(&state) }
  }

  private static func start(_ state: inout State) {
    state.socket = nil
    if state.shell != 0 { _ = waitpid(state.shell, nil, WNOHANG) }
    guard let (shell, socket) = spawn() else { return }
    (state.shell, state.socket) = (shell, socket)
    for item in state.items {
      if let line = item.line { _ = send("+\(line)\n", to: socket) }
    }
  }

  /// Sends a text; returns an error, and raises no signal, if the shell has ended.
  private static func send(_ text: String, to socket: Descriptor) -> Bool {
    let bytes = Array(text.utf8)
    var sent = 0
    while sent < bytes.count {
      let count = bytes.withUnsafeBytes { raw in
        sendBytes(socket.number, raw.baseAddress! + sent, count: raw.count - sent)
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return false }
      sent += count
    }
    return true
  }

  private static func spawn() -> (pid_t, Descriptor)? {
    var ends: [Int32] = [-1, -1]
    guard makeSocketPair(&ends) else { return nil }
    let (mine, other) = (Descriptor(ends[0]), Descriptor(ends[1]))
    let shell = try? ProgramStart.spawn(
      ["/bin/sh", "-c", script], streams: [.descriptor(other.number), .nowhere, .nowhere],
      leadsGroup: true)
    return shell.map { ($0, mine) }
  }

  /// Items are lines; the list begins and ends with a line feed, so that each item is between two.
  private static let script = """
    trap '' HUP INT QUIT TERM
    cd /
    nl='
    '
    list=$nl
    while IFS= read -r line; do
      item=${line#?}
      case $line in
      +*) list=$list$item$nl ;;
      -*) case $list in
        *"$nl$item$nl"*) list=${list%%"$nl$item$nl"*}$nl${list#*"$nl$item$nl"} ;;
        esac ;;
      esac
    done
    set -f
    IFS=$nl
    for item in $list; do
      case $item in
      g*) kill -s KILL -- "-${item#g}" ;;
      p*) kill -s KILL "${item#p}" ;;
      esac
    done
    for item in $list; do
      case $item in
      d*) for attempt in 1 2 3 4 5; do rm -rf -- "${item#d}" && break; sleep 1; done ;;
      esac
    done
    """
}

private func sendBytes(_ number: Int32, _ bytes: UnsafeRawPointer, count: Int) -> Int {
  #if canImport(Darwin)
    send(number, bytes, count, 0)
  #else
    send(number, bytes, count, Int32(MSG_NOSIGNAL))
  #endif
}

/// A pair of connected sockets that no other program inherits.
private func makeSocketPair(_ ends: inout [Int32]) -> Bool {
  #if canImport(Darwin)
    guard socketpair(AF_UNIX, SOCK_STREAM, 0, &ends) == 0 else { return false }
    var yes: Int32 = 1
    _ = setsockopt(
      ends[0], SOL_SOCKET, SO_NOSIGPIPE, &yes, socklen_t(MemoryLayout<Int32>.size))
    return true
  #elseif canImport(Glibc)
    socketpair(
      AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0
  #else
    socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, &ends) == 0
  #endif
}
