/// Which tests prove which rule of the contract, as "Suite/function".
enum RuleTable {
    static let proofs: [String: [String]] = [
        "C-01": [
            "HabitRuleTests/isRefused", "HabitRuleTests/addShowsTheHabitAndStartsToday",
            "HabitRuleTests/addTakesWhatIsAtTheLimit", "ClockRuleTests/aDayIsTheUsersOwn",
        ],
        "C-02": [
            "HabitRuleTests/isRefused", "HabitRuleTests/showHasTheWeeksForTheOwnerAlone",
            "HabitRuleTests/theHiddenIsAsTheMissing", "WeeksRuleTests/weeksRunFromMondayToSunday",
        ],
        "C-03": [
            "HabitRuleTests/isRefused", "HabitRuleTests/editChangesWhatIsSaidAndNothingElse",
            "WeeksRuleTests/aNewScheduleHoldsFromTodayOn", "WeeksRuleTests/ofTwoNewSchedulesOfADayTheLastHolds",
            "WeeksRuleTests/rewritePastChangesTheWeeksBefore", "WeeksRuleTests/beforeTheStartThereIsNothingToKeep",
        ],
        "C-04": ["HabitRuleTests/isRefused", "HabitRuleTests/deleteTakesTheEventsAlong"],
        "C-05": [
            "HabitRuleTests/isRefused", "HabitRuleTests/listIsMine", "OutputRuleTests/columnsAreThoseOfTheContract",
        ],
        "C-06": [
            "HabitRuleTests/isRefused", "HabitRuleTests/todoIsWhatIsDueToday", "ClockRuleTests/aDayIsTheUsersOwn",
        ],
        "C-07": ["FollowRuleTests/isRefused", "FollowRuleTests/followingIsEveryHabitOfEveryFriend"],
        "C-08": [
            "EventRuleTests/isRefused", "EventRuleTests/addRecordsTodayAndShowsIt",
            "EventRuleTests/addTakesWhatIsAtTheLimit", "EventRuleTests/locationIsThePermissionOfItsUser",
            "PhotoRuleTests/photosOf65535BytesAreTaken", "PhotoRuleTests/photosOf65536BytesAreNot",
            "PhotoRuleTests/whatIsNoPictureIsRefused", "PhotoRuleTests/isRefused", "PhotoRuleTests/thePlaceOfAPhoto",
            "PhotoRuleTests/aPhotoGivesNoPlaceUnlessItIsAskedFor", "ClockRuleTests/aDayIsTheUsersOwn",
            "ClockRuleTests/todayIsTheDayOfWhatIsRecorded",
        ],
        "C-09": ["EventRuleTests/isRefused", "EventRuleTests/showIsOneThingInEveryFormat"],
        "C-10": [
            "EventRuleTests/isRefused", "EventRuleTests/editKeepsTheDayAndWhatIsNotSaid",
            "PhotoRuleTests/photosOf65536BytesAreNot", "PhotoRuleTests/thePlaceOfAPhoto",
        ],
        "C-11": ["EventRuleTests/isRefused", "EventRuleTests/deleteTakesOneEvent"],
        "C-12": [
            "HistoryRuleTests/newestFirst", "HistoryRuleTests/unlocatedEventsAreInEveryFormatButGeoJSON",
            "HistoryTests/newestFirstInATotalOrder",
        ],
        "C-13": [
            "HistoryRuleTests/isRefused", "HistoryRuleTests/scopes", "OutputRuleTests/nothingIsASuccess",
            "HistoryTests/friendsLatest",
        ],
        "C-14": [
            "HistoryRuleTests/isRefused", "HistoryRuleTests/filters", "HistoryRuleTests/titlesAreFolded",
            "HistoryRuleTests/aTitleIsThatOfEveryVisibleHabit",
        ],
        "C-15": [
            "HistoryRuleTests/isRefused", "HistoryRuleTests/filters", "HistoryTests/searchTextsAreNotPatterns",
        ],
        "C-16": [
            "HistoryRuleTests/isRefused", "HistoryRuleTests/filters", "HistoryRuleTests/nearIsWithinFiveKilometres",
            "NearTests/largeCirclesAndTheEdge",
        ],
        "C-17": ["FollowRuleTests/isRefused", "FollowRuleTests/userListSaysHowEachStandsToMe"],
        "C-18": ["FollowRuleTests/isRefused", "FollowRuleTests/requestAndAccept"],
        "C-19": [
            "FollowRuleTests/isRefused", "FollowRuleTests/requestAndAccept", "LatestRuleTests/olderEventsAreNowhere",
            "LatestRuleTests/neitherCountsNorPhotosTell", "LatestRuleTests/habitsAreShownToBoth",
            "LatestRuleTests/theNewestIsTheNewestNow", "LatestRuleTests/aChangedShareHoldsAtOnce",
        ],
        "C-20": [
            "FollowRuleTests/isRefused", "FollowRuleTests/rejectAndAskAgain",
            "LatestRuleTests/anEndedFollowHidesAtOnce",
        ],
        "C-21": [
            "FollowRuleTests/isRefused", "FollowRuleTests/userAddShowEdit", "FollowRuleTests/userDelete",
            "FollowRuleTests/userDeleteExportsFirst",
        ],
        "C-22": [
            "HabitRuleTests/listIsMine", "StandingRuleTests/rateStatusAndStreaks",
            "OutputRuleTests/columnsAreThoseOfTheContract",
        ],
        "C-23": ["HistoryRuleTests/ingestIsIdempotent"],
        "C-24": ["EventRuleTests/isRefused", "EventRuleTests/skipAndReplace", "HabitRuleTests/todoIsWhatIsDueToday"],
        "C-29": [
            "OutcomeTests/cellDecidesWhetherThereIsAnEvent", "OutcomeTests/everyFormatHasTheSameOutcomes",
            "OutcomeTests/storedEventStaysIfRowSaysNotDone", "OutcomeFuzzTests/everyFormatAgreesWithModel",
        ],
        "M-01": [
            "StandingRuleTests/rateStatusAndStreaks", "StandingRuleTests/includeTodayCountsTodayAsMissed",
            "WeeksRuleTests/unplannedEventsCountForNothing", "ClockRuleTests/theDayIsThatOfTheRowsOwner",
        ],
        "M-02": ["StandingRuleTests/rateStatusAndStreaks"],
        "M-03": [
            "StandingRuleTests/rateStatusAndStreaks", "ClockRuleTests/atMidnightANewDayBegins",
            "ClockRuleTests/theLeapDayCounts",
        ],
        "M-04": ["StandingRuleTests/score"],
        "M-05": ["WeeksRuleTests/weeksRunFromMondayToSunday", "HabitRuleTests/showHasTheWeeksForTheOwnerAlone"],
    ]
}
