import Base
import HTTPServing
import HabitAPI
import Rendering
import StoreEngine

/// The page of the inbox: pending entries, each with a link to the page on which the reader responds.
final class InboxList: WebPageInbox {
    private(set) var rowCount = 0
    private let shape: ResultShape
    private let names: RecordNames
    private let site: PageSite
    private var entries: [ListedRecord] = []
    private var references: ReferenceNames?

    /// Creates an empty inbox.
    ///
    /// - Parameters:
    ///   - shape: The columns of the entries.
    ///   - names: The names that the page may show.
    ///   - site: The server's addresses.
    init(_ shape: ResultShape, names: RecordNames, site: PageSite) {
        self.shape = shape
        self.names = names
        self.site = site
    }

    func begin() {}

    func append(_ row: some Row) {
        rowCount += 1
        let id = row.text(shape.index(of: "id")) ?? ""
        entries.append(ListedRecord(id: id, of: row, columns: shape.columns))
    }

    func end() throws {
        references = try ReferenceNames(of: entries, names)
    }

    var page: RenderedWebPage {
        var page = WebPage(title: PageText.Inbox.title)
        page.description = PageText.Inbox.about
        page.trail = WebPage.Link.links(of: .home, base: site.base)
        page.alternates = [WebPage.Alternate(type: .json, href: address)]
        page.styles = ["records.css"]
        page.content = list + DataSnippets(ofRows: address).html(site)
        return page.rendered(site)
    }

    private var address: String { "\(site.base)/inbox?f=json" }

    private var list: HTML {
        guard let references, !entries.isEmpty else {
            return "<p class=\"empty\">\(PageText.Inbox.empty)\(messages)</p>\n"
        }
        let markup = RecordMarkup(site: site, names: references, isPublic: false, isSingle: false)
        var items: HTML = ""
        for entry in entries {
            items += item(entry, markup)
        }
        return "<ul class=\"entries\">\n\(items)</ul>\n\(references.times.note)"
    }

    /// The link to the messages if the server shows them.
    private var messages: HTML {
        guard site.sections.contains(.items) else { return "" }
        return " <a href=\"\(site.root)/collections/messages/items\">\(PageText.Inbox.messages)</a>"
    }

    private func item(_ entry: ListedRecord, _ markup: RecordMarkup) -> HTML {
        let kind = entry.text("kind") ?? ""
        let text: HTML = kind == "message" ? "<p>\(isolated: entry.text("text") ?? "")</p>" : ""
        let time = markup.html("at", of: entry)
        let count = entry.text("unread") ?? "0"
        let unread: HTML = count == "0" ? "" : PageText.Inbox.unread(count)
        return """
            <li><div><p>\(sentence(entry, kind: kind, markup))</p>\(text)<p class="note">\(time)\(unread)</p></div>
            <a class="button" href="\(target(of: entry, kind: kind))">\(Self.action(kind))</a></li>

            """
    }

    /// Returns who does what, with links.
    private func sentence(
        _ entry: ListedRecord,
        kind: String,
        _ markup: RecordMarkup
    ) -> HTML {
        let user = markup.user(entry.text("user") ?? "")
        let item = markup.item(entry.text("item") ?? "")
        return switch kind {
        case "request": PageText.Inbox.request(of: user)
        case "claim": PageText.Inbox.claim(of: user, on: item)
        default: PageText.Inbox.message(of: user, about: item)
        }
    }

    private static func action(_ kind: String) -> String {
        switch kind {
        case "request": PageText.Inbox.openRequest
        case "claim": PageText.Inbox.openClaim
        default: PageText.Inbox.openConversation
        }
    }

    /// Returns the path of the page on which the reader responds.
    private func target(of entry: ListedRecord, kind: String) -> String {
        let collections = "\(site.root)/collections"
        let user = entry.text("user") ?? ""
        let item = entry.text("item") ?? ""
        let reader = site.visit.caller.personName ?? ""
        switch kind {
        case "request":
            let follow = CompositeID.text([user, reader])
            return "\(collections)/follows/items/\(follow.urlEncoded)"
        case "claim":
            let claim = CompositeID.text([item, user])
            return "\(collections)/claims/items/\(claim.urlEncoded)"
        default:
            return "\(collections)/messages/items?item=\(item.urlEncoded)&user=\(user.urlEncoded)"
        }
    }
}

extension ResultShape {
    /// Returns the index of a column, or 0 if there is no such column.
    fileprivate func index(of name: String) -> Int {
        columns.first { column in column.name == name }?.index ?? 0
    }
}
