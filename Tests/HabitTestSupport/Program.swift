import Foundation
import HabitStore
import StoreEngine

/// The result of a process: its outputs and how it ended.
public struct ProgramResult: Sendable, Equatable {
    /// The exit status, or the number of the signal that ended the process.
    public var status: Int32
    /// The text that the process wrote to standard output.
    ///
    /// A Parquet file is the text that ``ParquetText`` returns for it.
    public var output: String
    /// The text that the process wrote to standard error.
    public var errors: String
    /// Whether a signal ended the process.
    public var signalled: Bool

    /// The lines of the output, without the empty last line.
    public var lines: [String] { output.split(separator: "\n").map(String.init) }
}

/// Functions that run `habitat` and other programs.
public enum Program {
    /// The path of the program under test: HABITAT_BINARY, or the program built with the tests.
    public static var habitat: String {
        if let path = ProcessInfo.processInfo.environment["HABITAT_BINARY"] {
            return path.hasPrefix("/") ? path : repository + "/" + path
        }
        let folder = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath()
            .deletingLastPathComponent()
        return folder.appendingPathComponent("habitat").path
    }

    /// The top folder of the repository.
    public static var repository: String {
        URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
            .path
    }

    /// Runs `habitat` in `folder` with only the given environment variables.
    public static func habitat(
        _ arguments: String..., in folder: TemporaryFolder, input: Data? = nil, environment: [String: String] = [:]
    ) async throws -> ProgramResult {
        try await run(habitat, arguments, in: folder.path, input: input, environment: environment)
    }

    /// Runs `habitat` in `folder` with an array of arguments.
    public static func habitat(
        _ arguments: [String], in folder: TemporaryFolder, input: Data? = nil, environment: [String: String] = [:]
    ) async throws -> ProgramResult {
        try await run(habitat, arguments, in: folder.path, input: input, environment: environment)
    }

    /// Runs a shell command, which finds the programs in `folder` by their names.
    ///
    /// The configuration file of the command is `config.toml` in `folder`.
    public static func shell(_ command: String, in folder: TemporaryFolder) async throws -> ProgramResult {
        try await run(
            "/bin/sh", ["-c", command], in: folder.path,
            environment: ["PATH": folder.path + ":/usr/bin:/bin", "HABITAT_CONFIG": folder.file("config.toml")])
    }

    /// Runs a program until it ends, without blocking a thread.
    ///
    /// The number of programs that run at a time is limited. An urgent program does not wait for others, because a
    /// server would end what the test observes in this time. Outputs are written to files, because a full pipe would block
    /// the program.
    public static func run(
        _ program: String, _ arguments: [String], in folder: String, input: Data? = nil,
        environment: [String: String] = [:], isUrgent: Bool = false
    ) async throws -> ProgramResult {
        let scratch = try TemporaryFolder()
        let end = try await runToEnd(
            program, arguments, in: folder, scratch: scratch, input: input, environment: environment,
            isUrgent: isUrgent)
        let isParquet = FileHandle(forReadingAtPath: scratch.file("stdout")).map {
            ParquetText.isParquet($0.readData(ofLength: 4))
        }
        let output =
            isParquet == true ? try await ParquetText.text(of: scratch.file("stdout")) : try scratch.read("stdout")
        let errors = try scratch.read("stderr")
        return switch end {
        case .exit(let status): ProgramResult(status: status, output: output, errors: errors, signalled: false)
        case .signal(let number): ProgramResult(status: number, output: output, errors: errors, signalled: true)
        }
    }

    private static func runToEnd(
        _ program: String, _ arguments: [String], in folder: String, scratch: TemporaryFolder, input: Data?,
        environment: [String: String], isUrgent: Bool
    ) async throws -> RunningProgram.End {
        var permit: Permit?
        if !isUrgent { permit = await Permits.programs.permit() }
        defer { withExtendedLifetime(permit) {} }
        let process = try start(
            program, arguments, in: folder, scratch: scratch, input: input, environment: environment)
        return await process.end()
    }

    /// Replaces the store's file by a database if tests use a server, whether or not the arguments name a store.
    private static func replaceStore(
        _ arguments: inout [String], _ environment: inout [String: String], in folder: String
    ) throws {
        guard TestServer.isUsed else { return }
        func replacement(_ path: String) throws -> String {
            path.isEmpty ? path : try TestServer.store(at: path.hasPrefix("/") ? path : "\(folder)/\(path)")
        }
        var named: String?
        for (index, argument) in arguments.enumerated() {
            if argument == "--store", index + 1 < arguments.count {
                arguments[index + 1] = try replacement(arguments[index + 1])
                named = arguments[index + 1]
            } else if argument.hasPrefix("--store=") {
                let store = try replacement(String(argument.dropFirst(8)))
                arguments[index] = "--store=\(store)"
                named = store
            }
        }
        // Creating a database takes time. No database is created for the default store if the
        // arguments name a store.
        if named == nil || environment["HABITAT_STORE"] != nil {
            environment["HABITAT_STORE"] = try replacement(environment["HABITAT_STORE"] ?? "habitat.db")
        }
        if environment["HABITAT_ANALYST_STORE"] == nil, let store = named ?? environment["HABITAT_STORE"] {
            environment["HABITAT_ANALYST_STORE"] = TestServer.analyst(of: StoreLocation(store))?.url
        }
    }

    /// Starts a program without waiting for it.
    ///
    /// Its outputs are written to `stdout` and `stderr` in `scratch`.
    public static func start(
        _ program: String, _ arguments: [String], in folder: String, scratch: TemporaryFolder, input: Data? = nil,
        environment: [String: String] = [:]
    ) throws -> RunningProgram {
        try scratch.write(input ?? Data(), to: "stdin")
        try scratch.write("", to: "stdout")
        try scratch.write("", to: "stderr")
        let standardInput = FileHandle(forReadingAtPath: scratch.file("stdin"))
        let output = FileHandle(forWritingAtPath: scratch.file("stdout"))
        let errors = FileHandle(forWritingAtPath: scratch.file("stderr"))
        // The process has its own descriptors. Foundation releases the handles late, so these would pile up.
        defer { for file in [standardInput, output, errors] { try? file?.close() } }
        return try start(
            program, arguments, in: folder, streams: (standardInput, output, errors), environment: environment)
    }

    /// Starts a program with its standard input, output and error.
    static func start(
        _ program: String, _ arguments: [String], in folder: String,
        streams: (input: FileHandle?, output: FileHandle?, errors: FileHandle?), environment: [String: String]
    ) throws -> RunningProgram {
        var arguments = arguments
        var environment = environment
        try replaceStore(&arguments, &environment, in: folder)
        let process = Process()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = arguments
        process.currentDirectoryURL = URL(fileURLWithPath: folder)
        process.environment = [
            "PATH": "/usr/bin:/bin", "HOME": folder, "TMPDIR": NSTemporaryDirectory(), "TZ": "UTC",
            "HABITAT_CONFIG": "",
        ].merging(environment) { _, given in given }
        process.standardInput = streams.input
        process.standardOutput = streams.output
        process.standardError = streams.errors
        return try RunningProgram(process)
    }
}
