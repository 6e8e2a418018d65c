import Base
import HabitModel
import Synchronization

/// A limit for the bytes that a command unpacks from gzip files and ZIP archives.
///
/// A small archive can contain any number of bytes. The limit applies to the sum over all inputs of the command, and
/// bytes that the command unpacks again count once.
public final class UnpackLimit: Sendable {
    /// The default limit in bytes: 8 GB.
    public static let standard = 8_000_000_000

    /// The maximum number of unpacked bytes.
    let limit: Int
    private let total = Atomic(0)

    /// Creates a limit.
    ///
    /// - Parameter limit: The maximum number of unpacked bytes.
    public init(_ limit: Int = UnpackLimit.standard) { self.limit = limit }

    /// Counts unpacked bytes.
    ///
    /// - Parameters:
    ///   - count: The number of bytes.
    ///   - file: The name of the input in messages.
    /// - Throws: `archive-unreadable` if the sum exceeds the limit.
    func add(_ count: Int, of file: String) throws(HabitError) {
        guard total.wrappingAdd(count, ordering: .relaxed).newValue > limit else { return }
        throw HabitError(
            .archiveUnreadable, "the compressed input unpacks to more than \(limit) bytes", .give(.limitUnpacked),
            file: file)
    }
}

/// The unpacked part of an input, which is counted once although the input may be read several times.
final class UnpackedPart {
    /// The limit of the command.
    ///
    /// Bytes that are unpacked before it is set are counted with the next bytes.
    var limit: UnpackLimit?
    /// The position up to which the limit has counted the bytes.
    private var end = 0

    init(_ limit: UnpackLimit? = nil) { self.limit = limit }

    /// Counts the bytes up to a position that were not unpacked before.
    ///
    /// - Throws: `archive-unreadable` if the sum of the command exceeds the limit.
    func extend(to position: Int, of file: String) throws(HabitError) {
        guard let limit, position > end else { return }
        try limit.add(position - end, of: file)
        end = position
    }
}
