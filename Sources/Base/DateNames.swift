/// The English names of weekdays and months in texts for people.
public enum DateNames {
    /// The names of the weekdays from Monday.
    public static let weekdays = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]

    /// The names of the months from January.
    public static let months = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
        "December",
    ]

    /// The first three letters of the names of the weekdays.
    public static let shortWeekdays = weekdays.map { name in String(name.prefix(3)) }

    /// The first three letters of the names of the months.
    public static let shortMonths = months.map { name in String(name.prefix(3)) }
}
