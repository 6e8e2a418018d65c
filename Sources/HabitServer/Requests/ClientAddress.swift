import Foundation
import Hummingbird

extension HabitatServer {
    /// Returns the IP address of the client, or `-` if it is unknown.
    ///
    /// If the server runs behind a proxy, the address is the last one in X-Forwarded-For.
    func client(of request: Request, _ context: HabitContext) -> String {
        if options.isBehindProxy, let last = request.headers[.forwardedFor]?.split(separator: ",").last {
            return last.trimmingCharacters(in: .whitespaces)
        }
        return context.peer ?? "-"
    }
}
