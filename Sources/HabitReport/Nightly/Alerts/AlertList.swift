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
        text.append("\n\(NightlyText.Alerts.title)\n")
        var lines = new.map { alert in "- \(alert.message)" }
        if new.isEmpty {
            lines.append(open.isEmpty ? NightlyText.Alerts.none : NightlyText.Alerts.noneNew)
        }
        if !open.isEmpty {
            lines.append(NightlyText.Alerts.stillOpenInFile(open.count, file: file))
        }
        for line in lines {
            text.append("  ")
            text.append(paragraph: line, width: width)
        }
    }

    /// The list as a part of the page: new alerts, and the other alerts folded.
    var html: HTML {
        guard !isEmpty else { return "" }
        return """
            <section id="\(Self.anchor)">
            <h2>\(NightlyText.Alerts.title)</h2>
            \(newAlerts)\(openAlerts)</section>

            """
    }

    private var newAlerts: HTML {
        guard !new.isEmpty else { return "<p>\(NightlyText.Alerts.noNewAlerts)</p>\n" }
        let items = items(new) { alert in
            "<strong class=\"mark\">\(NightlyText.Alerts.new)</strong> \(isolated: alert.message.shortened)"
        }
        return "<ul>\n\(items)</ul>\n"
    }

    private var openAlerts: HTML {
        guard !open.isEmpty else { return "" }
        let items = items(open) { alert in
            NightlyText.Alerts.open("\(isolated: alert.message.shortened)", since: alert.raised.description)
        }
        return """
            <details><summary>\(NightlyText.Alerts.stillOpen(open.count))</summary>
            <ul>
            \(items)</ul>
            </details>

            """
    }

    private func items(_ alerts: [NightlyAlert], _ item: (NightlyAlert) -> HTML) -> HTML {
        var items: HTML = ""
        for alert in alerts.prefix(Self.mostOnPage) {
            items += "<li>\(item(alert))</li>\n"
        }
        guard alerts.count > Self.mostOnPage else { return items }
        let more = NightlyText.Alerts.more(alerts.count - Self.mostOnPage)
        return items + "<li><a href=\"\(file)\">\(more)</a></li>\n"
    }
}
