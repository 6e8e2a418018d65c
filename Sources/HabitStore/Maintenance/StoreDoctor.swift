import StoreEngine

/// Looks whether a store holds what it must, and mends what follows from the rest of it.
///
/// Every check reads all rows that it is about: the cost is that of reading the store a few times. Memory does not grow
/// with it.
public struct StoreDoctor {
    /// A repair may bring to light what another one mends.
    private static let rounds = 3

    private let engine: any Engine

    public init(_ engine: any Engine) { self.engine = engine }

    /// The engine's checks come first: what is wrong with a page makes the others useless.
    private func checks(in session: any Session) -> [StoreCheck] { session.checks + RecordChecks.all }

    /// Changes nothing. Throws where the store cannot even be opened.
    public func examine() throws -> [CheckResult] {
        var results: [CheckResult] = []
        do {
            try engine.read { session in
                results = try checks(in: session).map { try $0.result(in: session) }
                // SQLite lets nothing end well that has come upon a damaged page, not even reading.
                throw ExaminationEnd()
            }
        } catch is ExaminationEnd {}
        return results
    }

    private struct ExaminationEnd: Error {}

    /// Mends what can be mended, and looks again, all in one transaction.
    ///
    /// Throws where the store cannot be written, or a page is damaged; nothing is changed then.
    public func repair() throws -> [CheckResult] { try engine.write { try repair(in: $0) } }

    private func repair(in session: any Session) throws -> [CheckResult] {
        let checks = checks(in: session)
        let before = try checks.map { try $0.result(in: session) }
        var now = before
        for _ in 0..<Self.rounds where now.contains(where: { $0.status == .damaged }) {
            for (check, result) in zip(checks, now) where result.status == .damaged {
                try check.repair?(session)
            }
            now = try checks.map { try $0.result(in: session) }
        }
        return zip(before, now).map { before, now in
            guard before.status == .damaged, now.status == .ok else { return now }
            var result = before
            result.status = .repaired
            return result
        }
    }
}
