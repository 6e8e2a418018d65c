import Base
import HabitModel
import Rendering

/// The alerts of a nightly run in its text summary and on its page: new alerts first, then the number of all others.
struct AlertList {
    /// The anchor of the list on the page.
    static let anchor = "alerts"
    /// Maximum number of new alerts, and of other alerts, on the page.
    private static let mostOnPage = 10

    private let new: [NightlyAlert]
    private let open: [NightlyAlert]
    private let file: String

    /// Creates a list.
    ///
    /// - Parameters:
    ///   - alerts: The alerts of the run.
    ///   - day: The date of the run, on which new alerts are raised.
    ///   - file: The name of the file with all alerts.
    init(_ alerts: [NightlyAlert], on day: Day, file: String) {
        new = alerts.filter { $0.raised == day }
        open = alerts.filter { $0.raised != day }
        self.file = file
    }

    /// Whether the run has no alerts.
    var isEmpty: Bool { new.isEmpty && open.isEmpty }

    /// Appends the list to the text summary.
    ///
    /// - Parameters:
    ///   - text: The buffer of the summary.
    ///   - width: The maximum width of a line in terminal columns.
    func append(to text: OutputBuffer, width: Int) {
        text.append("\nAlerts\n")
        let messages = new.isEmpty ? [open.isEmpty ? "none" : "none new"] : new.map { "- \($0.message)" }
        for message in messages + (open.isEmpty ? [] : ["Still open: \(open.count), see \(file)"]) {
            text.append("  ")
            text.append(paragraph: message, width: width)
        }
    }

    /// The list as a part of the page: new alerts, and the other alerts folded.
    var html: HTML {
        guard !isEmpty else { return "" }
        let first: HTML =
            new.isEmpty
            ? "<p>No new alerts.</p>\n"
            : "<ul>\n\(items(new) { "<strong class=\"mark\">New</strong> \(isolated: $0.message.shortened)" })</ul>\n"
        let rest: HTML =
            open.isEmpty
            ? ""
            : """
            <details><summary>Still open: \("\(open.count)")</summary>
            <ul>
            \(items(open) { "\(isolated: $0.message.shortened) (since \($0.raised.description))" })</ul>
            </details>

            """
        return "<section id=\"\(Self.anchor)\">\n<h2>Alerts</h2>\n\(first)\(rest)</section>\n"
    }

    private func items(_ alerts: [NightlyAlert], _ item: (NightlyAlert) -> HTML) -> HTML {
        let items = alerts.prefix(Self.mostOnPage).reduce("" as HTML) { $0 + "<li>\(item($1))</li>\n" }
        guard alerts.count > Self.mostOnPage else { return items }
        return items + "<li><a href=\"\(file)\">\("\(alerts.count - Self.mostOnPage)") more</a></li>\n"
    }
}
