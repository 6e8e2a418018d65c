import ArgumentParser

/// A value in the form that the requesting shell reads.
enum ShellValue {
    /// Returns the text that stands for a value in the output for the requesting shell.
    static func text(_ value: String) -> String { text(value, for: CompletionShell.requesting) }

    /// Returns the text that stands for a value in the output for a shell.
    ///
    /// The Bash shell evaluates the text, so quotes protect it. In the Z shell, a colon begins a description.
    static func text(_ value: String, for shell: CompletionShell?) -> String {
        switch shell {
        case .bash: "'" + value.replacing("'", with: "'\\''") + "'"
        case .zsh: value.replacing("\\", with: "\\\\").replacing(":", with: "\\:")
        default: value
        }
    }
}
