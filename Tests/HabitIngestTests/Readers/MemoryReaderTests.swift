import Base
import Foundation
import HabitModel
import HabitTestSupport
import Testing

@testable import HabitIngest

/// Tests that the readers skip a record of a gigabyte without keeping it in memory.
@Suite(.engineIndependent, .serialized) struct MemoryReaderTests {
    /// Debug builds need minutes for a gigabyte, except in the one test that searches with a C function.
    #if DEBUG
        private let size = 1 << 22
    #else
        private let size = 1 << 30
    #endif

    /// Half of the memory that a 1 GB record would take.
    ///
    /// Other suites run in the same process and also allocate memory.
    private let bound = 512 << 20

    /// Returns a source of `head`, then `filling` repeated up to `size` bytes, then `tail`.
    private func repeatedSource(head: String, filling: String, size: Int, tail: String) -> ByteSource {
        let block = Array(String(repeating: filling, count: 65_536 / filling.utf8.count).utf8)
        var parts = [Array(head.utf8)] + Array(repeating: block, count: size / block.count) + [Array(tail.utf8)]
        parts.reverse()
        return ByteSource(name: "input") { buffer in
            guard var part = parts.popLast() else { return 0 }
            let count = buffer.copyBeginning(of: part[...])
            part.removeFirst(count)
            if !part.isEmpty { parts.append(part) }
            return count
        }
    }

    @Test(arguments: [
        ("habit,comment\nh0,x\nh1,", "x", "\nh2,y\n"),
        ("habit,comment\nh0,x\nh1,", "x,", "\nh2,y\n"),
        ("habit,comment\nh0,x\nh1,\"", "x,\"\"", "\"\nh2,y\n"),
        ("{\"habit\":\"h0\"}\n{\"habit\":\"", "x", "\"}\n{\"habit\":\"h2\"}\n"),
        ("[{\"habit\":\"h0\"},{\"habit\":\"", "x]", "\"},{\"habit\":\"h2\"}]"),
        ("[{\"habit\":\"h0\"},", "[", ""),
        ("[{\"habit\":\"h0\"},", "1", ",{\"habit\":\"h2\"}]"),
        (
            "\u{1e}{\"type\":\"Feature\",\"geometry\":null,\"properties\":{\"habit\":\"h0\"}}\n\u{1e}", "{\n",
            "\u{1e}{\"type\":\"Feature\",\"geometry\":null,\"properties\":{\"habit\":\"h2\"}}"
        ),
    ])
    func longRecordIsNotKeptInMemory(head: String, filling: String, tail: String) throws {
        let source = repeatedSource(head: head, filling: filling, size: size, tail: tail)
        let before = peakMemory()
        let outcome = Result { try readAll(source, ReaderOptions(kind: .events)) }
        // The memory shows whether a record is kept only if the record is larger than the bound.
        if size > bound { #expect(peakMemory() - before < bound) }
        if tail.isEmpty {
            #expect(throws: HabitError.self) { try outcome.get() }
        } else {
            let reading = try outcome.get()
            #expect(reading.rows.map { $0[.habit] } == [.text("h0"), .text("h2")])
            #expect(reading.problems.map(\.code) == [.recordTooLong])
            #expect(reading.problems.map(\.original.utf8.count) == [RowProblem.originalLimit])
        }
    }

    @Test func gigabyteLineIsNotKeptInMemory() throws {
        let source = repeatedSource(
            head: "{\"habit\":\"h1\"}\n{\"habit\":\"",
            filling: "x",
            size: 1 << 30,
            tail: "\"}\n{\"habit\":\"h3\"}\n")
        let before = peakMemory()
        let reading = try readAll(source, ReaderOptions(kind: .events))
        #expect(peakMemory() - before < bound)
        #expect(source.consumedBytes > 1 << 30)
        #expect(reading.problems.map(\.code) == [.recordTooLong])
        #expect(reading.rows.map(\.line) == [1, 3])
    }

    /// Returns the peak memory of this process in bytes.
    private func peakMemory() -> Int {
        var usage = rusage()
        getrusage(__rusage_who_t(0), &usage)
        return Int(usage.ru_maxrss) * 1024
    }
}
