import Base
import HabitModel
import HabitStore
import HabitTestSupport
import Rendering
import StoreEngine

/// Queries over the store in a folder that run in the test's process, because a process takes much more time.
extension TemporaryFolder {
    /// Returns the rows of a query of the operator as lines of CSV.
    func rows(_ sql: String) throws -> [String] {
        try query([sql], .csv)[0].split(separator: "\n").dropFirst().map(String.init)
    }

    /// Returns the results of queries of the operator in a format.
    func query(_ statements: [String], _ format: OutputFormat) throws -> [String] {
        let location = StoreLocation(try TestServer.store(at: file("habitat.db")))
        let engine = try location.open(.read, wait: .seconds(5), analyst: TestServer.analyst(of: location))
        let clock = Clock(now: .now)
        return try engine.analyze(as: .operator, clock: clock) { session in
            try statements.map { sql in
                let output = OutputBuffer()
                let renderer = ResultRenderer { try format.renderer(for: $0, into: output) }
                try AnalysisQuery(sql, viewer: .operator, clock: clock).run(in: session) { shape in
                    try renderer.begin(shape)
                    return renderer.append
                }
                try renderer.end()
                return output.text
            }
        }
    }
}
