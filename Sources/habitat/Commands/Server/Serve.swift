import ArgumentParser
import Foundation
import HabitModel

struct Serve: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve", abstract: "Answer over HTTP: GeoJSON for maps, reports, and a map page.",
        discussion: """
            Runs the program 'habitat-server', which lies beside this one, with the options given.

            Example:
              habitat serve --help
            """)

    @Argument(
        parsing: .captureForPassthrough,
        help: ArgumentHelp("The server's options: 'habitat serve --help' tells them.", valueName: "option"))
    var options: [String] = []

    func run() throws {
        let program = try Self.program()
        var arguments = ([program] + options).map { strdup($0) } + [nil]
        defer { arguments.forEach { free($0) } }
        execv(program, &arguments)
        throw HabitError(.internal, "'\(program)' cannot be run: \(String(cString: strerror(errno)))")
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
                "the server is not there: '\(path)'. Build it with 'make server', or install it with 'make install'")
        }
        return path
    }
}
