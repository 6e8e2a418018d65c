import Rendering

extension PageText {
    /// The texts of lists of records, and of the pages of single records.
    enum Record {
        static let noMore = "No more features follow."
        static let first = "First page"
        static let next = "Next page"
        static let pages = "Pages"
        static let filters = "Filters"
        static let remove = "Remove"
        static let noMatch = "No features match the filters."
        static let removeAll = "Remove all filters"
        static let yes = "yes"
        static let no = "no"
        static let readUntil = "read until"

        static func table(_ title: String) -> String {
            "Table: \(title)"
        }

        static func photo(of name: String) -> String {
            "Photo of \(name)"
        }

        static func removal(of filter: String) -> String {
            "Remove the filter \(filter)"
        }

        static func count(_ count: Int) -> String {
            count == 1 ? "\(count) feature" : "\(count) features"
        }

        static func missing(_ count: Int) -> String {
            let features = self.count(count)
            let verb = count == 1 ? "is" : "are"
            return "\(features) without a position \(verb) not on the map."
        }

        // MARK: Empty lists

        static let noEvents = "No events yet. An event appears here when you record a day of a habit."
        static let yourHabits = "Your habits"
        static let noItems = "No items are available at the moment."
        static let allItems = "Items in all states"
        static let noHabits = "No habits yet. A habit appears here when you create or load it."
        static let createHabit = "How to create a habit"
        static let noPauses = "No pauses yet. A pause appears here when you pause a habit or all habits."
        static let pauseHabit = "How to pause a habit"
        static let noFollows = "Nothing here yet. It fills when you follow other users."
        static let findUsers = "Find users"
        static let noClaims = "Nothing here yet. Claim an item, and write to its owner."
        static let availableItems = "Available items"
        static let nothing = "Nothing here yet."

        // MARK: Days

        static let today = "today"
        static let yesterday = "yesterday"
        static let tomorrow = "tomorrow"

        static func times(inZone zone: String) -> String {
            "Times are in the time zone \(zone)."
        }
    }

    /// The texts of the list of records near a position.
    enum Near {
        static let title = "Near a position"
        static let about = "Events, items and posts with their distances."
        static let nothing = "Nothing is near this position."
        static let map = "Map"

        static func circle(around center: HTML, within distance: HTML) -> HTML {
            "Within \(distance) of \(center)."
        }

        static func nearest(to center: HTML) -> HTML {
            "The nearest records to \(center)."
        }
    }

    /// The texts of the inbox.
    enum Inbox {
        static let title = "Inbox"
        static let about = "Requests, claims and messages that wait for your answer, newest first."
        static let empty = "Nothing waits for you."
        static let messages = "All messages"
        static let openRequest = "Open request"
        static let openClaim = "Open claim"
        static let openConversation = "Open conversation"

        static func request(of user: HTML) -> HTML {
            "\(user) wants to follow you."
        }

        static func unread(_ count: String) -> HTML {
            " · \(count) unread"
        }

        static func claim(of user: HTML, on item: HTML) -> HTML {
            "\(user) has claimed \(item)."
        }

        static func message(of user: HTML, about item: HTML) -> HTML {
            "\(user) writes about \(item):"
        }
    }

    /// The texts of the part of a page for programs that read the same data.
    enum Data {
        static let title = "Use this data"
        static let everyone = "Everyone can read this data."
        static let account = "your account"
        static let collection = "the collection"
        static let fields = "the fields"
        static let conditions = "the conditions of filters"
        static let qgisAdd = "Layer, Add Layer, Add WFS / OGC API - Features Layer, New."
        static let qgisToken = "Authentication: API Header, with the header Authorization and the value Bearer TOKEN."

        static func token(_ word: HTML, account: HTML) -> HTML {
            "Replace \(word) with an access token, which you create in \(account)."
        }

        static func about(_ collection: HTML, fields: HTML, conditions: HTML) -> HTML {
            "Pages that describe this data: \(collection), \(fields) and \(conditions)."
        }

        static func pages(limit: HTML) -> HTML {
            """
            The Python program reads all pages of the list. The other commands read one page. The parameter \(limit) sets its \
            size, at most 10,000 features.
            """
        }

        static func qgisConnection(_ url: HTML) -> HTML {
            "URL: \(url), version: OGC API - Features."
        }

        static func qgisLayer(_ layer: HTML) -> HTML {
            "Connect, and add the layer \(layer). QGIS reads all its pages."
        }

        static func qgisPage(_ url: HTML) -> HTML {
            "For the features of this page only: Add Vector Layer, Protocol, GeoJSON, with the URL \(url)."
        }
    }
}
