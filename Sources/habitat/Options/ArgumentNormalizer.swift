/// The command-line arguments in the form that the parser accepts.
///
/// These forms are converted: options of every command that precede the command's name, `report ID` without `run`, and
/// coordinates that begin with a minus sign. The arguments of a completion script are unchanged.
struct ArgumentNormalizer {
    /// The options of every command with a value.
    static let valued: Set<String> = [
        "--store", "--as", "--format", "--output", "--errors", "--now", "--today", "--time-zone", "--wait",
    ]
    /// The options of every command without a value.
    static let flags: Set<String> = ["--operator", "--quiet", "--verbose", "--share-output"]
    /// Options whose value is any text, such as a name or a path.
    ///
    /// Their values are not parsed as coordinates. A test compares the list with the options of all commands.
    static let texts: Set<String> = [
        "-c", "-p", "--analyst-store", "--as", "--caption", "--centers", "--columns", "--comment", "--comment-word",
        "--date-format", "--decimal", "--delimiter", "--description", "--diff", "--email", "--export", "--from",
        "--from-track", "--habit", "--id", "--item", "--label", "--map", "--name", "--not-habit", "--notify",
        "--output",
        "--photo", "--places-from", "--public-url", "--reason", "--rejects", "--reports", "--search", "--store",
        "--symbol", "--terms", "--text",
        "--title",
        "--to", "--undo", "--unit", "--user", "--users", "--value", "--within-area",
    ]

    /// Arguments that precede a position.
    ///
    /// Two numbers after them are one position.
    private static let positionArguments: Set<String> = ["near", "--near", "--position"]

    /// The first argument of a completion script that requests values.
    private static let completionRequest = "---completion"

    let normalized: [String]
    /// Options of every command that precede the command's name.
    let leading: [String]
    /// The other arguments: the command's name, its arguments and its options.
    let following: [String]
    /// Whether a completion script requests values.
    let requestsCompletion: Bool
    /// The arguments before the first option, which name the command.
    var words: [String] {
        Array(normalized.prefix { argument in !argument.hasPrefix("-") })
    }
    /// Whether errors are written as JSON, even if the other arguments cannot be parsed.
    let wantsJSONErrors: Bool
    /// Whether the causes of errors are logged, even if the other arguments cannot be parsed.
    let isVerbose: Bool

    init(_ arguments: some Sequence<String>) {
        var before: [String] = []
        var rest = ArraySlice(Array(arguments))
        let all = rest
        requestsCompletion = all.first == Self.completionRequest
        guard !requestsCompletion else {
            leading = []
            following = Array(all)
            normalized = Array(all)
            wantsJSONErrors = false
            isVerbose = false
            return
        }
        while let first = rest.first, first.hasPrefix("--") {
            let name = first.prefix { character in character != "=" }
            let hasOwnValue = Self.valued.contains(String(name)) && first.contains("=")
            if Self.flags.contains(first) || hasOwnValue {
                before.append(rest.removeFirst())
            } else if Self.valued.contains(first), rest.count > 1 {
                before += rest.prefix(2)
                rest = rest.dropFirst(2)
            } else {
                break
            }
        }
        leading = before
        let joined = Self.joinCoordinates(Self.splitEmptyValues(rest))
        let words = Self.nameRun(joined)
        following = Self.protectCoordinates(words)
        let moved = Self.move(Self.splitEmptyValues(before[...]), behindCommandOf: words[...])
        normalized = Self.protectCoordinates(moved)
        isVerbose = all.contains("--verbose")
        wantsJSONErrors = ["--errors", "--log-format"].contains { name in
            Self.option(name, is: "json", in: Array(all))
        }
    }

    private static func option(_ name: String, is value: String, in arguments: [String]) -> Bool {
        if arguments.contains("\(name)=\(value)") { return true }
        let pairs = zip(arguments, arguments.dropFirst())
        return pairs.contains { pair in
            pair == (name, value)
        }
    }

    /// Moves options between the command's name and its first option, so that a later use of the same option wins.
    private static func move(_ options: [String], behindCommandOf arguments: ArraySlice<String>) -> [String] {
        guard !options.isEmpty else { return Array(arguments) }
        let command = arguments.prefix { argument in !argument.hasPrefix("-") }
        return command + options + arguments.dropFirst(command.count)
    }

    /// Inserts `run` between `report` and the ID of a report.
    private static func nameRun(_ arguments: [String]) -> [String] {
        let command = ReportCommands.configuration
        guard arguments.count > 1, arguments[0] == command.commandName else {
            return arguments
        }
        let word = arguments[1]
        var names = command.subcommands.map { subcommand in
            subcommand._commandName
        }
        names.append("help")
        guard !word.hasPrefix("-"), !names.contains(word) else {
            return arguments
        }
        var named = arguments
        named.insert(ReportCommands.Run._commandName, at: 1)
        return named
    }

    /// Splits `--as=` into `--as` and an empty value, because the parser reports a missing value otherwise.
    private static func splitEmptyValues(_ arguments: ArraySlice<String>) -> [String] {
        arguments.flatMap { argument in
            let sign = argument.firstIndex(of: "=")
            guard argument.hasPrefix("--"), sign == argument.indices.last else {
                return [argument]
            }
            return [String(argument.dropLast()), ""]
        }
    }

    /// Joins the two arguments `38.7223,` and `-9.1393`, or `38.7223` and `-9.1393`, to one position.
    private static func joinCoordinates(_ arguments: [String]) -> [String] {
        arguments.reduce(into: []) { joined, argument in
            if let last = joined.last, last.hasSuffix(","), last.isCoordinates, argument.isCoordinates {
                joined[joined.count - 1] = last + argument
            } else if let latitude = joined.last,
                positionArguments.contains(joined.dropLast().last ?? ""),
                Double(latitude) != nil, Double(argument) != nil
            {
                joined[joined.count - 1] = latitude + "," + argument
            } else {
                joined.append(argument)
            }
        }
    }

    /// Prefixes negative coordinates, and days such as `-7d` after `--diff`, with a space, so that they are a value.
    ///
    /// The parsers of the values ignore the space.
    private static func protectCoordinates(_ arguments: [String]) -> [String] {
        arguments.indices.map { index in
            let argument = arguments[index]
            let previous = arguments[..<index].suffix(2)
            let isText = texts.contains(previous.last ?? "")
            let isCoordinates = argument.isNegativeCoordinates && !isText
            let isDay = previous.contains("--diff") && argument.isNegativeDays
            return isCoordinates || isDay ? " " + argument : argument
        }
    }
}

extension String {
    /// Whether the text is a list of coordinates with a minus sign at its beginning, such as `-33.87,151.21`.
    fileprivate var isNegativeCoordinates: Bool {
        hasPrefix("-") && contains(",") && isCoordinates
    }

    /// Whether the text is a number of days or weeks with a minus sign, such as `-7d`.
    fileprivate var isNegativeDays: Bool { wholeMatch(of: /-[0-9]+[dwDW]/) != nil }

    /// Whether the text consists of numbers, hemisphere letters, commas and spaces only.
    fileprivate var isCoordinates: Bool {
        let digit = first { character in !"-+. ".contains(character) }
        guard let digit, digit.isNumber else { return false }
        return allSatisfy { character in
            character.isNumber || ".,-+NSEWnsewE ".contains(character)
        }
    }
}
