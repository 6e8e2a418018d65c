import Rendering

extension PageText {
    /// The texts of the home page.
    enum Home {
        static let ways = "Lists and pages"
        static let aboutAPI = "About the API"
        static let asJSON = "this page as JSON"

        // MARK: Ways to other pages

        static let applicationAbout = "Record your habits, also without a connection."
        static let reportsAbout = "Streaks, completion and places, as charts and tables."
        static let mapAbout = "Records with a position, on a map."
        static let accountAbout = "Your name, your time zone, your devices and your data."
        static let operatorAccountAbout = "The role of the operator, and the end of the session."

        static let events = "Done and skipped days of habits, newest first."
        static let locatedEvents = "The events that have a place, for a map."
        static let items = "Items that people give away."
        static let posts = "Photos that people have posted."
        static let habits = "Habits with their days and their status."
        static let pauses = "Times in which habits are paused."
        static let following = "The habits of the people you follow."
        static let follows = "Follows and follow requests between people."
        static let claims = "Claims of people on items."
        static let messages = "Conversations about items."
        static let reads = "The conversations that you have read, up to a time."
        static let users = "People on this server, whom you can follow."

        // MARK: The page of a person

        static let today = "Today"
        static let due = "Due today"
        static let nothingDue = "Nothing is due today."
        static let noHabits = "You have no habits yet."
        static let yourHabits = "Your habits"
        static let allHabits = "All habits"
        static let done = "Done"
        static let partlyDone = "Partly done"
        static let skipped = "Skipped"
        static let open = "Open"
        static let waiting = "Waiting for you"
        static let nothingWaits = "Nothing waits for you."
        static let friends = "Friends"
        static let noFriendEvents = "The people you follow have recorded nothing yet."
        static let findPeople = "Find people"
        static let allFriendEvents = "All newest events of friends"
        static let skippedEvent = "skipped"

        static func progress(_ count: Int, of dueCount: Int) -> String {
            "\(count) of \(dueCount) done"
        }

        static func streak(_ days: Int) -> String {
            "\(days) in a row"
        }

        static func requestCount(_ count: Int) -> String {
            count == 1 ? "\(count) follow request" : "\(count) follow requests"
        }

        static func claimCount(_ count: Int) -> String {
            count == 1 ? "\(count) claim on your items" : "\(count) claims on your items"
        }

        static func messageCount(_ count: Int) -> String {
            count == 1 ? "\(count) message to answer" : "\(count) messages to answer"
        }

        // MARK: The page of a visitor

        static func about(_ contents: String) -> String {
            "\(contents), on your own server."
        }

        static let everyone = "Open to everyone"

        // MARK: The page of the operator

        static let operatorTitle = "Operator"
        static let operatorAbout = "You see the records of all users. You have no habits of your own."
        static let commands = "On the command line"
        static let numbers = "In the store"
        static let people = "People"
        static let habitCount = "Habits"
        static let eventCount = "Events"
        static let itemCount = "Items"
        static let postCount = "Posts"

        static func commandsAbout(_ program: HTML) -> HTML {
            """
            Accounts, access tokens, settings, backups and checks of the store are commands of the program \(program), whose \
            help lists them.
            """
        }

        static func more(than count: Int) -> String {
            "more than \(count)"
        }
    }
}
