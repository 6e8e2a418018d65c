import Base
import HabitModel
import HabitTestSupport
import Testing

@Suite(.engineIndependent) struct AccessErrorTests {
    /// The errors for hidden and missing records are equal in bytes for any Unicode composition of the ID.
    @Test func missingRecordIsNamedInComposedForm() {
        let typed = "cafe\u{301}"
        let stored = "caf\u{E9}"
        let missing = Access.notFound(.habit, typed)
        let hidden = Access.notFound(.habit, stored)
        #expect(Array(missing.message.utf8) == Array(hidden.message.utf8))
        #expect(missing.subject.map { Array($0.id.utf8) } == Array(stored.utf8))
    }
}
