/// The completion script of a shell.
enum CompletionScript {
    /// The option that prints the script.
    private static let option = "--generate-completion-script"

    /// The line of the Bash script that keeps `HABIT@DAY` one word.
    ///
    /// With the completion of host names, `@` ends a word, so that Bash completes a part of the argument. The package
    /// bash-completion contains the same command.
    private static let wholeWords = "shopt -u hostcomplete"

    /// Returns a script of the parser with the changes for its shell.
    ///
    /// - Parameters:
    ///   - text: The output of the parser.
    ///   - arguments: The arguments of the program.
    /// - Returns: The script for a request of the Bash script, otherwise the unchanged text.
    static func presented(_ text: String, for arguments: [String]) -> String {
        let requests = [[option, "bash"], ["\(option)=bash"]]
        return requests.contains(arguments) ? text + "\n" + wholeWords : text
    }
}
