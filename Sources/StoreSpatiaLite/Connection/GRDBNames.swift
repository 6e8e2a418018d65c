import StoreEngine

// GRDB declares types with the same names.
typealias Row = StoreEngine.Row
typealias SQL = StoreEngine.SQL
typealias Statement = StoreEngine.Statement
