import Base
import Glibc

/// The destination of the bytes of an `OutputBuffer`.
public protocol OutputSink {
    /// Writes all of `bytes`.
    ///
    /// - Throws: `BrokenPipeError` if the reader has closed the pipe, or a `HabitError` with `no-space` or
    ///   `write-failed`.
    func write(_ bytes: RawSpan) throws

    /// Makes the written bytes final. An output that supports it is removed if this is not called.
    ///
    /// - Throws: A `HabitError` with `no-space`, `write-failed` or `output-exists`.
    func commit() throws
}

/// The error for a pipe whose reader has closed it, for example `head`.
///
/// The command line ends without a message.
public struct BrokenPipeError: Error, Sendable {
    /// Creates the error.
    public init() {}
}

/// An open file descriptor for stdout, a pipe or a device, which is written without a temporary file.
///
/// The caller must ignore SIGPIPE.
package final class DescriptorSink: OutputSink {
    private let descriptor: Int32
    private let name: String
    private let closes: Bool

    /// Creates a sink for an open descriptor.
    ///
    /// - Parameters:
    ///   - descriptor: The file descriptor.
    ///   - name: The name of the output in messages.
    ///   - closes: Whether to close the descriptor when the sink is released.
    package init(_ descriptor: Int32, name: String, closes: Bool) {
        self.descriptor = descriptor
        self.name = name
        self.closes = closes
    }

    deinit {
        if closes { close(descriptor) }
    }

    /// Writes all of `bytes` to the descriptor.
    package func write(_ bytes: RawSpan) throws { try writeAll(bytes, to: descriptor, name: name) }

    /// Does nothing, because the bytes are already written.
    package func commit() {}
}

/// Writes all of `bytes` to `descriptor`, with as many system calls as necessary.
///
/// - Throws: `BrokenPipeError`, or a `HabitError` with `no-space` or `write-failed`.
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
            throw BrokenPipeError()
        } else if errno != EINTR {
            throw HabitError(writing: name, errno)
        }
    }
}

extension HabitError {
    /// Whether a system error number means that the disk, a quota or the limit on the size of files is exhausted.
    package static func isExhaustion(_ number: Int32) -> Bool { [ENOSPC, EDQUOT, EFBIG].contains(number) }

    /// Creates the error for a system error number that occurs when `name` is written.
    package init(writing name: String, _ number: Int32) {
        if Self.isExhaustion(number) {
            self.init(.noSpace, "no space is left to write \(name): free some space or choose another folder")
        } else {
            self.init(.writeFailed, "writing \(name) failed (\(reason(number))): choose another output")
        }
    }

    /// Returns the error for an output that was not completed because of a signal.
    static func stopped(_ name: String) -> HabitError {
        HabitError(.writeFailed, "writing \(name) was interrupted: no partial output remains")
    }

    /// Creates the error for a system error number that occurs when `name` is created.
    package init(creating name: String, _ number: Int32) {
        if Self.isExhaustion(number) {
            self.init(writing: name, number)
        } else {
            self.init(.outputNotWritable, "\(name) cannot be written (\(reason(number))): choose another path")
        }
    }
}

/// Returns the system's description of an error number with a lowercase first letter, such as `permission denied`.
package func reason(_ number: Int32) -> String {
    let words = String(cString: strerror(number))
    return words.prefix(1).lowercased() + words.dropFirst()
}
