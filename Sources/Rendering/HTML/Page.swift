import Geo

extension RenderOptions {
    /// What an HTML page says beside its rows.
    public struct Page: Sendable, Equatable {
        /// A name and what belongs to it: a parameter and its value, a column and its meaning, a link and its target.
        public struct Entry: Sendable, Equatable {
            public var name: String
            public var value: String

            public init(_ name: String, _ value: String) {
                self.name = name
                self.value = value
            }
        }

        /// A circle on the ground, drawn into each map that asks for one.
        public struct Circle: Sendable, Equatable {
            public var center: Position
            public var radius: Distance

            public init(center: Position, radius: Distance) {
                self.center = center
                self.radius = radius
            }
        }

        public var title = "Habitat"
        public var description = ""
        /// The parameters that were used, as people write them.
        public var parameters: [Entry] = []
        /// What the columns mean.
        public var columns: [Entry] = []
        /// The same rows in other formats: the name of each, and its path from the page's folder.
        public var links: [Entry] = []
        public var charts: [Chart] = []
        public var circle: Circle?

        public init() {}
    }
}
