import ArgumentParser
import Base

/// The help that the program prints.
///
/// The help of a command omits the titled sections that most commands share. The help of the program lists the groups of
/// commands.
enum HelpText {
    /// The option of `habitat help COMMAND` that requests the shared sections.
    static let allOption = "--all"

    /// The line of a command's help that replaces the shared sections.
    private static let sharedOptionsLine = "Output and common options: habitat help options"

    /// The titles of the sections that the help of a command omits.
    private static let sharedTitles = [OutputOptions.title, CommonOptions.title]

    /// Returns the text to print for a help text of the parser.
    ///
    /// - Parameters:
    ///   - text: The text of the parser for a successful run, such as a help text or the version.
    ///   - path: The words that name the command, or no words for the program.
    /// - Returns: The groups of commands for the help of the program, and a text without shared sections for the help
    ///   of a command. Any other text is unchanged.
    static func presented(_ text: String, ofCommand path: [String]) -> String {
        guard text.hasPrefix(start) else { return text }
        guard path.isEmpty else { return withoutSharedSections(text) }
        let width = OutputOptions.terminalWidth ?? lineWidth
        return width < lineWidth ? wrapped(overview, width: max(30, width)) : overview
    }

    /// The maximum number of columns of a line in the help of the program.
    private static let lineWidth = 80

    /// Returns a text whose lines end between words, of at most `width` columns.
    ///
    /// The rest of a line with a command begins in the column of its description.
    private static func wrapped(_ text: String, width: Int) -> String {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        let wrappedLines = lines.map { line in wrapped(line: String(line), width: width) }
        return wrappedLines.joined(separator: "\n")
    }

    private static func wrapped(line: String, width: Int) -> String {
        let indent = String(repeating: " ", count: line.hasPrefix("  ") ? nameWidth : 0)
        var lines: [String] = []
        var rest = line
        while rest.count > width {
            let room = rest.index(rest.startIndex, offsetBy: width + 1)
            let start = rest.index(rest.startIndex, offsetBy: lines.isEmpty ? 0 : indent.count)
            guard let end = rest[start..<room].lastIndex(of: " "), end > start else { break }
            lines.append(String(rest[..<end]))
            rest = indent + rest[rest.index(after: end)...]
        }
        return (lines + [rest]).joined(separator: "\n")
    }

    /// The first characters of a help text of the parser.
    private static let start = "OVERVIEW: "

    /// Returns a help text without the sections that most commands share.
    private static func withoutSharedSections(_ text: String) -> String {
        let gap = "\n\n"
        let sections = text.split(separator: gap)
        let own = sections.filter { section in
            !sharedTitles.contains { title in section.hasPrefix("\(title.uppercased()):\n") }
        }
        guard own.count < sections.count else { return text }
        var rest = own.joined(separator: gap)
        if !rest.hasSuffix("\n") { rest += "\n" }
        return rest + "\n" + sharedOptionsLine
    }

    // MARK: The help of the program

    /// The width of the column with the names of commands, with its indentation.
    private static let nameWidth = 14

    /// The help of the program: at most 55 lines of 80 columns.
    static var overview: String {
        let head = start + Habitat.configuration.abstract + "\n\n" + Habitat.introduction
        let usage = "USAGE: habitat <command>"
        let groups = Habitat.configuration.groupedSubcommands.map { group in
            let lines = [group.name.uppercased() + ":"] + group.subcommands.map(line)
            return lines.joined(separator: "\n")
        }
        let topics = """
            'habitat help COMMAND' shows the options of a command. Further topics:
            \(HelpTopics.names.joined(separator: ", "))
            """
        let parts = [head, usage] + groups + [topics]
        return parts.joined(separator: "\n\n")
    }

    /// Returns the line of a command in the help of the program.
    private static func line(of command: any ParsableCommand.Type) -> String {
        let name = "  " + command._commandName
        let padding = String(repeating: " ", count: max(1, nameWidth - name.count))
        return name + padding + command.configuration.abstract
    }

    // MARK: The shared options

    /// The text of `habitat help options`: the options that the help of a command omits.
    static var sharedOptions: String { SharedOptions.helpMessage() }

    /// A command with the shared options, whose help describes them.
    private struct SharedOptions: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Options that most commands have.",
            usage: "habitat <command> [<options>]",
            discussion: """
                Common options precede or follow the name of the command. If an option follows it and also precedes \
                it, the later one applies. Commands that list or change records have the output options. \
                'habitat help COMMAND \(HelpText.allOption)' shows all options of a command.
                """)

        @OptionGroup(title: OutputOptions.title) var output: OutputOptions
        @OptionGroup(title: CommonOptions.title) var common: CommonOptions
    }
}
