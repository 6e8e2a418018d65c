import HTTPServing
import HTTPTypes
import HabitAPI
import Hummingbird

/// The routes of the sign-in with issuers: the link that starts it, and the address to which an issuer sends a browser
/// back.
extension SignInPageRoutes {
    private static let path = "/sign-in/issuers/{issuer}"

    var issuerRoutes: [Route] {
        [
            .undocumented(Self.path, permission: .anyCaller) { call in
                let step = try await issuers.begin(try call.pathParameter("issuer"), call)
                return response(to: call, with: step)
            },
            .undocumented("\(Self.path)/callback", permission: .anyCaller) { call in
                let step = try await issuers.finish(try call.pathParameter("issuer"), call)
                return response(to: call, with: step)
            },
        ]
    }

    private func response(to call: Call, with step: IssuerSignIn.Step) -> Response {
        switch step.destination {
        case .issuer(let address):
            return redirect(to: address, headers: step.headers)
        case .page(let target):
            return redirect(call, to: target, headers: step.headers)
        case .problem(let problem, let target):
            var page = response(to: call, leadingTo: target, problem: problem)
            page.headers.append(contentsOf: step.headers)
            return page
        case .offer(let target, let timeZone):
            return response(to: call, leadingTo: target, timeZone: timeZone, problem: nil)
        }
    }
}
