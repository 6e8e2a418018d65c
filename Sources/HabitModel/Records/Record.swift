/// A record of any kind.
public enum Record: Sendable, Equatable {
    case setting(SettingRecord)
    case user(UserRecord)
    case habit(HabitRecord)
    case schedule(ScheduleRecord)
    case pause(PauseRecord)
    case follow(FollowRecord)
    case block(BlockRecord)
    case event(EventRecord)
    case item(ItemRecord)
    case claim(ClaimRecord)
    case message(MessageRecord)
    case read(ReadRecord)
    case post(PostRecord)
}
