import StoreEngine

// GRDB has types of the same names.
typealias Row = StoreEngine.Row
typealias SQL = StoreEngine.SQL
typealias Statement = StoreEngine.Statement
