import ArgumentParser
import Base
import Foundation

/// The options of a command, from the description of the parser.
///
/// The description takes several milliseconds, so it is only made for arguments that may be invalid.
struct CommandOptions {
    /// The description of the parser.
    private struct Description: Decodable {
        struct Command: Decodable { var arguments: [Argument]? }

        struct Argument: Decodable {
            struct Name: Decodable {
                var kind: String
                var name: String
            }

            var kind: String
            var isRepeating: Bool
            var parsingStrategy: String
            var names: [Name]?
        }

        var command: Command
    }

    private struct Option {
        /// Whether the following argument is the value.
        var hasValue: Bool
        var isRepeating: Bool
    }

    /// The options by their names with dashes.
    ///
    /// The parser accepts `--version` at each command, but describes it only at the program.
    private var options = ["--version": Option(hasValue: false, isRepeating: true)]

    /// Reads the description of a command.
    init(of command: any ParsableCommand.Type) {
        let json = Data(command._dumpHelp().utf8)
        let arguments = try? JSONDecoder().decode(Description.self, from: json).command.arguments
        for argument in arguments ?? [] {
            let isFlag = argument.kind == "flag"
            let readsSeveral = argument.parsingStrategy == "upToNextOption"
            let option = Option(hasValue: !isFlag && !readsSeveral, isRepeating: isFlag || argument.isRepeating)
            for name in argument.names ?? [] {
                options[(name.kind == "long" ? "--" : "-") + name.name] = option
            }
        }
    }

    /// Returns the first option with one value that the arguments contain twice, or `nil`.
    func firstRepeated(in arguments: some Sequence<String>) -> String? {
        var found: Set<String> = []
        return names(in: arguments).first { name in
            guard let option = options[name], !option.isRepeating else { return false }
            return !found.insert(name).inserted
        }
    }

    /// Returns the first option in the arguments that the command does not have, or `nil`.
    func firstUnknown(in arguments: some Sequence<String>) -> String? {
        names(in: arguments).first { name in options[name] == nil }
    }

    /// Returns whether the arguments are only options of the command and their values.
    func acceptsAll(_ arguments: some Sequence<String>) -> Bool {
        var isValue = false
        for argument in arguments {
            if isValue {
                isValue = false
                continue
            }
            let name = String(argument.prefix { $0 != "=" })
            guard let option = options[name] else { return false }
            isValue = option.hasValue && name == argument
        }
        return true
    }

    /// Returns the option with the most similar name, or `nil` if no name is similar.
    func nearest(to name: String) -> String? {
        let prefix = "--"
        guard name.hasPrefix(prefix) else { return nil }
        let names = options.keys.filter { $0.hasPrefix(prefix) }.map { String($0.dropFirst(prefix.count)) }
        let nearest = names.sorted().nearestSpelling(withinThirdOf: String(name.dropFirst(prefix.count)))
        return nearest.map { prefix + $0 }
    }

    /// Returns the names of the options in the arguments, in their order and without their values.
    private func names(in arguments: some Sequence<String>) -> [String] {
        var names: [String] = []
        var isValue = false
        for argument in arguments {
            guard !isValue else {
                isValue = false
                continue
            }
            guard argument != "--" else { break }
            guard argument.hasPrefix("-"), argument.count > 1 else { continue }
            let name = String(argument.prefix { $0 != "=" })
            names.append(name)
            isValue = options[name]?.hasValue == true && name == argument
        }
        return names
    }
}
