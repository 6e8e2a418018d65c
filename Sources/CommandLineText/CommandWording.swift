import Base
import HabitModel

extension HabitError {
    /// The error as a line: the code, the file with the line and the column, the problem and its remedies.
    public var commandLine: String {
        var sourceLocation = ""
        if let file {
            let numbers = [line, column].compactMap { number in number.map { ":\($0)" } }
            sourceLocation = file + numbers.joined() + ": "
        }
        return "error[\(code.slug)]: \(sourceLocation)\(commandText)\(limitAdvice ?? "")"
    }

    /// The problem and its remedies, with the names of options and commands.
    public var commandText: String { (report.map { "report '\($0)': " } ?? "") + text(\.commandWords) }

    /// The command that allows a longer text, or `nil` if the error is not about a limit that a setting changes.
    ///
    /// A record in a file has no such advice, because an import has its own options.
    private var limitAdvice: String? {
        guard file == nil, let setting = limitSetting else { return nil }
        for case .length(let length) in parameters {
            return ", or allow more as the operator with 'habitat setting set \(setting.rawValue) \(length)'"
        }
        return nil
    }

    /// The setting with the limit of a text that is too long, or `nil`.
    private var limitSetting: Setting? {
        switch code {
        case .titleTooLong: .titleLimit
        case .reasonTooLong: .reasonLimit
        case .commentTooLong: .commentLimit
        case .captionTooLong: .captionLimit
        case .messageTooLong: .messageLimit
        default: nil
        }
    }

    /// The ID of the report that failed, or `nil` if the error is not about one of several reports.
    private var report: String? {
        for case .report(let id) in parameters { return id }
        return nil
    }

    /// The field of a record in a file, or the option at fault, or `nil` if the error has no field.
    ///
    /// The name of an option can differ from the name of the field that it sets.
    public var fieldOrOption: String? {
        guard file == nil else { return field }
        return switch field {
        case Field.followee.name, Field.follower.name: "user"
        case Field.recipient.name: "to"
        case Field.longitude.name, Field.latitude.name: "position"
        default: field
        }
    }
}

extension Remedy {
    /// The remedy as an instruction to a user of the command line.
    public var commandWords: String? {
        switch self {
        case .advice(let words): words
        case .give(let input): input.instruction
        case .giveParameter(let name, let isPosition):
            "pass --\(name)" + (isPosition ? " LATITUDE,LONGITUDE" : "")
        case .chooseParameter(let names, let nearest):
            (nearest.map { "did you mean --\($0)? " } ?? "")
                + "the parameters are \(names.map { "--\($0)" }.joined(separator: ", "))"
        case .giveSQLParameter(let name): "pass -p \(name)=VALUE"
        case .omitSQLParameter(let name): "omit -p \(name)"
        case .omit(let input): "omit \(input.option)"
        case .list(let listing): "see '\(listing.command)'"
        case .take(let step): step.instruction
        case .writePosition(let isReversed):
            "write LATITUDE,LONGITUDE in degrees, such as 38.7223,-9.1393"
                + (isReversed ? " (the latitude comes first)" : "")
        case .signIn: "name the user with --as or HABITAT_USER"
        case .actAsNamedUser: "name that user with --as or HABITAT_USER"
        case .actAsOperator: "omit --as and HABITAT_USER, or add --operator"
        }
    }
}

extension Remedy.Input {
    /// The option as the user types it.
    fileprivate var option: String {
        switch self {
        case .photo: "--photo"
        case .shrinkPhoto: "--shrink-photo"
        case .keepEXIF: "--keep-exif"
        case .recipient: "--to"
        case .share: "--share"
        case .kind: "--kind"
        case .strict: "--strict"
        case .strictColumns: "--strict-columns"
        case .allowEmpty: "--allow-empty"
        case .conflictPolicy: "--on-conflict"
        case .store: "--store"
        case .analystStore: "--analyst-store"
        case .reports: "--reports"
        case .output: "--output"
        case .force: "--force"
        case .wait: "--wait"
        case .timeout: "--timeout"
        case .user: "--user"
        case .format: "--from"
        case .encoding: "--encoding"
        case .delimiter: "--delimiter"
        case .decimal: "--decimal"
        case .dateFormat: "--date-format"
        case .timeZone: "--time-zone"
        case .column: "--map"
        case .outcomeWord: "--value"
        case .placesFrom: "--places-from"
        case .tracks: "--tracks"
        case .createHabits: "--create-habits"
        case .limitUnpacked: "--limit-unpacked"
        case .weekdays: "--days"
        case .target: "--times and --period-days"
        case .times: "--times"
        case .periodDays: "--period-days"
        }
    }

    fileprivate var instruction: String {
        switch self {
        case .photo: "pass its file with --photo"
        case .shrinkPhoto: "shrink it with --shrink-photo"
        case .keepEXIF: "keep its EXIF data with --keep-exif"
        case .recipient: "name the recipient with --to"
        case .share: "change what the follower sees with --share all or --share latest"
        case .kind: "pass the kind with --kind"
        case .strict: "reject the complete load with --strict"
        case .strictColumns: "reject unknown columns with --strict-columns"
        case .allowEmpty: "accept an empty input with --allow-empty"
        case .conflictPolicy: "choose a conflict policy with --on-conflict"
        case .store: "name the store with --store"
        case .analystStore: "name it with --analyst-store or HABITAT_ANALYST_STORE"
        case .reports: "name its folder with --reports"
        case .output: "name a file or a folder with --output"
        case .force: "replace it with --force"
        case .wait: "wait longer with --wait 60s"
        case .timeout: "allow more time with --timeout"
        case .user: "name the user with --user"
        case .format: "name the format with --from"
        case .encoding: "name the encoding with --encoding latin1 or --encoding utf16"
        case .delimiter: "name the delimiter with --delimiter, such as --delimiter ';'"
        case .decimal: "name the decimal separator with --decimal . or --decimal ,"
        case .dateFormat: "describe the dates with --date-format, such as dd.MM.yyyy"
        case .timeZone: "name the time zone with --time-zone"
        case .column: "name the column of each field with --map field=Column"
        case .outcomeWord: "define the word with --value WORD=done, --value WORD=none or --value WORD=skipped"
        case .placesFrom: "pass it with --places-from"
        case .tracks: "create events from tracks with --tracks events"
        case .createHabits: "create missing habits with --create-habits"
        case .limitUnpacked: "if you trust it, allow more with --limit-unpacked, such as --limit-unpacked 20GB"
        case .weekdays: "name at least one weekday with --days mon,wed,fri"
        case .target: "give a target with --times 3 --period-days 7"
        case .times: "add the number of completions with --times"
        case .periodDays: "add the days of the period with --period-days"
        }
    }
}

extension Remedy.Listing {
    fileprivate var command: String {
        switch self {
        case .users: "habitat user list"
        case .habits: "habitat habit list"
        case .pauses: "habitat pause list"
        case .items: "habitat item list"
        case .follows: "habitat follow list"
        case .blocks: "habitat user blocks"
        case .followRequests: "habitat inbox"
        case .followedHabits: "habitat following"
        case .tokens: "habitat token list"
        case .reports: "habitat report list"
        case .imports: "habitat import --runs"
        }
    }
}

extension Remedy.Step {
    fileprivate var instruction: String {
        switch self {
        case .editEvent: "change it with 'habitat event edit'"
        case .editHabit: "change the habit with 'habitat habit edit'"
        case .resumeHabits: "end the pause with 'habitat habit resume' or 'habitat user resume'"
        case .resumeAllHabits: "end the pause of all habits with 'habitat user resume'"
        case .deleteEvent: "delete it with 'habitat event delete' to skip the day"
        case .withdrawItem: "withdraw it with 'habitat item withdraw'"
        case .dropFollower: "remove a follower with 'habitat follow drop'"
        case .decideOnFollow: "accept it with 'habitat follow accept' or reject it with 'habitat follow reject'"
        case .moveItem: "use 'habitat item claim', 'release', 'give' or 'withdraw'"
        case .sendMessage: "send a message to its poster with 'habitat message send'"
        case .shareLocation: "allow positions with 'habitat user edit --share-location yes'"
        case .initializeStore: "create a store with 'habitat init'"
        case .loadStore: "load data with 'habitat ingest'"
        case .loadRejects: "correct the rows and load the file with 'habitat ingest'"
        case .importFiles: "import it with 'habitat import'"
        case .addUser: "create the account with 'habitat user add'"
        case .migrateStore: "migrate it with 'habitat init' or any command that writes"
        case .checkStore: "check the store with 'habitat doctor'"
        case .copyStore: "copy it with 'habitat copy'"
        case .exportStore: "load the files of 'habitat export'"
        case .setUpAnalyst:
            "run 'habitat init --analyst-store URL' as the operator to print the required GRANT and REVOKE statements"
        case .showCluster: "see 'habitat cluster status'"
        }
    }
}
