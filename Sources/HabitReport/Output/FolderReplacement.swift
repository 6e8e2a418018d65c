import Foundation
import HabitModel

/// Puts a complete folder in the place of another, so that whoever looks finds one of the two.
enum FolderReplacement {
    /// Exchanges two names; gives 0, or the system's error number.
    typealias Exchange = @Sendable (_ first: String, _ second: String) -> Int32

    /// Gives the path of the older folder, hidden now, which the caller removes.
    ///
    /// Some file systems cannot exchange names. There the older one steps aside first, as `.name.XXXXXX.old`; where the
    /// program is killed before the new one follows, that is to be put back (see `NightLeftovers`).
    ///
    /// - Throws: as `AtomicFolder.commit()`; the older folder has its place then.
    static func replace(_ place: HiddenPlace, exchange: Exchange) throws -> String {
        switch exchange(place.temporary, place.target) {
        case 0: return place.temporary
        case EINVAL, ENOSYS, EOPNOTSUPP: return try replaceInTwoSteps(place)
        case let number: throw HabitError(creating: place.path, number)
        }
    }

    private static func replaceInTwoSteps(_ place: HiddenPlace) throws -> String {
        let aside = String(place.temporary.dropLast(3)) + "old"
        guard rename(place.target, aside) == 0 else { throw HabitError(creating: place.path, errno) }
        guard rename(place.temporary, place.target) == 0 else {
            let number = errno
            rename(aside, place.target)
            throw HabitError(creating: place.path, number)
        }
        return aside
    }

    /// Linux's renameat2 with RENAME_EXCHANGE, which the headers hide from Swift (rename(2)).
    static let exchange: Exchange = { first, second in
        typealias Rename =
            @convention(c) (
                Int32, UnsafePointer<CChar>, Int32, UnsafePointer<CChar>, UInt32
            ) -> Int32
        guard let symbol = dlsym(nil, "renameat2") else { return ENOSYS }
        let rename = unsafeBitCast(symbol, to: Rename.self)
        return rename(AT_FDCWD, first, AT_FDCWD, second, 2) == 0 ? 0 : errno
    }
}
