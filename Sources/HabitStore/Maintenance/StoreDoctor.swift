import HabitModel
import StoreEngine

/// Checks the consistency of a store, and repairs data that can be derived from other data in the store.
///
/// Each check reads all rows of its tables, so the cost is about the cost of a few reads of the store. The memory use
/// does not depend on the size of the store.
public struct StoreDoctor {
    /// The maximum number of repairs.
    ///
    /// A repair can reveal damage that another check repairs.
    private static let rounds = 3

    private let engine: any Engine

    /// Creates a doctor for the store of `engine`.
    public init(_ engine: any Engine) {
        self.engine = engine
    }

    /// Returns all checks.
    ///
    /// The engine's checks are first, because the results of the other checks are unreliable after a damaged page.
    private func checks(in session: any Session) -> [StoreCheck] {
        session.checks + RecordChecks.all(session.dialect)
    }

    /// Runs all checks.
    ///
    /// Does not change the store.
    ///
    /// - Returns: One result for each check.
    /// - Throws: An error if the store cannot be opened.
    public func examine() throws -> [CheckResult] {
        var results: [CheckResult] = []
        do {
            try engine.read { session in
                results = try run(checks(in: session), in: session)
                // After SQLite has read a damaged page, even a read transaction cannot commit. The error rolls it back.
                throw CheckRollback()
            }
        } catch is CheckRollback {}
        return results
    }

    private struct CheckRollback: Error {}

    /// Repairs the damage that can be derived from other data and runs all checks again, in one transaction.
    ///
    /// - Returns: One result for each check.
    /// - Throws: An error if the store cannot be written or a page is damaged. The store is then unchanged.
    public func repair() throws -> [CheckResult] {
        try engine.write { session in
            try repair(in: session)
        }
    }

    private func run(_ checks: [StoreCheck], in session: any Session) throws -> [CheckResult] {
        try checks.map { check in
            try check.result(in: session)
        }
    }

    private func repair(in session: any Session) throws -> [CheckResult] {
        let checks = checks(in: session)
        let before = try run(checks, in: session)
        var now = before
        for _ in 0..<Self.rounds {
            let isDamaged = now.contains { result in result.status == .damaged }
            guard isDamaged else { break }
            for (check, result) in zip(checks, now) where result.status == .damaged {
                try check.repair?(session)
            }
            now = try run(checks, in: session)
        }
        let hasRepaired = zip(before, now).contains { before, now in
            before.status == .damaged && now.status == .ok
        }
        if hasRepaired {
            // A repair may have changed any record.
            try ChangeLog(session).begin()
        }
        return zip(before, now).map { before, now in
            guard before.status == .damaged, now.status == .ok else {
                return now
            }
            var result = before
            result.status = .repaired
            return result
        }
    }
}
