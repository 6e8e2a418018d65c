import ArgumentParser
import Base
import CommandLineText
import Foundation
import HabitModel
import HabitReport
import Rendering

@main
struct Habitat: ParsableCommand {
    /// The text above the groups of commands in the help of the program.
    static let introduction = "Begin with 'habitat init'."

    static let configuration = CommandConfiguration(
        commandName: "habitat",
        abstract: "Store, query and map habits, give-away items and photos.",
        discussion: introduction + "\n\n" + """
            Examples:
              habitat ingest sample-data
              habitat near 38.7223,-9.1393 --within 5km
              habitat history --as alice --scope friends --format geojson \\
                --output friends.geojson
              habitat query "SELECT habit, count(*) AS n FROM events GROUP BY habit \\
                ORDER BY n DESC, habit LIMIT 10"
            """,
        version: HabitatVersion.current,
        groupedSubcommands: groups)

    static func main() {
        // If the reader of a pipe has closed it, the write returns an error instead of ending the program.
        signal(SIGPIPE, SIG_IGN)
        // The same applies to a file that has reached the limit on file sizes.
        signal(SIGXFSZ, SIG_IGN)
        // A closed standard stream is opened as /dev/null. Otherwise another file would get its number and receive
        // errors.
        for stream: Int32 in 0...2 where fcntl(stream, F_GETFD) < 0 {
            _ = open("/dev/null", O_RDWR)
        }
        var arguments = ArgumentNormalizer(CommandLine.arguments.dropFirst())
        if arguments.requestsCompletion { return printValues(arguments) }
        let report = errorReport(arguments)
        MappedFileFaultHandler.report(by: report)
        if Set(arguments.normalized) == ["--version", "--verbose"] { return printVersion() }
        // The server prints its own warning.
        if arguments.words.first != "serve", !arguments.normalized.contains("--quiet"),
            let warning = PasswordWarning.text(for: arguments.normalized)
        {
            ErrorReport.line(warning)
        }
        do {
            try checkEncoding()
            if try isTodo(arguments) {
                arguments = ArgumentNormalizer(arguments.leading + ["todo"] + arguments.following)
            }
            try checkOptionsBeforeCommand(arguments)
            if let topic = HelpTopics.text(for: arguments.words) { return print(topic) }
            try checkCommand(arguments.words)
            if let help = completeHelp(arguments) { return print(help) }
            try checkRepeatedOptions(arguments)
            var command = try parse(arguments)
            try checkConfiguration(for: command, arguments)
            try command.run()
        } catch is BrokenPipeError {
            Foundation.exit(0)
        } catch {
            Foundation.exit(write(error, arguments, to: report))
        }
    }

    /// Prints the values that a completion script requests.
    private static func printValues(_ arguments: ArgumentNormalizer) {
        CompletionRun.begin()
        if let values = CompletionRun.values(for: arguments.normalized) { print(values) }
    }

    /// Checks that the arguments and the name of the store are UTF-8.
    ///
    /// - Throws: `usage` with the argument as the user typed it.
    private static func checkEncoding() throws {
        if let argument = InvalidUTF8.argument { throw HabitError.invalidUTF8(argument, "the argument") }
    }

    /// Returns whether the arguments have only options of `todo`, and options or the configuration name a user.
    ///
    /// - Throws: `config-invalid`.
    private static func isTodo(_ arguments: ArgumentNormalizer) throws -> Bool {
        let all = arguments.normalized
        guard arguments.words.isEmpty, !all.contains("--operator"), optionsWithoutCommand.isDisjoint(with: all) else {
            return false
        }
        // The description of the options takes longer than a parse.
        if !arguments.following.isEmpty, !CommandOptions(of: Todo.self).acceptsAll(arguments.following) {
            return false
        }
        let isNamed = all.contains { argument in argument == "--as" || argument.hasPrefix("--as=") }
        return try isNamed || Configuration.current.get().user(option: nil).value != nil
    }

    /// Checks the configuration file before a command that uses it runs.
    ///
    /// - Throws: `config-invalid`.
    private static func checkConfiguration(
        for command: any ParsableCommand, _ arguments: ArgumentNormalizer
    ) throws {
        let words = arguments.words
        let requestsHelp = words.first == "help" || !optionsWithoutCommand.isDisjoint(with: arguments.normalized)
        let hasSubcommands = !type(of: command).configuration.subcommands.isEmpty
        let repairsConfiguration = command is ConfigList || command is ConfigSet || command is ConfigUnset
        guard !requestsHelp, !hasSubcommands, !repairsConfiguration else { return }
        _ = try Configuration.current.get()
    }

    /// Returns the error report of this run.
    ///
    /// Ends the program if `HABITAT_LOG` is invalid.
    private static func errorReport(_ arguments: ArgumentNormalizer) -> ErrorReport {
        var report = ErrorReport(asJSON: arguments.wantsJSONErrors)
        do {
            report.log = try CommandLog.logger(isVerbose: arguments.isVerbose, asJSON: report.asJSON)
        } catch {
            report.write(error)
            Foundation.exit(error.code.exitStatus)
        }
        return report
    }

    /// Prints the version and the sources of time zone rules, in the order in which they are searched.
    private static func printVersion() {
        print(configuration.version)
        for source in TimeZoneDatabase.system.sources {
            print("time zones: \(source)")
        }
    }

    /// Parses the arguments with only the selected subcommand.
    ///
    /// Parsing with all subcommands is slower, because the parser visits them once for each option group. All subcommands
    /// are parsed only if the selected one rejects the arguments, or if the arguments request help or the version.
    private static func parse(_ arguments: ArgumentNormalizer) throws -> any ParsableCommand {
        let path = commandPath(arguments.words)
        let command = command(at: path)
        // A subcommand has no version, and a subcommand with passthrough arguments would accept --version as one of
        // them.
        if command.configuration.subcommands.isEmpty, !arguments.normalized.contains("--version"),
            let parsed = try? command.parseAsRoot(Array(arguments.normalized.dropFirst(path.count))),
            type(of: parsed) == command
        {
            return parsed
        }
        return try parseAsRoot(arguments.normalized)
    }

    /// The options that need no command.
    private static let optionsWithoutCommand: Set<String> = ["--help", "-h", "--version", "--help-hidden"]

    /// Checks that only options of every command precede the command's name.
    ///
    /// The parser would report the first option, which may be an option of every command.
    ///
    /// - Throws: `usage` for an option of one command, and for leading options without a command.
    private static func checkOptionsBeforeCommand(_ arguments: ArgumentNormalizer) throws {
        guard !arguments.leading.isEmpty, optionsWithoutCommand.isDisjoint(with: arguments.normalized) else { return }
        let rest = arguments.normalized.dropFirst(arguments.leading.count)
        guard arguments.words.isEmpty else { return }
        guard let option = rest.first else {
            throw HabitError(.usage, "the command is missing: see 'habitat --help'")
        }
        let name = option.prefix { $0 != "=" }
        guard rest.contains(where: subcommandNames(of: []).contains) else {
            throw HabitError(.usage, "unknown option '\(name)', and the command is missing: see 'habitat --help'")
        }
        throw HabitError(.usage, "the option '\(name)' cannot precede the command: write it after the command's name")
    }

    /// Checks that the leading words name a command.
    ///
    /// The parser would report an unexpected argument instead.
    ///
    /// - Throws: `usage` for an unknown command, with the most similar name.
    private static func checkCommand(_ words: [String]) throws {
        let words = wordsOfHelp(words)
        let path = commandPath(words)
        let names = subcommandNames(of: path)
        guard !names.isEmpty, path.count < words.count, words[path.count] != "help" else { return }
        let word = words[path.count]
        var hint = "see 'habitat --help'"
        if let nearest = names.nearestSpelling(to: word) {
            hint = "did you mean '\(nearest)'?"
        } else if !path.isEmpty {
            let list = names.joined(separator: ", ")
            hint = "use one of \(list)"
        }
        let typed = (path + [word]).joined(separator: " ")
        throw HabitError(.usage, "unknown command '\(typed)': \(hint)")
    }

    /// Checks that no option with one value is given twice after the command's name.
    ///
    /// An option before the name sets a default, which an option after it overrides.
    ///
    /// - Throws: `usage`.
    private static func checkRepeatedOptions(_ arguments: ArgumentNormalizer) throws {
        let words = arguments.following.filter { argument in
            argument.hasPrefix("--")
        }
        let names = words.map { word in
            word.prefix { $0 != "=" }
        }
        // The description of the options takes longer than a parse.
        guard Set(names).count < names.count else { return }
        let path = commandPath(arguments.words)
        let options = CommandOptions(of: command(at: path))
        let rest = arguments.following.dropFirst(path.count)
        guard let name = options.firstRepeated(in: rest) else { return }
        let field = String(name.dropFirst(2))
        throw HabitError(.usage, "\(name) is given twice: omit one of them", field: field)
    }

    /// Returns the words without a leading `help`.
    private static func wordsOfHelp(_ words: [String]) -> [String] {
        words.first == "help" ? Array(words.dropFirst()) : words
    }

    /// Returns the leading words that name a command.
    private static func commandPath(_ words: [String]) -> [String] {
        var path: [String] = []
        for word in words {
            guard subcommandNames(of: path).contains(word) else { break }
            path.append(word)
        }
        return path
    }

    /// Returns the help of a command with all sections, or `nil` if the arguments do not request it.
    private static func completeHelp(_ arguments: ArgumentNormalizer) -> String? {
        guard arguments.words.first == "help", arguments.normalized.contains(HelpText.allOption) else {
            return nil
        }
        let path = commandPath(wordsOfHelp(arguments.words))
        return helpMessage(for: command(at: path))
    }

    private static func subcommandNames(of path: [String]) -> [String] {
        command(at: path).configuration.subcommands.map { command in
            command._commandName
        }
    }

    private static func command(at path: [String]) -> any ParsableCommand.Type {
        path.reduce(Habitat.self) { command, name in
            let subcommands = command.configuration.subcommands
            let named = subcommands.first { $0._commandName == name }
            return named ?? command
        }
    }

    /// Writes an error to `report`, or prints the requested help.
    ///
    /// - Returns: The exit status.
    private static func write(_ error: any Error, _ arguments: ArgumentNormalizer, to report: ErrorReport) -> Int32 {
        let failure: HabitError
        switch error {
        case let error as HabitError: failure = error
        // The command has already written its error.
        case let code as ExitCode where !code.isSuccess: return code.rawValue
        case _ where exitCode(for: error) == .success:
            let path = commandPath(wordsOfHelp(arguments.words))
            let text = HelpText.presented(fullMessage(for: error), ofCommand: path)
            print(CompletionScript.presented(text))
            return 0
        case _ where exitCode(for: error) == .validationFailure:
            failure = usageError(message(for: error), arguments)
        default: failure = HabitError(.internal, ErrorLog.text(of: error), cause: error)
        }
        report.write(failure)
        return failure.code.exitStatus
    }

    /// Returns the error for arguments that the parser does not accept, from the message of the parser.
    private static func usageError(_ message: String, _ arguments: ArgumentNormalizer) -> HabitError {
        let path = commandPath(arguments.words)
        let name = path.joined(separator: " ")
        let help = path.isEmpty ? "habitat --help" : "habitat help \(name)"
        let options = CommandOptions(of: command(at: path))
        // The parser suggests any option, however different it is.
        if message.hasPrefix("Unknown option"),
            let unknown = options.firstUnknown(in: arguments.following.dropFirst(path.count))
        {
            var hint = "see '\(help)'"
            if let nearest = options.nearest(to: unknown) {
                hint = "did you mean '\(nearest)'?"
            }
            return HabitError(.usage, "Unknown option '\(unknown)': \(hint)")
        }
        let words = message.split(whereSeparator: \.isWhitespace)
        var sentence = words.joined(separator: " ")
        if sentence.hasSuffix(".") {
            sentence.removeLast()
        }
        return HabitError(.usage, "\(sentence): see '\(help)'")
    }
}
