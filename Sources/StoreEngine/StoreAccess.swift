/// The access to a store that a caller requests.
public enum StoreAccess: Sendable {
    case read
    case write
    /// Read and write access that creates the store if it does not exist.
    case create
}
