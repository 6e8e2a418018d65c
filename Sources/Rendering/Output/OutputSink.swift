import Glibc
import HabitModel

/// Where an `OutputBuffer` leaves its bytes.
public protocol OutputSink {
    /// Takes all of `bytes`.
    ///
    /// - Throws: `ClosedPipe` where the reader has gone; `HabitError` with `.noSpace` or `.writeFailed`.
    func write(_ bytes: RawSpan) throws

    /// Makes final what was written. Until then an output that can be taken back is.
    func commit() throws
}

/// The reader of a pipe has gone, as `head` does: no failure, the command line ends quietly.
public struct ClosedPipe: Error, Sendable {
    public init() {}
}

/// An open descriptor that is written as it comes: stdout, a pipe, a device.
///
/// The caller ignores SIGPIPE.
package final class DescriptorSink: OutputSink {
    private let descriptor: Int32
    private let name: String
    private let closes: Bool

    /// `name` is what messages call it; the descriptor is closed in the end if `closes`.
    package init(_ descriptor: Int32, name: String, closes: Bool) {
        self.descriptor = descriptor
        self.name = name
        self.closes = closes
    }

    deinit {
        if closes { close(descriptor) }
    }

    package func write(_ bytes: RawSpan) throws { try writeAll(bytes, to: descriptor, name: name) }

    package func commit() {}
}

/// Writes all of `bytes`, however many calls that takes.
func writeAll(_ bytes: RawSpan, to descriptor: Int32, name: String) throws {
    var done = 0
    while done < bytes.byteCount {
        let written = bytes.withUnsafeBytes {
            Glibc.write(descriptor, $0.baseAddress.map { $0 + done }, $0.count - done)
        }
        if written >= 0 {
            done += written
        } else if errno == EAGAIN {
            var ready = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
            poll(&ready, 1, -1)
        } else if errno == EPIPE {
            throw ClosedPipe()
        } else if errno != EINTR {
            throw HabitError(writing: name, errno)
        }
    }
}

extension HabitError {
    /// Whether a system error number means that the disk, a quota or the limit on the size of files is exhausted.
    package static func isExhaustion(_ number: Int32) -> Bool { [ENOSPC, EDQUOT, EFBIG].contains(number) }

    /// What the system said when bytes were written to `name`.
    package init(writing name: String, _ number: Int32) {
        if Self.isExhaustion(number) {
            self.init(.noSpace, "There is no space left to write \(name): free some, or choose another folder.")
        } else {
            self.init(.writeFailed, "Writing \(name) failed: \(reason(number)).")
        }
    }

    /// A signal has asked the program to end while it wrote `name`.
    static func stopped(_ name: String) -> HabitError {
        HabitError(.writeFailed, "writing \(name) was stopped: nothing of it is left")
    }

    /// What the system said when `name` was to be created.
    package init(creating name: String, _ number: Int32) {
        if Self.isExhaustion(number) {
            self.init(writing: name, number)
        } else {
            self.init(.outputNotWritable, "\(name) cannot be written: \(reason(number)).")
        }
    }
}

/// The system's own words, such as `permission denied`, to stand inside a sentence.
package func reason(_ number: Int32) -> String {
    let words = String(cString: strerror(number))
    return words.prefix(1).lowercased() + words.dropFirst()
}
