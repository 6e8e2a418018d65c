import ArgumentParser
import Base
import HabitModel

struct SettingSet: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "set", abstract: "Change a setting.",
        discussion: """
            The value of a limit is a maximum number of characters. The value of item-photo-limit and post-photo-limit \
            is a maximum number of bytes, up to 1,000,000. Stored texts and photos that are larger than a new limit \
            are unchanged.

            The value of word-list is a file in UTF-8 of at most 256 KiB with the blocked words of messages: a word or \
            phrase per line. A line that begins with + is an exception: its phrase is allowed. A line that begins with \
            # is a comment. The value 'built-in' selects the list of the program again.

            Examples:
              habitat setting set message-limit 500
              habitat setting set post-photo-limit 500000
              habitat setting set word-list words.txt
            """)

    @Argument(help: ArgumentHelp("Name of the setting.", valueName: "name"), completion: .list(SettingRecord.names))
    var name: String
    @Argument(
        help: ArgumentHelp("Number of characters or bytes, or the file of a word list.", valueName: "value"),
        completion: .file()
    )
    var value: String
    @OptionGroup(title: OutputOptions.title) var output: OutputOptions
    @OptionGroup(title: CommonOptions.title) var common: CommonOptions

    mutating func run() throws {
        try common.requireOperator("setting set")
        let record = try record()
        try common.change(output) { session, _, _ in
            try session.writeRecords { writer in _ = try writer.write(.setting(record)) }
            try output.show(setting: name, common, in: session)
        }
    }

    /// Returns the setting, with the word list that the file contains.
    private func record() throws -> SettingRecord {
        guard name == SettingRecord.wordListName, value != SettingRecord.builtIn else {
            return try SettingRecord(name: name, value: value)
        }
        guard !value.isEmpty else {
            throw HabitError(.inputNotFound, "the file name is empty: pass the file of a word list", field: "value")
        }
        let bytes = try Parse.file(value, option: "value", limit: 16 << 20, tooLarge: .parameterInvalid)
        return .wordList(try StoredWordList(bytes: bytes, name: value))
    }
}
