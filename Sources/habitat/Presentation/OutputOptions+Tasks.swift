import Base
import HabitModel
import HabitStore
import Rendering
import StoreEngine

extension OutputOptions {
    /// Shows the rows of many queries in their order, all on the same state of the store.
    ///
    /// Several threads run the queries and render their rows, if the format can be rendered in parts.
    ///
    /// - Parameters:
    ///   - count: The number of queries.
    ///   - common: The common options.
    ///   - threads: The option that limits the threads.
    ///   - whenEmpty: The notice if the result has no rows.
    ///   - begin: A closure that prepares the queries. It returns the shape of the rows, the maximum number of queries in
    ///     one statement, and a closure that returns the SQL of the queries with some numbers, from 0. Several threads
    ///     call the returned closure at the same time.
    /// - Throws: The errors of the options, the output, the store and `begin`.
    func showMany(
        _ count: Int, _ common: CommonOptions, _ threads: ThreadOption, whenEmpty: String,
        _ begin: (any Session) throws -> (ResultShape, atOnce: Int, (Range<Int>, any Session) throws -> SQL)
    ) throws {
        let team = try threads.team(for: count) { try common.open(.read) }
        try team.read { session, crew in
            let (shape, atOnce, sql) = try begin(session)
            func statements(_ numbers: Range<Int>) -> [Range<Int>] {
                stride(from: numbers.lowerBound, to: numbers.upperBound, by: atOnce).map {
                    $0..<min($0 + atOnce, numbers.upperBound)
                }
            }
            try show(common, whenEmpty: whenEmpty) { begin in
                // The header is shown even if no query has rows.
                let receiver = try begin(shape)
                try session.fileMapping?.mapFile()
                guard crew.isTeam, receiver.part() != nil else {
                    for numbers in statements(0..<count) { try receiver.append(sql(numbers, session), in: session) }
                    return
                }
                // A task has several queries, because threads exchange the rows of a task, but few, because the rows
                // of a task are in memory.
                let threads = team.threads
                let size = max(1, atOnce > 1 ? min(atOnce, count / threads) : min(4, count / (8 * threads)))
                try crew.run((count + size - 1) / size, in: session) { task, session in
                    guard let part = receiver.part() else { throw HabitError(.internal, "the output has no parts") }
                    for numbers in statements(task * size..<min(count, (task + 1) * size)) {
                        try part.renderer.append(sql(numbers, session), in: session)
                    }
                    return { try part.finish() }
                }
            }
        }
    }
}
