import Base

/// The topics of `habitat help` that are not commands.
enum HelpTopics {
    /// A topic with its text.
    private struct Topic {
        var name: String
        /// The text in lines of at most 80 columns.
        var text: String
    }

    /// The names of the topics.
    static var names: [String] { all.map(\.name) }

    /// Returns the text of a topic, or `nil` if `words` do not request one.
    static func text(for words: [String]) -> String? {
        guard words.count == 2, words[0] == "help" else { return nil }
        return all.first { topic in topic.name == words[1] }?.text
    }

    private static var all: [Topic] {
        [
            Topic(name: "options", text: HelpText.sharedOptions),
            Topic(name: "environment", text: environment),
            Topic(name: "days", text: days),
            Topic(name: "names", text: recordNames),
            Topic(name: "formats", text: formats),
            Topic(name: "exit-status", text: exitStatus),
            Topic(name: "store", text: store),
            Topic(name: "time-zones", text: timeZones),
        ]
    }

    private static let environment = """
        The first source that has a value sets it: the option, the variable, the key of
        the configuration file, then the default.

        value    option            variable            key         default
        store    --store           HABITAT_STORE       store       habitat.db in the
                                                                   current folder
        user     --as, --operator  HABITAT_USER        user        the operator
        reports  --reports         HABITAT_REPORTS     reports     the built-in ones
        color    --color           NO_COLOR (never)    color       auto
                                   TERM=dumb (never)
        URL      --public-url      HABITAT_PUBLIC_URL  public-url  localhost:8080
        places                                         [places]    none

        The file is $XDG_CONFIG_HOME/habitat/config.toml, otherwise
        ~/.config/habitat/config.toml. HABITAT_CONFIG names another file; if it is
        empty, no file is read. HABITAT_REPORTS is a list of folders, separated by
        colons. 'habitat config' lists the values and their sources.

        Further variables:
          HABITAT_LOG            log level of the standard error, such as debug
          HABITAT_ANALYST_STORE  login that runs user-supplied SQL on PostgreSQL
          TZ                     time zone of new accounts
          TZDIR                  folder of the time zone rules
        """

    private static let days = """
        Every option for a date accepts these forms, in any letter case.

        2026-11-20                     the date
        today, yesterday, tomorrow     relative to the current date
        today-7, today+3, -7d, +2w     a number of days or weeks before or after it
        mon … sun, monday … sunday     the latest such day that is not after it

        --from also accepts a period and begins on its first day; --to ends on its last
        day. --in PERIOD sets both. Weeks begin on Monday.

        2026-11, 2026-W47, 2026                             a month, a week, a year
        this-week, last-week, this-month, last-month        relative to the current date

        The current date is the date of --today, otherwise the date in --time-zone,
        otherwise in the time zone of the acting user, or in UTC for the operator.
        --today accepts a date, today, yesterday, today-7 and today+7. --now accepts an
        instant in RFC 3339. --at of events also accepts HH:MM, the local time on the
        day of the event.

        Weekdays of a habit (--days):
          mon,wed  mon-fri  sat-mon      names and ranges
          daily  weekdays  weekends      words
          1,3  1-5  1010000              numbers from Monday, and a mask
        --times 3 is a target of 3 days in 7; --per week, --per month (30 days) or
        --per DAYS sets another period.
        """

    private static let recordNames = """
        Commands accept the names that lists show. For a habit, an item and a post, the
        first step with a match decides:

        1  the ID                                               alice-gym
        2  the whole title, name or caption; case is ignored    'morning run'
        3  its beginning, or at least 6 characters of the ID    morn
        4  the beginning of one of its words                    run

        Your own records precede those of other users. If a step has several matches,
        the error lists them. Steps 3 and 4 are for people: commands that delete accept
        them only if they ask for a confirmation. Scripts should use IDs and whole
        titles.

        An event is its ID, HABIT@DAY such as gym@mon, or HABIT for the event of today.
        A user is an ID, the whole name of one user, or 'me' for you. 'import' and
        'token create' accept only the ID and 'me'.
        A report is an ID, or a file that ends in .sql.
        A position is LATITUDE,LONGITUDE, LATITUDE LONGITUDE, a place of the
        configuration, a large city such as lisbon, or 'last': the position of your
        newest located event.
        """

    private static let formats = """
        --format selects the format of the output, otherwise the extension of the file
        of --output does. The default is text.

        text        for people: short values, wrapped to the width of the terminal
        csv         RFC 4180, in UTF-8
        json        one array, or one object for one record
        ndjson      one JSON object per line
        geojson     RFC 7946; rows without a position only with --include-unlocated
        geojsonseq  RFC 8142: one feature per line
        html        one page without scripts and external files
        ics         iCalendar (RFC 5545), for rows with a day or an instant
        parquet     typed columns for analyses

        The form of text, of confirmations and of prompts can change in any version.
        Programs can rely on all other formats (new columns are added at the end), on
        --plain, on the exit statuses, on --errors json, and on error lines: a slug,
        then the message, in one line unless a terminal shows it.
        """

    private static let exitStatus = """
        0   success, also with an empty result
        1   an internal error: a defect of the program
        2   'nightly --alerts' has raised an alert
        64  invalid command line
        65  invalid data, a file that is not a store, or a damaged store
        66  not found, or not visible to the user
        69  the store or a required position is unavailable, or a query exceeded its
            time limit
        73  the output cannot be created, the store is read-only, or no space is left
        74  a read or a write failed
        75  another process is writing to the store: increase --wait
        76  a conflict with stored records, for example if the record exists
        77  not signed in, or not permitted
        78  the configuration file is invalid

        An error is one line on the standard error: error[slug]: problem: remedy. With
        --errors json, it is one JSON object.
        """

    private static let store = """
        The store is a SpatiaLite file, or a PostgreSQL database with PostGIS. --store
        or HABITAT_STORE names it, either as a path or as a URL such as
        postgresql://user@host/database (default: the configuration, otherwise
        habitat.db in the current folder). 'habitat init' creates it.

        Without --as, HABITAT_USER and a user in the configuration, a command runs as
        the operator and shows all data. With --as USER, it shows only the data that
        this user can see. Some commands are only for the operator; they ignore the user
        of the variable and of the configuration, and refuse --as.

        'habitat backup' copies a store while it is in use, 'habitat doctor' checks it,
        and 'habitat copy' moves it from one engine to the other.
        """

    private static let timeZones = """
        Time zone rules come from the tzdata files in the folder TZDIR, otherwise from
        /usr/share/zoneinfo. If neither folder has them, the program uses the rules
        compiled into it. 'habitat --version --verbose' prints the sources.

        A day is a date in the time zone of its user. --time-zone ZONE determines the
        current date instead, and is the time zone of 'nightly' (default: with a
        configuration file the time zone of the user, otherwise UTC). New accounts get
        the time zone of TZ, otherwise of the machine, unless --time-zone names another.

        'timedatectl list-timezones' lists the names of the zones. On a terminal, 'init'
        also accepts a name in any letter case, and a city such as Lisbon.
        """
}
