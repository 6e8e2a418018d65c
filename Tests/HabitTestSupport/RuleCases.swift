/// The expected results of rules on the stores of ``StoreTemplate``, for the command line and for the server.
public enum RuleCases {
    /// The user, the options of `history` and the IDs of the events, for each user and scope (rule C-13).
    ///
    /// `nil` is the operator.
    public static let historyScopes: [(user: String?, options: String, ids: String)] = [
        (nil, "", "r19 b18 x18 r18 r17"),
        (nil, "--scope all", "r19 b18 x18 r18 r17"), ("owner", "", "r19 b18 r18 r17"),
        ("owner", "--scope all", "r19 b18 r18 r17"), ("all", "--scope mine", ""),
        ("all", "--scope friends", "r19 b18"), ("all", "--scope all", "r19 b18 r18 r17"), ("latest", "", ""),
        ("latest", "--scope friends", "r19 b18"), ("latest", "--scope all", "r19 b18"),
        ("pending", "--scope all", ""), ("rejected", "--scope all", ""), ("stranger", "--scope all", "x18"),
        ("stranger", "--scope all --user owner", ""), ("all", "--scope all --user stranger", ""),
    ]

    /// The IDs of the events of each filter of `history --scope all` (rules C-14 to C-16).
    ///
    /// `~` is a space in an option.
    public static let historyFilters: [(user: String?, options: String, ids: String)] = [
        ("owner", "--habit run", "r19 r18 r17"), ("owner", "--habit RUN", "r19 r18 r17"),
        ("owner", "--habit STRASSE", "b18"), ("owner", "--habit twin", ""), ("owner", "--not-habit run", "b18"),
        ("owner", "--habit run --habit read", "r19 b18 r18 r17"), ("owner", "--not-habit run --not-habit read", ""),
        (nil, "--habit run", "r19 r18 r17"),
        (nil, "--habit RUN", "r19 x18 r18 r17"), (nil, "--not-habit RUN", "b18"), ("stranger", "--habit run", "x18"),
        ("owner", "--comment SUNNY", "r19"), ("owner", "--comment nny~t", "r19"), ("owner", "--comment n", "r19 r17"),
        ("owner", "--comment 0%", "r17"), ("owner", "--comment theirs", ""),
        ("owner", "--comment-word TAG", "r19"), ("owner", "--comment-word sun", ""),
        ("owner", "--comment-word 3", "b18"), ("owner", "--comment a --from 2026-11-18", "r19 b18"),
        ("owner", "--from 2026-11-18 --to 2026-11-18", "b18 r18"), ("owner", "--to 2026-11-17", "r17"),
        ("owner", "--near 50,10", "b18 r18 r17"),
        ("owner", "--near 50,10 --sort distance", "r17 r18 b18"), ("owner", "--near 50,10 --within 0m", "r17"),
        ("owner", "--near 50,10 --within 716m", "r17"), ("owner", "--near 50,10 --within 717m", "r18 r17"),
        ("owner", "--near 50,10 --habit read", "b18"), ("owner", "--near 50,10 --comment rain", "r17"),
        ("owner", "--near last --within 800m", "b18 r18"), ("owner", "--bbox 10.005,49,10.015,51", "r18"),
        (nil, "--near 50,10 --within 1m --sort distance", "r17 x18"),
    ]

    /// The options of `item list` and the IDs of the items (rule G-01).
    public static let itemFilters: [(options: String, ids: String)] = [
        ("", "i-available"),
        ("--state all", "i-expired i-withdrawn i-given i-claimed i-available"),
        ("--state claimed,given", "i-given i-claimed"), ("--state expired", "i-expired"),
        ("--state all --user sam", ""), ("--state all --limit 1", "i-expired"),
        ("--near 38.7,-9.1 --within 400m", "i-available"), ("--near 38.8,-9.1", ""),
    ]

    /// The day and the instant of an event that a user records without them.
    public static let localDays: [(user: String, now: String, local: String)] = [
        ("kiri", "2026-11-20T09:59:59Z", "2026-11-20T23:59:59+14:00"),
        ("kiri", "2026-11-20T10:00:00Z", "2026-11-21T00:00:00+14:00"),
        ("pago", "2026-11-20T10:59:59Z", "2026-11-19T23:59:59-11:00"),
        ("pago", "2026-11-20T11:00:00Z", "2026-11-20T00:00:00-11:00"),
        // Daylight saving time ends in Lisbon. The hour from 1 o'clock occurs twice, so the day has 25 hours.
        ("lisbon", "2026-10-24T22:59:59Z", "2026-10-24T23:59:59+01:00"),
        ("lisbon", "2026-10-25T00:30:00Z", "2026-10-25T01:30:00+01:00"),
        ("lisbon", "2026-10-25T01:30:00Z", "2026-10-25T01:30:00+00:00"),
        ("lisbon", "2026-10-25T23:59:59Z", "2026-10-25T23:59:59+00:00"),
        // Daylight saving time begins in Auckland. The hour from 2 o'clock does not exist.
        ("auckland", "2026-09-26T11:59:59Z", "2026-09-26T23:59:59+12:00"),
        ("auckland", "2026-09-26T13:59:59Z", "2026-09-27T01:59:59+12:00"),
        ("auckland", "2026-09-26T14:00:00Z", "2026-09-27T03:00:00+13:00"),
        ("auckland", "2026-09-27T10:59:59Z", "2026-09-27T23:59:59+13:00"),
        // A leap day.
        ("pago", "2028-03-01T10:59:59Z", "2028-02-29T23:59:59-11:00"),
    ]
}
