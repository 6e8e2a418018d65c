import Base
import HabitAPI
import Rendering
import StoreEngine

/// Writes the values of records for people: names instead of IDs, local times, and statuses with their symbols.
struct RecordMarkup {
    let site: PageSite
    let names: ReferenceNames
    /// Whether the reader has no token.
    ///
    /// Such a reader cannot open users, habits and items.
    let isPublic: Bool
    /// Whether the page shows one record.
    let isSingle: Bool

    private static let rates: Set<String> = ["completion_rate", "score"]
    private static let amounts: Set<String> = ["amount", "target_amount"]

    /// Returns the value of a column, or an empty text for null.
    ///
    /// - Parameters:
    ///   - name: The name of the column.
    ///   - record: The record.
    /// - Returns: The markup.
    func html(_ name: String, of record: ListedRecord) -> HTML {
        switch record.values[name] {
        case nil: ""
        case .text(let text)?: html(text, in: name, of: record)
        case .number(let number, let text)?: html(number, text, in: name, of: record)
        case .boolean(true)?: "\(PageText.Record.yes)"
        case .boolean(false)?: isSingle ? "\(PageText.Record.no)" : ""
        case .day(let day)?: names.times.html(day, isComplete: isSingle)
        case .instant(let instant)?:
            names.times.html(
                instant,
                after: isSingle ? nil : record.day,
                isComplete: isSingle)
        }
    }

    private func html(_ text: String, in name: String, of record: ListedRecord) -> HTML {
        if ReferenceNames.isUser(name, of: record) { return user(text) }
        return switch name {
        case "item": item(text)
        case "habit": habit(text, title: record.text("title"))
        case "status": .status(text) ?? "\(isolated: text)"
        case "color": swatch(text)
        default: "\(isolated: text)"
        }
    }

    private func html(
        _ number: Double,
        _ text: String,
        in name: String,
        of record: ListedRecord
    ) -> HTML {
        if Self.rates.contains(name) { return "\(Int((number * 100).rounded()))\u{202F}%" }
        if name.hasSuffix("_m") { return "\(Int(number.rounded()))\u{202F}m" }
        guard Self.amounts.contains(name), let unit = record.text("unit") else { return "\(text)" }
        return "\(text) \(isolated: unit)"
    }

    /// Returns the name of a user with a link to the user.
    func user(_ id: String) -> HTML {
        let name = names.user(id)
        return isPublic ? "\(isolated: name)" : link(name, to: id, in: "users")
    }

    /// Returns the name of an item with a link to the item, or its ID if the reader cannot see it.
    func item(_ id: String) -> HTML {
        guard let name = names.item(id) else { return "\(isolated: id)" }
        return link(name, to: id, in: "items")
    }

    private func habit(_ id: String, title: String?) -> HTML {
        isPublic ? "\(isolated: id)" : link(title ?? id, to: id, in: "habits")
    }

    /// Returns a link to a record.
    ///
    /// - Parameters:
    ///   - text: The text of the link.
    ///   - id: The ID of the record.
    ///   - collection: The ID of the collection of the record.
    /// - Returns: The link.
    func link(_ text: String, to id: String, in collection: String) -> HTML {
        let address = "\(site.root)/collections/\(collection)/items/\(id.urlEncoded)"
        return "<a href=\"\(address)\">\(isolated: text)</a>"
    }

    /// Returns a color with its name, or a text that is not a color.
    private func swatch(_ text: String) -> HTML {
        guard let color = Swatch(text)?.color else { return "\(isolated: text)" }
        // The Content-Security-Policy blocks style attributes, but not presentation attributes.
        return """
            <svg class="swatch" viewBox="0 0 8 8" aria-hidden="true"><rect width="8" height="8" fill="\(color)"/></svg>\
            \(color)
            """
    }

    /// Returns the thumbnail of a record's photo, or the photo on the page of the record, with a link to the photo.
    ///
    /// - Parameters:
    ///   - record: The record.
    ///   - name: The text that stands for the record.
    /// - Returns: The image; empty for a record without a photo.
    func photo(of record: ListedRecord, named name: String) -> HTML {
        guard let address = record.text("photo_url") else { return "" }
        let url = site.path(address)
        let width = isSingle ? PhotoWidth.page : .list
        let source = width.url(of: url)
        let kind: HTML = isSingle ? "class=\"photo\"" : "class=\"thumb\" loading=\"lazy\" width=\"64\" height=\"64\""
        return "<a href=\"\(url)\"><img src=\"\(source)\" \(kind) alt=\"\(PageText.Record.photo(of: name))\"></a>"
    }
}

extension ListedRecord {
    /// The date of the record, which its time need not repeat.
    fileprivate var day: Day? {
        guard case .day(let day)? = values["day"] else { return nil }
        return day
    }
}
