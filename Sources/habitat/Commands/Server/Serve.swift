import ArgumentParser
import Base
import CommandLineText
import Foundation
import HabitModel

struct Serve: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve", abstract: "Start the HTTP server with the API, reports and a map.",
        discussion: """
            The command runs the program 'habitat-server' in the folder of this program and passes all options to it. The store, \
            the report folders and the public URL of the configuration file are the defaults of its options.

            Example:
              habitat serve --help
            """)

    @Argument(
        parsing: .captureForPassthrough,
        help: ArgumentHelp("Options of the server; 'habitat serve --help' lists them.", valueName: "option"),
        completion: .anyText)
    var options: [String] = []

    func run() throws {
        let program = try Self.program()
        try Self.exportConfiguration()
        var arguments = ([program] + options).map { strdup($0) } + [nil]
        defer { arguments.forEach { free($0) } }
        execv(program, &arguments)
        throw HabitError(.internal, "'\(program)' cannot be run: \(String(cString: strerror(errno)))")
    }

    /// Sets the variables of the server from the configuration file, unless they are set.
    ///
    /// The server has no user, so it does not use the user of the file.
    ///
    /// - Throws: `config-invalid`.
    private static func exportConfiguration() throws {
        let configuration = try Configuration.current.get()
        let store = configuration.store(option: nil)
        if case .file = store.origin { setenv("HABITAT_STORE", store.value, 0) }
        let url = configuration.publicURL(option: nil)
        if case .file = url.origin { setenv(PublicURL.variable, url.value, 1) }
        let reports = configuration.reports(option: [])
        if case .file = reports.origin { setenv("HABITAT_REPORTS", reports.value.joined(separator: ":"), 0) }
    }

    /// Returns the path of the server program, which is in the same folder as this program.
    ///
    /// - Throws: `input-not-found` if the server program is not installed.
    private static func program() throws -> String {
        let own =
            (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? CommandLine.arguments[0]
        let path = URL(fileURLWithPath: own).deletingLastPathComponent().path + "/habitat-server"
        guard access(path, X_OK) == 0 else {
            throw HabitError(
                .inputNotFound,
                "server program '\(path)' does not exist: build it with 'make server', or install it with 'make install'"
            )
        }
        return path
    }
}
