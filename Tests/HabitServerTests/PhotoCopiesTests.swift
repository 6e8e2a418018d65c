import HTTPServing
import Testing

@testable import HabitAPI
@testable import HabitStore

/// Tests of the cache of copies of photos.
@Suite(.engineIndependent) struct PhotoCopiesTests {
    private static func key(_ feature: String, _ width: PhotoWidth = .list) -> PhotoCopies.Key {
        PhotoCopies.Key(collection: "posts", feature: feature, digest: [1, 2, 3], width: width)
    }

    private static func copy(_ size: Int) -> PhotoCopies.Copy {
        let bytes = [UInt8](repeating: 0, count: size)
        return PhotoCopies.Copy(
            photo: PhotoQuery.DeliveredPhoto(mediaType: "image/jpeg", bytes: bytes),
            tag: EntityTag(of: ["\(size)"]))
    }

    @Test func copyIsFoundByRecordAndWidth() {
        let copies = PhotoCopies(memory: 1 << 20)
        copies.add(Self.copy(100), for: Self.key("a"))
        #expect(copies.copy(Self.key("a"))?.photo.bytes.count == 100)
        #expect(copies.copy(Self.key("a", .page)) == nil)
        #expect(copies.copy(Self.key("b")) == nil)
    }

    @Test func sizeStaysWithinMemory() {
        let copies = PhotoCopies(memory: 10_000)
        for number in 0..<50 {
            copies.add(Self.copy(1000 + number), for: Self.key("\(number)"))
            #expect(copies.size <= 10_000)
        }
        #expect(copies.copy(Self.key("49")) != nil)
        #expect(copies.copy(Self.key("0")) == nil)
    }

    @Test func usedCopyIsKeptLonger() {
        let copies = PhotoCopies(memory: 5000)
        for name in ["a", "b", "c"] { copies.add(Self.copy(1000), for: Self.key(name)) }
        #expect(copies.copy(Self.key("a")) != nil)
        copies.add(Self.copy(1000), for: Self.key("d"))
        #expect(copies.copy(Self.key("a")) != nil)
        #expect(copies.copy(Self.key("b")) == nil)
    }

    @Test func replacedCopyCountsOnce() {
        let copies = PhotoCopies(memory: 5000)
        for _ in 0..<9 { copies.add(Self.copy(1000), for: Self.key("a")) }
        #expect(copies.size < 2000)
    }

    @Test func copyLargerThanMemoryIsNotKept() {
        let copies = PhotoCopies(memory: 1000)
        copies.add(Self.copy(1000), for: Self.key("a"))
        #expect(copies.size == 0)
    }
}
