import Base
import HTTPServing
import HTTPTypes

extension Problem {
    /// The description of the problem in sentences for a person, who reads the time to wait in words.
    var explanation: String {
        guard let wait, slug != ErrorCode.timeout.slug else { return detail.sentence }
        // The remedy after the colon contains the time in another form.
        let end = detail.ranges(of: ": ").last?.lowerBound ?? detail.endIndex
        let happened = detail[..<end]
        return "\(happened.sentence) \(PageText.Problem.wait(wait))"
    }

    /// The time after which the request may succeed, in words; `nil` if a repetition does not help.
    private var wait: String? {
        guard let seconds = headers[.retryAfter].flatMap({ text in Int(text) }) else { return nil }
        switch seconds {
        case ...90: return PageText.Problem.seconds(seconds)
        case ...5400: return PageText.Problem.minutes((seconds + 59) / 60)
        default: return PageText.Problem.hours((seconds + 3599) / 3600)
        }
    }
}

extension StringProtocol {
    /// The text as a sentence, which begins with an upper-case letter and ends with a period.
    ///
    /// The descriptions of problems in JSON have neither.
    var sentence: String {
        let end = hasSuffix(".") ? "" : "."
        return prefix(1).uppercased() + dropFirst() + end
    }
}
