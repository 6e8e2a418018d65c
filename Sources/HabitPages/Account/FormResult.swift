import Base
import HTTPServing
import HabitAPI

/// The result of a form of the account page, which the page shows next to the form.
enum FormResult: Sendable {
    /// No form was sent.
    case none
    /// The change is stored.
    case done(AccountForm)
    /// The form has created a secret, which is shown only once.
    case created(AccountForm, secret: String)
    /// The person continues at an issuer, which adds it to the account.
    case begun(IssuerSignIn.Start)
    /// The server has not changed anything.
    case refused(AccountForm, Problem, entered: FormBody)

    /// Returns the problem of a form; `nil` if this form was not refused.
    func problem(of form: AccountForm) -> Problem? {
        guard case .refused(form, let problem, _) = self else { return nil }
        return problem
    }

    /// Returns the secret that a form has created; `nil` if this form has created none.
    func secret(of form: AccountForm) -> String? {
        guard case .created(form, let secret) = self else { return nil }
        return secret
    }

    /// Returns the text that a person has entered in a field of a refused form, otherwise `nil`.
    func entered(_ name: String, in form: AccountForm) -> String? {
        guard case .refused(form, _, let entered) = self else { return nil }
        return entered[name]
    }

    /// Whether the change of a form is stored.
    func isDone(_ form: AccountForm) -> Bool {
        guard case .done(form) = self else { return false }
        return true
    }
}
