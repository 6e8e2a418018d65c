import ArgumentParser
import Foundation
import HabitModel
import HabitReport

@main
struct Habitat: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "habitat",
        abstract: "A history of habits, gifts and photos with places in it: load it, ask it, map it.",
        discussion: """
            The store is one SpatiaLite file, 'habitat.db' in the current folder unless --store or HABITAT_STORE says \
            otherwise. Without --as you are its operator and see everything; with --as USER you see what that user may see.

            Examples:
              habitat ingest sample-data
              habitat near 38.7223,-9.1393 --within 5km
              habitat history --as alice --scope friends --format geojson --output friends.geojson
              habitat query "SELECT habit, count(*) AS n FROM events GROUP BY habit ORDER BY n DESC, habit LIMIT 10"
            """,
        version: "0.1.0",
        subcommands: [
            Init.self, Ingest.self, NearCommand.self, History.self, UserCommands.self, HabitCommands.self,
            ItemCommands.self, PostCommands.self, Query.self, Stats.self,
        ])

    static func main() {
        // A reader that has gone away is an error of the write, not the end of the program.
        signal(SIGPIPE, SIG_IGN)
        let arguments = TypedArguments(CommandLine.arguments.dropFirst())
        do {
            var command = try parseAsRoot(arguments.normalized)
            try command.run()
        } catch is ClosedPipe {
            Foundation.exit(0)
        } catch {
            Foundation.exit(report(error, asJSON: arguments.wantsJSONErrors))
        }
    }

    /// Says what went wrong, or shows the help that was asked for, and gives the exit status.
    private static func report(_ error: any Error, asJSON: Bool) -> Int32 {
        let failure: HabitError
        switch error {
        case let error as HabitError: failure = error
        case _ where exitCode(for: error) == .success:
            print(fullMessage(for: error))
            return 0
        case _ where exitCode(for: error) == .validationFailure:
            failure = HabitError(.usage, message(for: error) + " See 'habitat --help'.")
        default: failure = HabitError(.internal, "\(error)")
        }
        ErrorReport(asJSON: asJSON).write(failure)
        return failure.code.exitStatus
    }
}
