import Geo

extension RenderOptions {
    /// The content of an HTML page around its rows.
    public struct PageContent: Sendable, Equatable {
        /// A name and its value: a parameter and its value, a column and its meaning, or a link and its target.
        public struct Entry: Sendable, Equatable {
            /// The name of a parameter, a column or a link.
            public var name: String
            /// The value, the meaning or the target.
            public var value: String

            /// Creates an entry.
            public init(_ name: String, _ value: String) {
                self.name = name
                self.value = value
            }
        }

        /// A circle on the Earth's surface for the maps that have a circle.
        public struct Circle: Sendable, Equatable {
            /// The center of the circle.
            public var center: Position
            /// The geodesic radius.
            public var radius: Distance

            /// Creates a circle.
            public init(center: Position, radius: Distance) {
                self.center = center
                self.radius = radius
            }
        }

        /// The title of the page and of its table.
        public var title = "Habitat"
        /// The paragraph below the title.
        ///
        /// It may be empty.
        public var description = ""
        /// The parameters of the result, with their values as a user writes them.
        public var parameters: [Entry] = []
        /// The columns and their meanings.
        public var columns: [Entry] = []
        /// The same rows in other formats: the name of each format and the path relative to the folder of the page.
        public var links: [Entry] = []
        /// The charts before the table.
        public var charts: [Chart] = []
        /// The circle for the maps that have a circle.
        public var circle: Circle?
        /// Maximum number of rows in the table of a section.
        ///
        /// The charts include all rows. If the number is 0, the section has no table.
        public var mostRows = 500
        /// Maximum number of bars in a chart.
        ///
        /// If there are more rates, the chart shows how many rates are in each tenth of the range.
        public var mostBars = ChartLimit.groups
        /// The links of one column, or `nil` for a table without links.
        public var cellLinks: CellLinks?

        /// Links from the cells of a column to files next to the page.
        public struct CellLinks: Sendable, Equatable {
            /// The name of the column.
            public var column: String
            /// The beginning of the names of the files.
            ///
            /// The value of the cell and `.html` follow.
            public var prefix: String

            /// Creates the links of a column.
            public init(column: String, prefix: String) {
                self.column = column
                self.prefix = prefix
            }

            /// Returns the relative URL of the file of a cell.
            func target(of text: String) -> String {
                FileNameEncoding.url(of: "\(prefix)\(FileNameEncoding.encode(text)).html")
            }
        }

        /// Creates a page with the title `Habitat` and no other content.
        public init() {}
    }
}
