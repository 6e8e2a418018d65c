import Base
import HabitModel
import HabitStore
import Rendering
import StoreEngine

/// The SQL of many queries, each of which has a number from 0.
struct NumberedQueries {
    /// The shape of the rows.
    let shape: ResultShape
    /// The maximum number of queries in one statement.
    let atOnce: Int
    /// Returns the SQL of the queries with some numbers.
    ///
    /// Several threads call the closure at the same time.
    let sql: (Range<Int>, any Session) throws -> SQL

    /// Returns the numbers of the queries in each statement.
    fileprivate func statements(_ numbers: Range<Int>) -> [Range<Int>] {
        let starts = stride(from: numbers.lowerBound, to: numbers.upperBound, by: atOnce)
        return starts.map { start in
            let end = min(start + atOnce, numbers.upperBound)
            return start..<end
        }
    }

    /// Returns the number of queries in a task.
    ///
    /// A task has several queries, because threads exchange the rows of a task, but few, because the rows of a task are
    /// in memory.
    fileprivate func taskSize(count: Int, threads: Int) -> Int {
        if atOnce > 1 {
            let share = count / threads
            return max(1, min(atOnce, share))
        }
        let share = count / (8 * threads)
        return max(1, min(4, share))
    }
}

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
    ///   - begin: A closure that prepares the queries.
    /// - Throws: The errors of the options, the output, the store and `begin`.
    func showMany(
        _ count: Int,
        common: CommonOptions,
        threads: ThreadOption,
        whenEmpty: String,
        _ begin: (any Session) throws -> NumberedQueries
    ) throws {
        let team = try threads.team(for: count) { try common.open(.read) }
        try team.read { session, crew in
            let queries = try begin(session)
            try show(common, whenEmpty: whenEmpty) { begin in
                // The header is shown even if no query has rows.
                let receiver = try begin(queries.shape)
                try session.fileMapping?.mapFile()
                guard crew.isTeam, receiver.part() != nil else {
                    for numbers in queries.statements(0..<count) {
                        try receiver.append(queries.sql(numbers, session), in: session)
                    }
                    return
                }
                let size = queries.taskSize(count: count, threads: team.threads)
                let taskCount = (count + size - 1) / size
                try crew.run(taskCount, in: session) { task, session in
                    guard let part = receiver.part() else {
                        throw HabitError(.internal, "the output has no parts")
                    }
                    let start = task * size
                    let end = min(count, start + size)
                    for numbers in queries.statements(start..<end) {
                        try part.renderer.append(queries.sql(numbers, session), in: session)
                    }
                    return { try part.finish() }
                }
            }
        }
    }
}
