import Foundation

/// The Python environment of the tests, with pyogrio and GeoPandas from PyPI: `.ci/install for-tests` creates it.
public enum TestPython {
    private static let path = Program.repository + "/.build/python/bin/python"

    /// Whether the Python environment is installed.
    public static var isInstalled: Bool { FileManager.default.isExecutableFile(atPath: path) }

    /// Runs a script and returns its result.
    ///
    /// `sys.argv[1...]` are `arguments`.
    public static func run(_ script: String, _ arguments: [String], in folder: String = "/") async throws
        -> ProgramResult
    {
        try await Program.run(path, ["-c", script] + arguments, in: folder)
    }
}
