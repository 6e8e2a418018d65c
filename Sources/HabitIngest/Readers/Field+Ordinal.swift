import HabitModel

extension Field {
    /// A number from 0 for each field, less than 64, under which a ``RawRecord`` keeps its value.
    ///
    /// A table: `allCases.firstIndex(of:)` compares strings, 10 times a record.
    var ordinal: Int {
        switch self {
        case .id: 0
        case .user: 1
        case .name: 2
        case .email: 3
        case .timeZone: 4
        case .shareLocation: 5
        case .title: 6
        case .days: 7
        case .reason: 8
        case .start: 9
        case .end: 10
        case .habit: 11
        case .from: 12
        case .follower: 13
        case .followee: 14
        case .status: 15
        case .share: 16
        case .requestedAt: 17
        case .day: 18
        case .at: 19
        case .utcOffset: 20
        case .comment: 21
        case .outcome: 22
        case .photo: 23
        case .longitude: 24
        case .latitude: 25
        case .description: 26
        case .state: 27
        case .postedAt: 28
        case .expires: 29
        case .item: 30
        case .claimedAt: 31
        case .sender: 32
        case .recipient: 33
        case .sentAt: 34
        case .text: 35
        case .caption: 36
        case .deletedAt: 37
        case .value: 38
        case .keepEXIF: 39
        case .done: 40
        case .completed: 41
        case .checked: 42
        }
    }
}
