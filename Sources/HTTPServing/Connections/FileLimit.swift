import Glibc

/// The limit on open files of the process, including sockets.
package enum FileLimit {
    /// Raises the limit to `count` if it is lower, as far as the system allows.
    ///
    /// - Parameter count: The number of files that the server needs.
    /// - Returns: The limit in force, or `count` if it is unknown.
    package static func raise(to count: Int) -> Int {
        var limit = rlimit()
        guard getrlimit(openFiles, &limit) == 0 else { return count }
        let wanted = rlim_t(clamping: count)
        guard limit.rlim_cur < wanted else { return count }
        limit.rlim_cur = min(wanted, limit.rlim_max)
        _ = setrlimit(openFiles, &limit)
        guard getrlimit(openFiles, &limit) == 0 else { return count }
        return Int(clamping: limit.rlim_cur)
    }

    private static var openFiles: __rlimit_resource_t {
        __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    }
}
