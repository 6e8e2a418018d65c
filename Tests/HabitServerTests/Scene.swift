import Base
import Geo
import HabitModel

/// The users and records with which the server of a test begins.
enum Scene {
    static let users = ["owner", "all", "latest", "pending", "stranger"]

    /// Five users with their records and follows.
    ///
    /// `all` and `latest` follow `owner` with the share of their name. `pending` has a pending request, and `stranger`
    /// has no request.
    ///
    /// | User | Record | Contents |
    /// | --- | --- | --- |
    /// | `owner` | habit `run` | the title "Run" and the events `r17`, `r18` and `r19` |
    /// | `owner` | event `r17` | 17 November at 07:00, "rain 100%", at 10, 50 |
    /// | `owner` | event `r18` | 18 November at 07:00, at 10.01, 50 |
    /// | `owner` | event `r19` | 19 November without an instant and a position, "Sunny Tag" |
    /// | `owner` | habit `read` | the title "Straße" and the event `b/18 ü` |
    /// | `owner` | event `b/18 ü` | 18 November at 21:00, "\<b>&", east of the antimeridian |
    /// | `owner` | item `lamp`, post `p1` | at 10, 50 and at 10.01, 50 |
    /// | `stranger` | habit `other`, event `x18` | the title "Run"; 18 November without an instant, "theirs", at 10, 50 |
    /// | `stranger` | item `sofa`, post `p2` | east of the antimeridian and at 10, 50 |
    /// | `all` | habit `mine` | the title "Walk", no events |
    static let friends: [Record] = {
        let place = Position(longitude: 10, latitude: 50)
        let near = Position(longitude: 10.01, latitude: 50)
        let far = Position(longitude: -179.99, latitude: -16)
        return users.map { .user($0) } + [
            .follow("all", "owner"),
            .follow("latest", "owner", share: .latest),
            .follow("pending", "owner", status: .pending),
            .habit("run", of: "owner", title: "Run"),
            .event("run", "2026-11-17", id: "r17", at: "2026-11-17T07:00:00Z", comment: "rain 100%", position: place),
            .event("run", "2026-11-18", id: "r18", at: "2026-11-18T07:00:00Z", position: near),
            .event("run", "2026-11-19", id: "r19", comment: "Sunny Tag"),
            .habit("read", of: "owner", title: "Straße"),
            .event("read", "2026-11-18", id: "b/18 ü", at: "2026-11-18T21:00:00Z", comment: "<b>&", position: far),
            .item("lamp", of: "owner", name: "Lamp", at: place),
            .post("p1", of: "owner", caption: "first", at: near),
            .habit("other", of: "stranger", title: "Run"),
            .event("other", "2026-11-18", id: "x18", comment: "theirs", position: place),
            .item("sofa", of: "stranger", name: "Sofa", at: far),
            .post("p2", of: "stranger", caption: "theirs", at: place),
            .habit("mine", of: "all", title: "Walk"),
        ]
    }()

    /// Two ended claims of the items of ``friends``, the messages `m1` and `m2` about the lamp, two read markers of
    /// `all`, the pause `rest` of the habit `run`, and the pause `leave` of all habits of `stranger`.
    ///
    /// With them, each collection has several features.
    static let exchange: [Record] = {
        let at = OffsetInstant("2026-11-12T10:00:00Z").map { FieldInput.value($0) } ?? .absent
        let claims = [("lamp", "all"), ("sofa", "latest")].map { item, user in
            var claim = ClaimRecord(item: item, user: user)
            claim.state = .value(.released)
            claim.claimedAt = at
            return Record.claim(claim)
        }
        let messages = [("m1", "all", "owner"), ("m2", "owner", "all")].map { id, sender, recipient in
            var message = MessageRecord(item: "lamp", sender: sender, recipient: recipient, text: "hello")
            message.id = id
            message.sentAt = at
            return Record.message(message)
        }
        let reads = OffsetInstant("2026-11-12T10:00:00Z").map { at in
            ["lamp", "sofa"].map { item in Record.read(ReadRecord(item: item, user: "all", readAt: at)) }
        }
        var rest = PauseRecord(id: "rest", user: "owner", from: Day.first)
        rest.habit = .value("run")
        rest.to = .value(Day.first.advanced(by: 6))
        let leave = PauseRecord(id: "leave", user: "stranger", from: Day.last)
        return claims + messages + (reads ?? []) + [.pause(rest), .pause(leave)]
    }()
}
