import Base
import Foundation
import HTTPServing

/// The exchange of a code for an ID token at the token endpoint of an issuer (RFC 6749, section 4.1.3; RFC 7636).
struct CodeExchange: Sendable {
    let issuer: Issuer
    let metadata: IssuerMetadata
    /// Maximum time for the request.
    let timeout: Duration

    /// The tokens of a response.
    struct Tokens: Sendable {
        let idToken: String
        let accessToken: String?
    }

    /// The error of a token endpoint, for the log.
    enum Fault: Error, LoggableError {
        case status(Int, error: String)
        case otherType
        case malformed
        case noMethod

        var logText: String {
            switch self {
            case .status(let status, let error): "the token endpoint returned status \(status), error '\(error)'"
            case .otherType: "the response of the token endpoint is not JSON"
            case .malformed: "the response of the token endpoint has no valid member id_token"
            case .noMethod: "the issuer supports neither client_secret_basic nor client_secret_post"
            }
        }
    }

    /// Exchanges a code.
    ///
    /// - Parameters:
    ///   - code: The code in the response to the browser.
    ///   - verifier: The text whose digest the authorization request contains.
    ///   - redirectURI: The redirect URI of the authorization request.
    /// - Returns: The tokens.
    /// - Throws: `not-signed-in` if the code is not valid, and `issuer-unavailable` (503) for all other errors.
    func tokens(for code: String, verifier: String, redirectURI: String) async throws -> Tokens {
        let fields = [
            Field("grant_type", "authorization_code"),
            Field("code", code),
            Field("redirect_uri", redirectURI),
            Field("code_verifier", verifier),
        ]
        do {
            let request = try request(fields)
            let response = try await request.response(within: timeout)
            return try Self.tokens(in: response)
        } catch Fault.status(_, error: "invalid_grant") {
            throw issuer.invalidResponse
        } catch {
            throw issuer.unavailable(error)
        }
    }

    /// A field of a form.
    private struct Field {
        let text: String

        init(_ name: String, _ value: String) {
            text = "\(name)=\(value.urlEncoded)"
        }
    }

    /// Returns the request with the client's credentials (RFC 6749, section 2.3.1).
    private func request(_ fields: [Field]) throws(Fault) -> IssuerRequest {
        var fields = fields
        var authorization: String?
        let methods = metadata.authenticationMethods
        if let secret = issuer.clientSecret, methods.contains("client_secret_basic") {
            let credentials = "\(issuer.clientID.urlEncoded):\(secret.urlEncoded)"
            authorization = "Basic " + Data(credentials.utf8).base64EncodedString()
        } else {
            fields.append(Field("client_id", issuer.clientID))
            if let secret = issuer.clientSecret {
                guard methods.contains("client_secret_post") else { throw .noMethod }
                fields.append(Field("client_secret", secret))
            }
        }
        return IssuerRequest(
            url: metadata.tokenEndpoint,
            form: fields.map(\.text).joined(separator: "&"),
            authorization: authorization)
    }

    private static func tokens(in response: IssuerRequest.Response) throws -> Tokens {
        let members = try? JSONSlice(response.body[...]).members()
        guard response.status == 200 else {
            let error = try? members?["error"]?.text()
            throw Fault.status(response.status, error: loggable(error ?? ""))
        }
        let type = response.type.flatMap { type in HeaderValue(type)?.word }
        guard type == "application/json" else { throw Fault.otherType }
        guard let idToken = try members?["id_token"]?.text() else { throw Fault.malformed }
        let tokenType = try members?["token_type"]?.text()
        guard tokenType == nil || tokenType?.lowercased() == "bearer" else { throw Fault.malformed }
        return Tokens(idToken: idToken, accessToken: try members?["access_token"]?.text())
    }

    /// Returns an error code for the log, or an empty text if it is not an error code of the standard's form.
    private static func loggable(_ error: String) -> String {
        let isCode = error.utf8.allSatisfy(HeaderValue.isTokenByte)
        return isCode && error.utf8.count <= 60 ? error : ""
    }
}
