import HabitAPI
import Rendering

/// The words of a list without features, and what the reader can do.
struct EmptyList {
    private let list: ListRequest
    /// The ID of the collection; `nil` for the records near a position.
    private let collection: String?

    /// Creates the words.
    ///
    /// - Parameters:
    ///   - list: The list.
    ///   - collection: The ID of the collection; `nil` for the records near a position.
    init(_ list: ListRequest, collection: String?) {
        self.list = list
        self.collection = collection
    }

    /// Returns the paragraph.
    ///
    /// - Parameter site: The server's addresses.
    /// - Returns: The paragraph with a link.
    func html(_ site: PageSite) -> HTML {
        if let first = list.firstPage {
            return Self.paragraph(PageText.Record.noMore, link: PageText.Record.first, to: site.path(first))
        }
        if !list.filters.isEmpty {
            return Self.paragraph(
                PageText.Record.noMatch,
                link: PageText.Record.removeAll,
                to: site.path(list.unfiltered))
        }
        return advice(site)
    }

    /// Returns the paragraph of a collection that contains nothing for the reader.
    private func advice(_ site: PageSite) -> HTML {
        let collections = "\(site.root)/collections"
        return switch collection {
        case nil:
            Self.paragraph(PageText.Near.nothing, link: PageText.Near.map, to: "\(site.root)/map")
        case "events", "located-events":
            Self.paragraph(
                PageText.Record.noEvents,
                link: PageText.Record.yourHabits,
                to: "\(collections)/habits/items")
        case "items":
            Self.paragraph(
                PageText.Record.noItems,
                link: PageText.Record.allItems,
                to: "\(collections)/items/items?state=all")
        case "habits":
            Self.paragraph(
                PageText.Record.noHabits,
                link: PageText.Record.createHabit,
                to: "\(site.root)/api")
        case "pauses":
            Self.paragraph(
                PageText.Record.noPauses,
                link: PageText.Record.pauseHabit,
                to: "\(site.root)/api")
        case "following", "posts", "follows":
            Self.paragraph(
                PageText.Record.noFollows,
                link: PageText.Record.findUsers,
                to: "\(collections)/users/items")
        case "claims", "messages":
            Self.paragraph(
                PageText.Record.noClaims,
                link: PageText.Record.availableItems,
                to: "\(collections)/items/items")
        default:
            Self.paragraph(PageText.Record.nothing, link: PageText.Frame.collections, to: collections)
        }
    }

    private static func paragraph(_ text: String, link: String, to path: String) -> HTML {
        "<p class=\"empty\">\(text) <a href=\"\(path)\">\(link)</a></p>\n"
    }
}
