import HabitAPI
import HabitModel
import HabitReport

/// The command of the command line that runs a report with the parameters of a form.
struct ReportCommand {
    let form: ReportForm
    /// The ID of the person; `nil` for the operator.
    let user: String?

    /// The words of the command, without the quoting of a shell.
    var words: [String] {
        var words = ["habitat", "report", "run", form.report.id]
        if let user {
            words += ["--as", user]
        }
        for parameter in form.report.parameters {
            guard let text = form.texts[parameter.optionName] else { continue }
            // The equals sign keeps a value that begins with a hyphen from being an option.
            words.append("--\(parameter.optionName)=\(Self.value(of: parameter, text))")
        }
        return words
    }

    /// The command as a line for a POSIX shell.
    var line: String {
        words.map(Self.quoted).joined(separator: " ")
    }

    /// Returns the value of an option for the text of a form.
    private static func value(of parameter: ReportParameter, _ text: String) -> String {
        switch parameter.kind {
        case .position: latitudeFirst(text)
        // The command line reads an area from a file.
        case .area: "AREA.geojson"
        default: text
        }
    }

    private static func latitudeFirst(_ text: String) -> String {
        text.split(separator: ",", omittingEmptySubsequences: false).reversed().joined(separator: ",")
    }

    /// Returns a word that a POSIX shell reads as one word with exactly this text.
    static func quoted(_ word: String) -> String {
        let isPlain = word.utf8.allSatisfy { byte in plain.contains(byte) }
        guard word.isEmpty || !isPlain else { return word }
        return "'\(word.replacing("'", with: #"'\''"#))'"
    }

    /// The characters that no shell interprets.
    private static let plain = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-.,:/@%+=".utf8)
}
