internal import JSON

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// Accepts peers on a socket until the first line of one of them admits it.
///
/// A peer whose first line lacks the secret is disconnected at the end of that line, without a
/// response. So is a peer whose first line is late or too long. Peers are read concurrently: a
/// silent peer delays no other one. Peers that are connected when another one is admitted stay
/// connected for the next call of ``admit(on:until:)``.
final class Admission {
  /// The secret of a peer; nil if the first line of any peer is sufficient.
  let secret: AdapterSecret?
  /// The line sent to each peer as soon as it has connected.
  let greeting: [UInt8]
  /// The member of the first line with the `secret`.
  let member: JSONString
  let limits: PeerLimits
  /// Called with a sentence about each admitted or rejected peer.
  let report: (String) -> Void
  private var candidates: [Candidate] = []
  private var rejections = 0

  init(
    secret: AdapterSecret?, greeting: [UInt8], member: JSONString, limits: PeerLimits,
    report: @escaping (String) -> Void
  ) {
    self.secret = secret
    self.greeting = greeting
    self.member = member
    self.limits = limits
    self.report = report
  }

  deinit { for candidate in candidates { candidate.socket.close() } }

  /// A peer that has not sent its first line yet.
  private struct Candidate {
    let peer: Peer
    let socket: Descriptor
    let deadline: Deadline
    var received: [UInt8] = []
  }

  /// The state of the bytes received from a candidate.
  private enum Assessment {
    case waiting
    case admitted
    case rejected(String)
  }

  /// The number of rejected peers that are reported individually.
  private static let reportsMax = 20

  /// Waits for the first valid peer; nil if none connects in time.
  func admit(on listener: Listener, until deadline: Deadline) -> Connection? {
    while true {
      guard Deadline.now < deadline else { return nil }
      let ready = wait(for: candidates, listener, until: deadline)
      let now = Deadline.now
      for place in candidates.indices {
        // A complete line counts even if it is read after the deadline.
        switch ready[place] ? assess(&candidates[place]) : .waiting {
        case .waiting:
          if candidates[place].deadline <= now {
            reject(candidates[place], "no line within \(limits.firstLine)")
          }
        case .rejected(let reason): reject(candidates[place], reason)
        case .admitted:
          let candidate = candidates.remove(at: place)
          report("connected to \(candidate.peer)")
          candidates.removeAll { !$0.socket.isOpen }
          return Connection(socket: candidate.socket, received: candidate.received)
        }
      }
      candidates.removeAll { !$0.socket.isOpen }
      guard ready[ready.count - 1], let socket = listener.accept() else { continue }
      // The longest silent peer is disconnected.
      if candidates.count == limits.candidatesMax {
        reject(candidates.removeFirst(), "too many peers are waiting")
      }
      candidates.append(
        Candidate(
          peer: Peer(of: socket), socket: socket, deadline: .after(limits.firstLine)))
      // A new socket accepts this little without blocking.
      _ = greeting.isEmpty ? .bytes(0) : socket.write(greeting, from: 0)
    }
  }

  private func reject(_ candidate: Candidate, _ reason: String) {
    rejections += 1
    if rejections <= Self.reportsMax { report("rejected \(candidate.peer): \(reason)") }
    if rejections == Self.reportsMax { report("further rejected peers are not reported") }
    candidate.socket.close()
  }

  /// Waits for input; returns which candidates have some, and last the listener.
  private func wait(
    for candidates: [Candidate], _ listener: Listener, until deadline: Deadline
  ) -> [Bool] {
    let first = candidates.map(\.deadline).min().map { min($0, deadline) } ?? deadline
    var waiting = (candidates.map(\.socket) + [listener.descriptor]).map {
      pollfd(fd: $0.number, events: Int16(POLLIN), revents: 0)
    }
    guard poll(&waiting, nfds_t(waiting.count), Int32(clamping: first.millisecondsLeft)) > 0 else {
      return waiting.map { _ in false }
    }
    return waiting.map { $0.revents != 0 }
  }

  private func assess(_ candidate: inout Candidate) -> Assessment {
    var chunk = [UInt8](repeating: 0, count: 4096)
    switch candidate.socket.read(into: &candidate.received, chunk: &chunk) {
    case .notNow: return .waiting
    case .over: return .rejected("the peer closed the connection")
    case .bytes: break
    }
    let end = candidate.received.firstIndex(of: UInt8(ascii: "\n"))
    guard end ?? candidate.received.count <= limits.firstLineBytes else {
      return .rejected("the first line has more than \(limits.firstLineBytes) bytes")
    }
    guard let end else { return .waiting }
    guard let secret else { return .admitted }
    return has(secret, candidate.received[..<end])
      ? .admitted : .rejected("the first line lacks the secret")
  }

  private func has(_ secret: AdapterSecret, _ line: ArraySlice<UInt8>) -> Bool {
    guard let object = (try? JSONValue.parse(line))?.objectValue,
      let text = object[member]?.objectValue?["secret"]?.textValue
    else { return false }
    return secret.matches(text)
  }
}

/// The limits of a peer before its admission.
struct PeerLimits {
  /// The time from the connection to the end of the first line.
  var firstLine = Duration.seconds(10)
  /// The longest first line, in bytes.
  var firstLineBytes = 1 << 16
  /// The number of concurrent candidates, 1 or more.
  var candidatesMax = 32
}
