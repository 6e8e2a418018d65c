import HabitReport
import Rendering

/// A small drawing of the kind of chart that a report has.
enum ChartPicture: CaseIterable {
    case calendar, weeks, line, bars, map, table

    /// Chooses the drawing of the first chart of a report, or a table for a report without a chart.
    init(_ report: Report) {
        switch report.charts.first {
        case .calendar: self = .calendar
        case .week: self = .weeks
        case .line: self = .line
        case .bars: self = .bars
        case .map: self = .map
        case nil: self = .table
        }
    }

    /// The drawing, which the title of its report describes.
    var svg: HTML {
        """
        <svg class="picture" viewBox="0 0 48 32" width="48" height="32" aria-hidden="true" focusable="false">\(shapes)</svg>
        """
    }

    private var shapes: HTML {
        switch self {
        case .calendar: calendar
        case .weeks: weeks
        case .line:
            "<path class=\"stroke\" d=\"M4 26 L14 18 L22 21 L32 9 L44 6\"/><path class=\"thin\" d=\"M3 29 H45\"/>"
        case .bars:
            """
            <path class="thick" d="M4 7 H42"/><path class="thick" d="M4 16 H30"/>\
            <path class="thick faint" d="M4 25 H18"/>
            """
        case .map:
            """
            <path class="thin" d="M2 24 C10 18 12 28 20 22 S34 26 46 16"/>\
            <circle class="fill" cx="14" cy="12" r="4"/><circle class="fill faint" cx="32" cy="9" r="4"/>\
            <circle class="fill" cx="36" cy="22" r="3"/>
            """
        case .table:
            """
            <path class="thick" d="M4 7 H44"/><path class="thin" d="M4 14 H44"/>\
            <path class="thin" d="M4 20 H44"/><path class="thin" d="M4 26 H44"/>
            """
        }
    }

    /// Rows of days, of which some are done.
    private var calendar: HTML {
        """
        <path class="dots" d="M6 7 h.1 M15 7 h.1 M33 7 h.1 M42 7 h.1 M6 16 h.1 M24 16 h.1 M33 16 h.1 M15 25 h.1 M24 25 h.1 M42 25 h.1"/>\
        <path class="dots faint" d="M24 7 h.1 M15 16 h.1 M42 16 h.1 M6 25 h.1 M33 25 h.1"/>
        """
    }

    /// The hours of weekdays: circles of several sizes.
    private var weeks: HTML {
        """
        <circle class="fill" cx="8" cy="9" r="5"/><circle class="fill faint" cx="24" cy="9" r="3"/>\
        <circle class="fill" cx="39" cy="9" r="2"/><circle class="fill faint" cx="8" cy="23" r="2"/>\
        <circle class="fill" cx="24" cy="23" r="5"/><circle class="fill" cx="39" cy="23" r="4"/>
        """
    }
}
