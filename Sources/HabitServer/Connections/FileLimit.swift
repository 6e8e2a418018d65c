import Glibc

/// The limit on open files of the process, including sockets.
enum FileLimit {
    /// Raises the limit to `count` if it is lower, as far as the system allows.
    ///
    /// - Parameter count: The number of files that the server needs.
    /// - Returns: The limit in force, or `count` if it is unknown.
    static func raise(to count: Int) -> Int {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return count }
        guard limit.rlim_cur < rlim_t(clamping: count) else { return count }
        limit.rlim_cur = min(rlim_t(clamping: count), limit.rlim_max)
        _ = setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return count }
        return Int(clamping: limit.rlim_cur)
    }
}
