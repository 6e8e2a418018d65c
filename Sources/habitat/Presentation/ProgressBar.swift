import Foundation
import HabitIngest

/// A line on the terminal that shows the progress of a load.
///
/// It is erased at the end of the load.
final class ProgressBar {
    private static let width = 24

    private let isShown: Bool
    private var isDrawn = false
    private var lastDrawn = ContinuousClock.now

    init(isShown: Bool) { self.isShown = isShown }

    /// Draws the progress, at most ten times a second.
    func show(_ progress: LoadProgress) {
        let now = ContinuousClock.now
        guard isShown, now - lastDrawn > .milliseconds(100) else { return }
        lastDrawn = now
        isDrawn = true
        var text = "\r\u{1b}[K"
        if let total = progress.bytesTotal, total > 0 {
            let fraction = min(1, Double(progress.bytesRead) / Double(total))
            let full = Int(fraction * Double(Self.width))
            text += String(repeating: "█", count: full)
            text += String(repeating: "░", count: Self.width - full)
            text += " \(Int(fraction * 100)) % "
        }
        text += "\(progress.rows) rows  \((progress.file as NSString).lastPathComponent)"
        ErrorReport.write(text)
    }

    func clear() {
        guard isDrawn else { return }
        isDrawn = false
        ErrorReport.write("\r\u{1b}[K")
    }
}
