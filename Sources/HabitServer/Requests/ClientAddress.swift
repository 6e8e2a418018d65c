import Foundation
import Hummingbird

extension HabitatServer {
    /// The address of the client that sends a request: behind a proxy, the last one in X-Forwarded-For.
    func client(of request: Request, _ context: HabitContext) -> String {
        if options.isBehindProxy, let last = request.headers[.forwardedFor]?.split(separator: ",").last {
            return last.trimmingCharacters(in: .whitespaces)
        }
        return context.peer ?? "-"
    }
}
