import StoreEngine

/// The table function that reads a list of keys.
///
/// On a cluster, a list is one parameter for each shard. A list of parameters would be a longer statement for each shard.
enum ListedKeys {
    private static let name = "listed_keys"

    /// A function whose argument is a text of decimal numbers, separated by commas.
    static var function: TableFunction {
        TableFunction(name, columns: [.init("key", .integer)], parameters: ["keys"]) { arguments, _ in
            guard case .text(let text) = arguments.first else {
                return KeyRows([])
            }
            let keys = text.split(separator: ",").compactMap { number in Int64(number) }
            return KeyRows(keys)
        }
    }

    /// Returns a SELECT of the keys in a list.
    ///
    /// - Parameter parameter: The parameter with the list.
    /// - Returns: A SELECT with one column.
    static func select(_ parameter: String) -> String {
        "SELECT key FROM \(name)(\(parameter))"
    }
}
