extension NightlyText {
    /// Numbers with their nouns.
    enum Count {
        static func days(_ count: Int) -> String {
            count == 1 ? "\(count) day" : "\(count) days"
        }

        static func dates(_ count: Int) -> String {
            count == 1 ? "\(count) date" : "\(count) dates"
        }

        static func weeks(_ count: Int) -> String {
            count == 1 ? "\(count) week" : "\(count) weeks"
        }

        static func months(_ count: Int) -> String {
            count == 1 ? "\(count) month" : "\(count) months"
        }

        /// The number of due habits that were done, such as `3 of 4`.
        static func done(_ done: Int, of due: Int) -> String {
            "\(done) of \(due)"
        }
    }
}
