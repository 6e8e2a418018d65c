import ArgumentParser
import Base
import Foundation
import HabitIngest
import HabitModel

/// The options for files with delimited columns of other programs.
struct TableFormatOptions: ParsableArguments {
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "CSV: delimiter, one character or 'tab' (default for 'import': determined from the first lines; for 'ingest': a comma or a tab).",
            valueName: "character"), completion: .list(["tab"]))
    var delimiter: String?
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "CSV: decimal separator, . or , (default: , in files with semicolons, otherwise .).",
            valueName: "character"), completion: .anyText)
    var decimal: String?
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "CSV: form of dates as a Unicode pattern, such as dd.MM.yyyy (default: ISO 8601).", valueName: "pattern"),
        completion: .anyText)
    var dateFormat: String?
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("CSV: encoding of the text: utf8, latin1 or utf16 (default: utf8).", valueName: "name"))
    var encoding: TableOptions.Encoding?
    @Option(
        parsing: .unconditionalSingleValue,
        help: ArgumentHelp(
            "CSV: column of a field, such as day=Date; repeatable. The fields are "
                + TableOptions.importFields.joined(separator: ", ") + ".",
            valueName: "field=column"), completion: .anyText)
    var map: [String] = []
    @Option(
        parsing: .unconditionalSingleValue,
        help: ArgumentHelp(
            "CSV: meaning of a word in the outcome column: done, none or skipped; repeatable.",
            valueName: "word=meaning"), completion: .anyText)
    var value: [String] = []
    @Flag(help: "CSV: create the habits that a file names and the store does not have.")
    var createHabits = false

    /// Whether any of the options is given.
    var isUsed: Bool {
        [delimiter, decimal, dateFormat].contains { $0 != nil } || encoding != nil || !map.isEmpty || !value.isEmpty
            || createHabits
    }

    /// Returns the options as values.
    ///
    /// - Parameter acceptsAllFields: Whether a column can have every field, not only the fields of an import.
    /// - Returns: The form of the table.
    /// - Throws: `parameter-invalid`.
    func tableOptions(acceptsAllFields: Bool) throws -> TableOptions {
        var options = TableOptions()
        options.delimiter = try delimiter.map(Self.delimiter)
        options.decimal = try decimal.map(Self.decimal)
        options.dateFormat = try dateFormat.map { try DatePattern($0, field: "date-format") }
        options.encoding = encoding ?? .utf8
        for text in map {
            let names = try Self.pair(text, option: "map")
            try options.map(names.first, to: names.second, acceptsAllFields: acceptsAllFields)
        }
        for text in value {
            let names = try Self.pair(text, option: "value")
            guard let outcome = OutcomeWord(rawValue: names.second) else {
                throw HabitError(
                    .parameterInvalid, "'\(names.second)' is not an outcome: use done, none or skipped", field: "value")
            }
            options.words[names.first.folded] = outcome
        }
        return options
    }

    private static func delimiter(_ text: String) throws -> UInt8 {
        if ["tab", "\\t"].contains(text) { return UInt8(ascii: "\t") }
        guard text.utf8.count == 1, let byte = text.utf8.first, !(text.first?.isLetter ?? true),
            !(text.first?.isNumber ?? true), byte != UInt8(ascii: "\""), byte >= 0x20 || byte == 0x09
        else {
            throw HabitError(
                .parameterInvalid, "'\(text)' is not a delimiter: use one character such as ; or the word tab",
                field: "delimiter")
        }
        return byte
    }

    private static func decimal(_ text: String) throws -> Character {
        guard text == "." || text == ",", let character = text.first else {
            throw HabitError(.parameterInvalid, "'\(text)' is not a decimal separator: use . or ,", field: "decimal")
        }
        return character
    }

    /// Returns the names before and after the equals sign.
    private static func pair(_ text: String, option: String) throws -> (first: String, second: String) {
        guard let sign = text.firstIndex(of: "="), sign > text.startIndex else {
            throw HabitError(
                .parameterInvalid, "'\(text)' is not a value of --\(option): write two names with = between them",
                field: option)
        }
        let first = text[..<sign]
        let second = text[text.index(after: sign)...]
        return (String(first), String(second))
    }
}

extension TableOptions.Encoding: ExpressibleByArgument {}
