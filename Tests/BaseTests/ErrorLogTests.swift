import Base
import Foundation
import HabitTestSupport
import Testing

@Suite(.engineIndependent) struct ErrorLogTests {
    private enum Failure: Error {
        case plain
        case holding(secret: String)
    }

    private struct Value: Error {
        var secret = "secret"
    }

    @Test func logTextContainsCauses() {
        let inner = HabitError(.writeFailed, "the disk failed", cause: CocoaError(.fileWriteOutOfSpace))
        let error = HabitError(.internal, "the work failed", cause: inner)
        #expect(
            error.logText
                == "error[internal]: the work failed; cause: error[write-failed]: the disk failed; cause: CocoaError 640"
        )
        #expect(error.description == "error[internal]: the work failed")
        #expect(ErrorLog.text(of: error) == error.logText)
    }

    @Test func otherErrorsAreNamedWithoutTheirValues() {
        #expect(ErrorLog.text(of: Failure.plain) == "Failure.plain")
        #expect(ErrorLog.text(of: Failure.holding(secret: "secret")) == "Failure.holding")
        #expect(ErrorLog.text(of: Value()) == "Value")
        #expect(ErrorLog.text(of: POSIXError(.ENOSPC)) == "POSIXError 28")
    }

    @Test(arguments: [
        ("no such table: main.claim", "no such table: main.claim"),
        (#"near "secret": syntax error"#, "near …: syntax error"),
        ("'a' and `b`", "… and …"), (#"unterminated "secret"#, "unterminated …"),
    ])
    func quotedWordsAreOmitted(message: String, expected: String) {
        #expect(ErrorLog.withoutQuoted(message) == expected)
    }

    @Test func causesAreIgnoredInComparison() {
        #expect(HabitError(.busy, "x", cause: Failure.plain) == HabitError(.busy, "x"))
        #expect(HabitError(.busy, "x", line: 1) != HabitError(.busy, "x"))
    }
}
