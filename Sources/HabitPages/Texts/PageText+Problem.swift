extension PageText {
    /// The texts of the page of an error, around the description of the error.
    enum Problem {
        static let unauthorized = "Sign in to see this page"
        static let forbidden = "Not permitted"
        static let notFound = "Not found"
        static let gone = "Deleted"
        static let tooManyRequests = "Too many requests"
        static let unavailable = "Not available at the moment"
        static let serverError = "Something went wrong"
        static let failed = "The request failed"
        static let signInAbout =
            """
            This page contains data that is not public. Sign in to see your own records and the records that other users \
            share with you.
            """
        static let noPage = "There is no page at this address. Check the address."
        static let back = "Back to the form"
        static let tryAgain = "Try again"
        static let home = "Go to the home page"

        static func wait(_ time: String) -> String {
            "Try again in \(time)."
        }

        static func seconds(_ count: Int) -> String {
            count > 1 ? "\(count) seconds" : "a second"
        }

        static func minutes(_ count: Int) -> String {
            count > 1 ? "\(count) minutes" : "a minute"
        }

        static func hours(_ count: Int) -> String {
            count > 1 ? "\(count) hours" : "an hour"
        }
    }
}
