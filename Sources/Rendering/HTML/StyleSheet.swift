/// A style sheet of pages.
package enum StyleSheet: String, CaseIterable, Sendable {
    /// The colors of every page, and the rules that every page shares.
    case tokens
    /// The frame, the text, the tables and the lists of pages.
    case page
    /// Charts and their legends.
    case charts

    /// The name of the file, such as `page.css`.
    package var fileName: String { "\(rawValue).css" }

    /// The content of the file.
    ///
    /// It contains no text that ends a `style` element.
    package var text: String { String(decoding: bytes, as: UTF8.self) }

    /// The content of the file in UTF-8.
    package var bytes: [UInt8] {
        switch self {
        case .tokens: PackageResources.tokens_css
        case .page: PackageResources.page_css
        case .charts: PackageResources.charts_css
        }
    }
}
