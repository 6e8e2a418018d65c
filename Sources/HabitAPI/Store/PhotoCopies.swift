import HTTPServing
import HabitStore
import Synchronization

/// The widths of the copies of photos, in pixels.
package enum PhotoWidth: String, CaseIterable, Sendable {
    /// The width for lists.
    case list = "320"
    /// The width for the page of one record.
    case page = "1080"

    /// The name of the query parameter.
    static let parameter = "width"

    /// The width in pixels.
    var pixels: Int {
        switch self {
        case .list: 320
        case .page: 1080
        }
    }

    /// Returns the URL of the copy of a photo with this width.
    ///
    /// - Parameter url: The URL of the photo, which may have a query.
    /// - Returns: The URL.
    package func url(of url: String) -> String {
        let separator = url.contains("?") ? "&" : "?"
        return "\(url)\(separator)\(Self.parameter)=\(rawValue)"
    }
}

/// A bounded cache of the copies of photos, which the first request for a copy makes.
///
/// A copy that was not used for the longest time is removed first.
package final class PhotoCopies: Sendable {
    /// The identity of a copy.
    ///
    /// It contains the record, so that the time of a response does not depend on other records with the same photo.
    struct Key: Hashable {
        var collection: String
        var feature: String
        /// The SHA-256 digest of the stored photo.
        var digest: [UInt8]
        var width: PhotoWidth
    }

    /// A copy and its tag.
    struct Copy: Sendable {
        var photo: PhotoQuery.DeliveredPhoto
        var tag: EntityTag
    }

    private struct Entry {
        var copy: Copy
        /// The number of the request that used the copy last.
        var lastUse: Int
    }

    private struct State {
        var entries: [Key: Entry] = [:]
        /// The size of all entries in bytes.
        var size = 0
        /// The number of requests.
        var useCount = 0
    }

    /// The memory of an entry in addition to its file, in bytes.
    private static let overhead = 512

    private let memory: Int
    private let state = Mutex(State())

    /// Creates an empty cache.
    ///
    /// - Parameter memory: Maximum size of all copies in bytes.
    package init(memory: Int) { self.memory = memory }

    /// The size of all copies in bytes.
    var size: Int { state.withLock { state in state.size } }

    /// Returns a copy, or `nil` if the cache does not have it.
    func copy(_ key: Key) -> Copy? {
        state.withLock { state in
            guard let copy = state.entries[key]?.copy else { return nil }
            state.useCount += 1
            state.entries[key]?.lastUse = state.useCount
            return copy
        }
    }

    /// Adds a copy, and removes others while the cache is too large.
    func add(_ copy: Copy, for key: Key) {
        let added = Self.size(of: copy)
        guard added <= memory else { return }
        state.withLock { state in
            Self.remove(key, from: &state)
            while state.size + added > memory {
                let oldest = state.entries.min { one, other in one.value.lastUse < other.value.lastUse }
                guard let oldest else { break }
                Self.remove(oldest.key, from: &state)
            }
            state.useCount += 1
            state.entries[key] = Entry(copy: copy, lastUse: state.useCount)
            state.size += added
        }
    }

    private static func remove(_ key: Key, from state: inout State) {
        guard let removed = state.entries.removeValue(forKey: key) else { return }
        state.size -= size(of: removed.copy)
    }

    private static func size(of copy: Copy) -> Int { copy.photo.bytes.count + overhead }
}
