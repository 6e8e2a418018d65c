/// The table of the rules of the program and the tests that prove each of them, as "Suite/function".
///
/// A rule has a letter and a number: C for habits, events and followers, G for items and messages, H for photos and
/// posts, M for statistics, R for output and reports, and S for safety. The comments of the tests state the rules.
enum RuleTable {
    static let proofs: [String: [String]] = [
        "C-01": [
            "HabitRuleTests/invalidHabitCommandIsRefused", "HabitRuleTests/addPrintsHabitThatStartsToday",
            "HabitRuleTests/addAcceptsValuesAtLimit", "ClockRuleTests/newEventHasLocalDayAndInstantOfUser",
        ],
        "C-02": [
            "HabitRuleTests/invalidHabitCommandIsRefused", "HabitRuleTests/showPrintsWeeksOnlyForOwner",
            "HabitRuleTests/hiddenRecordCausesSameErrorAsMissingRecord", "WeeksRuleTests/weeksRunFromMondayToSunday",
        ],
        "C-03": [
            "HabitRuleTests/invalidHabitCommandIsRefused", "HabitRuleTests/editKeepsOmittedFields",
            "WeeksRuleTests/newScheduleAppliesFromToday", "WeeksRuleTests/lastScheduleOfDayApplies",
            "WeeksRuleTests/rewritePastChangesPreviousWeeks", "WeeksRuleTests/scheduleIsReplacedWhenHabitHasNotStarted",
        ],
        "C-04": ["HabitRuleTests/invalidHabitCommandIsRefused", "HabitRuleTests/deleteRemovesEventsOfHabit"],
        "C-05": [
            "HabitRuleTests/invalidHabitCommandIsRefused", "HabitRuleTests/listContainsOnlyHabitsOfActor",
            "OutputRuleTests/columnsMatchContract",
        ],
        "C-06": [
            "HabitRuleTests/invalidHabitCommandIsRefused", "HabitRuleTests/todoListsHabitsDueToday",
            "ClockRuleTests/newEventHasLocalDayAndInstantOfUser",
        ],
        "C-07": [
            "FollowRuleTests/invalidFollowCommandIsRefused", "FollowRuleTests/followingListsHabitsOfFollowedUsers",
        ],
        "C-08": [
            "EventRuleTests/invalidEventCommandIsRefused", "EventRuleTests/addRecordsEventOfTodayAndPrintsIt",
            "EventRuleTests/addAcceptsValuesAtLimit", "EventRuleTests/positionIsRefusedWhenUserDoesNotShareLocation",
            "PhotoRuleTests/photoOf65535BytesIsAccepted", "PhotoRuleTests/photoOf65536BytesIsRefusedUnlessShrunk",
            "PhotoRuleTests/fileThatIsNotImageIsRefused", "PhotoRuleTests/invalidPhotoCommandIsRefused",
            "PhotoRuleTests/positionOfPhotoIsUsedAndRemovedFromFile",
            "PhotoRuleTests/positionOfPhotoIsIgnoredUnlessRequested",
            "ClockRuleTests/newEventHasLocalDayAndInstantOfUser",
            "ClockRuleTests/todayOptionIsDayOfNewRecords",
        ],
        "C-09": ["EventRuleTests/invalidEventCommandIsRefused", "EventRuleTests/showPrintsOneEventInEveryFormat"],
        "C-10": [
            "EventRuleTests/invalidEventCommandIsRefused", "EventRuleTests/editKeepsDayAndOmittedFields",
            "PhotoRuleTests/photoOf65536BytesIsRefusedUnlessShrunk",
            "PhotoRuleTests/positionOfPhotoIsUsedAndRemovedFromFile",
        ],
        "C-11": ["EventRuleTests/invalidEventCommandIsRefused", "EventRuleTests/deleteRemovesOneEvent"],
        "C-12": [
            "HistoryRuleTests/historyIsSortedByDayInstantAndID", "HistoryRuleTests/onlyGeoJSONOmitsUnlocatedEvents",
            "HistoryTests/historyIsSortedNewestFirst",
        ],
        "C-13": [
            "HistoryRuleTests/invalidHistoryCommandIsRefused", "HistoryRuleTests/historyDependsOnActorAndScope",
            "OutputRuleTests/emptyResultSucceeds",
            "HistoryTests/scopeFriendsReturnsNewestEventOfEachHabit",
        ],
        "C-14": [
            "HistoryRuleTests/invalidHistoryCommandIsRefused", "HistoryRuleTests/historyAppliesFilters",
            "HistoryRuleTests/habitTitleMatchesWithCaseFolding",
            "HistoryRuleTests/habitTitleSelectsEveryVisibleHabit",
        ],
        "C-15": [
            "HistoryRuleTests/invalidHistoryCommandIsRefused", "HistoryRuleTests/historyAppliesFilters",
            "HistoryTests/searchTextIsNotInterpretedAsPattern",
        ],
        "C-16": [
            "HistoryRuleTests/invalidHistoryCommandIsRefused", "HistoryRuleTests/historyAppliesFilters",
            "HistoryRuleTests/nearUsesFiveKilometersByDefault",
            "NearTests/nearIncludesBoundaryOfLargeCircles",
        ],
        "C-17": [
            "FollowRuleTests/invalidFollowCommandIsRefused",
            "FollowRuleTests/userListShowsFollowStatusInBothDirections",
        ],
        "C-18": ["FollowRuleTests/invalidFollowCommandIsRefused", "FollowRuleTests/acceptedRequestShowsGrantedEvents"],
        "C-19": [
            "FollowRuleTests/invalidFollowCommandIsRefused", "FollowRuleTests/acceptedRequestShowsGrantedEvents",
            "LatestRuleTests/olderEventsAreHiddenInEveryOutput",
            "LatestRuleTests/countsAndPhotosOmitOlderEvents", "LatestRuleTests/habitsAreVisibleToEveryFollower",
            "LatestRuleTests/newestEventChangesWithEvents", "LatestRuleTests/changedShareTakesEffectImmediately",
        ],
        "C-20": [
            "FollowRuleTests/invalidFollowCommandIsRefused",
            "FollowRuleTests/rejectedUserSeesNothingAndCanRequestAgain",
            "LatestRuleTests/endedFollowHidesRecordsImmediately",
        ],
        "C-21": [
            "FollowRuleTests/invalidFollowCommandIsRefused", "FollowRuleTests/userIsAddedShownAndEdited",
            "FollowRuleTests/userDeleteRemovesOnlyRecordsOfUser",
            "FollowRuleTests/userDeleteWritesExportFirst",
        ],
        "C-22": [
            "HabitRuleTests/listContainsOnlyHabitsOfActor",
            "HabitStatisticsRuleTests/rateStatusAndStreaksMatchExpectedValues",
            "OutputRuleTests/columnsMatchContract",
        ],
        "C-23": ["HistoryRuleTests/ingestIsIdempotent"],
        "C-24": [
            "EventRuleTests/invalidEventCommandIsRefused", "EventRuleTests/skippedDayIsReplacedByLaterEvent",
            "HabitRuleTests/todoListsHabitsDueToday",
        ],
        "C-29": [
            "OutcomeTests/cellDecidesWhetherRowIsEvent", "OutcomeTests/everyFormatHasSameOutcomes",
            "OutcomeTests/storedEventIsKeptWhenRowIsNotDone", "OutcomeFuzzTests/everyFormatAgreesWithModel",
        ],
        "C-32": [
            "PauseRuleTests/pauseIsAddedListedAndDeleted", "PauseRuleTests/userPauseConcernsAllHabits",
            "PauseRuleTests/doneOnPausedDayIsUnplanned", "PauseRuleTests/invalidPauseCommandIsRefused",
            "PauseRuleTests/pausesAreLoadedAndExported", "PauseStatisticsTests/daysMatchPlainModel",
            "PauseStatisticsTests/sumsMatchPlainModel", "PauseFunctionTests/standingsMatchPlainModel",
            "PauseFunctionTests/marksOfEventsMatchPlainModel", "PauseActionTests/calendarOmitsPausedDays",
        ],
        "C-35": [
            "BlockRuleTests/bothUsersAreHiddenInEveryOutput", "BlockRuleTests/errorsAreThoseOfUnknownUser",
            "BlockRuleTests/blocksAreListedAndEnded", "BlockRuleTests/invalidBlockIsRefused",
            "BlockTests/blockedUserIsHiddenInEveryList", "BlockTests/blockedUserIsHiddenInViewsAndFunctions",
            "BlockTests/everyActionFailsAsForDeletedUser", "BlockTests/changesOfBlockAreThoseOfDeletion",
            "BlockTests/laterChangesOfHiddenUserAreNotNoticed", "BlockTests/blockEndsFollowsAndReleasesClaims",
            "BlockTests/unblockShowsRecordsAgain", "BlockTests/deletionOfAccountDeletesBlocks",
        ],
        "M-01": [
            "HabitStatisticsRuleTests/rateStatusAndStreaksMatchExpectedValues",
            "HabitStatisticsRuleTests/includeTodayCountsTodayAsMissed",
            "WeeksRuleTests/unplannedEventsDoNotCount", "ClockRuleTests/statisticsUseDayOfHabitOwner",
        ],
        "M-02": ["HabitStatisticsRuleTests/rateStatusAndStreaksMatchExpectedValues"],
        "M-03": [
            "HabitStatisticsRuleTests/rateStatusAndStreaksMatchExpectedValues",
            "ClockRuleTests/newDayBeginsAtLocalMidnight",
            "ClockRuleTests/leapDayCountsInStreaksAndWeeks",
        ],
        "M-04": ["HabitStatisticsRuleTests/scoreMatchesFormulaOfRule"],
        "M-05": ["WeeksRuleTests/weeksRunFromMondayToSunday", "HabitRuleTests/showPrintsWeeksOnlyForOwner"],
    ]
}
