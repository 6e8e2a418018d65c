import ArgumentParser
import Base
import HabitModel
import HabitServer

/// The options of sign-in with OpenID Connect issuers.
struct IssuerOptions: ParsableArguments {
    @Option(
        parsing: .singleValue,
        help: ArgumentHelp(
            "URL of an OpenID Connect issuer with which persons can sign in; repeatable.", valueName: "url"))
    var oidcIssuer: [String] = []
    @Option(
        parsing: .singleValue,
        help: ArgumentHelp("Client ID of this server at the issuer; once for each issuer.", valueName: "id"))
    var oidcClientID: [String] = []
    @Option(
        parsing: .singleValue,
        help: ArgumentHelp(
            "File with the client secret, or - for none; only its owner may have permissions on it; once for each issuer (default: none).",
            valueName: "file"))
    var oidcClientSecretFile: [String] = []
    @Option(
        parsing: .singleValue,
        help: ArgumentHelp(
            "Name of the issuer on the sign-in page and in its redirect URI; once for each issuer (default: the host of the URL).",
            valueName: "name"))
    var oidcName: [String] = []
    @Option(
        parsing: .singleValue,
        help: ArgumentHelp(
            "Issuer whose verified e-mail addresses open the accounts that you have created; repeatable.",
            valueName: "url"))
    var oidcTrustEmail: [String] = []
    @Option(
        help: ArgumentHelp(
            "Client ID at Google; requires --google-client-secret-file. Google's addresses open the accounts that you have created.",
            valueName: "id"))
    var googleClientID: String?
    @Option(
        help: ArgumentHelp(
            "File with the client secret of Google; only its owner may have permissions on it.", valueName: "file"))
    var googleClientSecretFile: String?

    /// Whether no issuer is given.
    var isEmpty: Bool { oidcIssuer.isEmpty && googleClientID == nil }

    /// The issuers, Google last.
    ///
    /// Accessing it throws `parameter-invalid` if an option is missing, has no effect or is not valid, and the errors of
    /// ``SecretFile``.
    var issuers: [Issuer] {
        get throws(HabitError) {
            try requireOptionsOfEachIssuer()
            var issuers: [Issuer] = []
            for (index, url) in oidcIssuer.enumerated() {
                let issuer = try Issuer(
                    url: url,
                    clientID: oidcClientID[index],
                    clientSecret: try secret(of: index),
                    name: oidcName.isEmpty ? nil : oidcName[index],
                    trustsEmail: oidcTrustEmail.contains(url))
                issuers.append(issuer)
            }
            if let google = try google {
                issuers.append(google)
            }
            return issuers
        }
    }

    /// Checks that each issuer has its options and that each option has an issuer.
    private func requireOptionsOfEachIssuer() throws(HabitError) {
        try requireCount(of: oidcClientID, "oidc-client-id", isRequired: true)
        try requireCount(of: oidcClientSecretFile, "oidc-client-secret-file", isRequired: false)
        try requireCount(of: oidcName, "oidc-name", isRequired: false)
        for url in oidcTrustEmail where !oidcIssuer.contains(url) {
            throw HabitError(
                .parameterInvalid,
                "--oidc-trust-email '\(url)' has no effect without --oidc-issuer '\(url)': write the URL as there",
                field: "oidc-trust-email")
        }
        guard (googleClientID == nil) == (googleClientSecretFile == nil) else {
            throw HabitError(
                .parameterInvalid,
                "--google-client-id and --google-client-secret-file belong together: pass both, or omit both",
                field: "google-client-id")
        }
    }

    private func requireCount(of values: [String], _ option: String, isRequired: Bool) throws(HabitError) {
        if values.isEmpty, !isRequired { return }
        guard values.count == oidcIssuer.count else {
            throw HabitError(
                .parameterInvalid,
                "--\(option) is given \(values.count) times and --oidc-issuer \(oidcIssuer.count) times: pass --\(option) once for each issuer, in the same order",
                field: option)
        }
    }

    private func secret(of index: Int) throws(HabitError) -> String? {
        guard !oidcClientSecretFile.isEmpty else { return nil }
        let path = oidcClientSecretFile[index]
        guard path != "-" else { return nil }
        return try SecretFile(path, option: "oidc-client-secret-file").given()
    }

    private var google: Issuer? {
        get throws(HabitError) {
            guard let googleClientID, let googleClientSecretFile else { return nil }
            let file = try SecretFile(googleClientSecretFile, option: "google-client-secret-file")
            return try .google(clientID: googleClientID, clientSecret: try file.given())
        }
    }
}
