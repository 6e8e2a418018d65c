/// Lists the tests that prove over HTTP the rules that concern users.
///
/// The other rules concern only the operator's shell or the files that a command writes.
extension RuleTable {
    static let proofsOverHTTP: [String: [String]] = [
        "C-01": [
            "HabitsOverHTTPTests/invalidHabitRequestIsRefused", "HabitsOverHTTPTests/addReturnsHabitThatStartsToday",
            "HabitsOverHTTPTests/addAcceptsValuesAtLimit",
        ],
        "C-02": [
            "HabitsOverHTTPTests/invalidHabitRequestIsRefused", "HabitsOverHTTPTests/showReturnsWeeksOnlyToOwner",
            "HabitsOverHTTPTests/hiddenRecordCausesSameErrorAsMissingRecord",
        ],
        "C-03": [
            "HabitsOverHTTPTests/invalidHabitRequestIsRefused", "HabitsOverHTTPTests/editKeepsOmittedFields",
            "StatisticsOverHTTPTests/newScheduleAppliesFromToday",
            "StatisticsOverHTTPTests/scheduleIsReplacedWhenHabitHasNotStarted",
        ],
        "C-04": ["HabitsOverHTTPTests/invalidHabitRequestIsRefused", "HabitsOverHTTPTests/deleteRemovesEventsOfHabit"],
        "C-05": ["HabitsOverHTTPTests/listContainsOnlyHabitsOfActor"],
        "C-06": [
            "HabitsOverHTTPTests/todoListsHabitsDueToday", "EventsOverHTTPTests/newEventHasLocalDayAndInstantOfUser",
        ],
        "C-07": [
            "FollowsOverHTTPTests/invalidFollowRequestIsRefused", "UserListTests/followingListsHabitsOfFollowedUsers",
        ],
        "C-08": [
            "EventsOverHTTPTests/invalidEventRequestIsRefused",
            "EventsOverHTTPTests/addRecordsEventOfTodayAndReturnsIt", "EventsOverHTTPTests/addAcceptsValuesAtLimit",
            "EventsOverHTTPTests/newEventHasLocalDayAndInstantOfUser",
            "AccountTests/positionIsRefusedWhenUserDoesNotShareLocation",
        ],
        "C-09": ["EventsOverHTTPTests/invalidEventRequestIsRefused", "ItemsTests/featureIsFoundByEncodedID"],
        "C-10": [
            "EventsOverHTTPTests/invalidEventRequestIsRefused", "EventsOverHTTPTests/editKeepsDayAndOmittedFields",
        ],
        "C-11": ["EventsOverHTTPTests/invalidEventRequestIsRefused", "EventsOverHTTPTests/deleteRemovesOneEvent"],
        "C-12": [
            "HistoryOverHTTPTests/historyIsSortedByDayInstantAndID", "ItemsTests/collectionIsGeoJSONWithLinksAndCounts",
        ],
        "C-13": [
            "HistoryOverHTTPTests/invalidHistoryRequestIsRefused", "HistoryOverHTTPTests/historyDependsOnActorAndScope",
            "ItemsTests/defaultScopeIsMine",
        ],
        "C-14": [
            "HistoryOverHTTPTests/historyAppliesFilters", "HistoryOverHTTPTests/habitTitleMatchesWithCaseFolding",
            "ItemsTests/habitTitleSelectsEveryVisibleHabit",
        ],
        "C-15": [
            "HistoryOverHTTPTests/historyAppliesFilters", "HistoryOverHTTPTests/searchTextIsNotInterpretedAsPattern",
        ],
        "C-16": [
            "HistoryOverHTTPTests/historyAppliesFilters", "HistoryOverHTTPTests/nearUsesFiveKilometersByDefault",
            "NearRouteTests/nearLastNeedsUserWithPosition",
        ],
        "C-17": ["UserListTests/userListShowsFollowStatusInBothDirections"],
        "C-18": [
            "FollowsOverHTTPTests/invalidFollowRequestIsRefused",
            "FollowsOverHTTPTests/acceptedRequestShowsGrantedEvents",
        ],
        "C-19": [
            "FollowsOverHTTPTests/olderEventsAreHiddenInEveryOutput",
            "FollowsOverHTTPTests/countsAndPhotosOmitOlderEvents",
            "FollowsOverHTTPTests/habitsAreVisibleToEveryFollower", "FollowsOverHTTPTests/newestEventChangesWithEvents",
            "FollowsOverHTTPTests/changedShareTakesEffectImmediately",
        ],
        "C-20": [
            "FollowsOverHTTPTests/rejectedUserSeesNothingAndCanRequestAgain",
            "FollowsOverHTTPTests/endedFollowHidesRecordsImmediately",
            "FollowsOverHTTPTests/withdrawnRequestCanBeSentAgain",
        ],
        "C-21": [
            "AccountTests/deletingAccountRemovesOnlyRecordsOfUser", "SignInTests/identityAlwaysSignsInToSameAccount",
            "SignInTests/loadedAccountIsLinkedToOneIdentity",
        ],
        "C-22": [
            "HabitsOverHTTPTests/listContainsOnlyHabitsOfActor",
            "StatisticsOverHTTPTests/rateStatusAndStreaksMatchExpectedValues",
        ],
        "C-23": ["SynchronizationTests/changesAreAppliedInOrderAndRepeatsAreHarmless"],
        "C-24": ["EventsOverHTTPTests/skippedDayIsReplacedByLaterEvent"],
        "C-25": [
            "EventsOverHTTPTests/dayOfInstantAtItsOffsetIsNotInFuture", "AccountTests/newEventHasDayOfChangedTimeZone",
        ],
        "C-26": ["SignInTests/newAccountTakesTimeZoneFromSignIn"],
        "C-27": ["SharingRuleTests/blankSearchTextIsRefused"],
        "C-28": ["SharingRuleTests/limitsOfHabitTextsAreSettings"],
        "C-29": ["ChangeTests/refusedRequestReturnsStatusAndSlug"],
        "C-30": [
            "AccountTests/userReadsAndChangesOwnAccount", "AccountTests/exportIsArchiveOfOwnRecords",
            "UserListTests/userListShowsFollowStatusInBothDirections",
        ],
        "C-31": ["ClientIDTests/chosenIDIsUUIDOrHasPrefixOfUserID"],
        "C-32": [
            "PausesOverHTTPTests/pauseIsCreatedChangedAndDeleted", "PausesOverHTTPTests/invalidPauseRequestIsRefused",
        ],
        "C-35": [
            "BlocksOverHTTPTests/blockHidesBothUsers", "BlocksOverHTTPTests/errorsAreThoseOfUnknownUser",
            "BlocksOverHTTPTests/copiesLoseHiddenRecords", "BlocksOverHTTPTests/blocksAreListedAndEnded",
        ],
        "G-01": [
            "ItemsOverHTTPTests/itemListAppliesFilters", "ItemsOverHTTPTests/claimantIsVisibleOnlyToPosterAndClaimant",
            "ItemsOverHTTPTests/oneOfSimultaneousClaimsSucceeds", "ItemsOverHTTPTests/invalidItemRequestIsRefused",
        ],
        "G-02": [
            "ItemsOverHTTPTests/itemIsPostedAndEdited", "ItemsOverHTTPTests/itemTextsAreLimitedInLength",
            "ItemsOverHTTPTests/operatorChangesLimits", "ItemsOverHTTPTests/deletingItemRemovesClaimsAndMessages",
        ],
        "G-03": [
            "SharingRuleTests/messageTextIsLimitedInLength", "SharingRuleTests/operatorChangesMessageLimit",
            "SharingRuleTests/messageIsDeletedOnlyBySender", "GiveAwayRuleTests/sendChecksPermissionBeforeText",
            "GiveAwayRuleTests/sendIsRefusedWhenUserOrItemIsUnknown",
            "DatetimeTests/messageListIsSortedAndLimitedToParticipants",
        ],
        "G-04": [
            "ItemsOverHTTPTests/actionOnItemDependsOnStateAndUser", "ItemsOverHTTPTests/releaseDependsOnStateAndUser",
            "ItemsOverHTTPTests/itemExpiresAtEndOfDayOfPoster",
        ],
        "G-05": ["ChangeTests/itemIsClaimedDiscussedAndGiven"],
        "G-06": ["GiveAwayRuleTests/pictureThatDoesNotDecodeIsRefused"],
        "G-07": ["GiveAwayRuleTests/messageIsPermittedOnlyBetweenPosterAndClaimant"],
        "G-08": [
            "GiveAwayRuleTests/messageWithBlockedWordIsRefused", "GiveAwayRuleTests/wordListOfStoreReplacesBuiltInList",
        ],
        "H-01": ["PostsOverHTTPTests/downloadIsRefusedForUsersWithoutAccess", "PhotoLinkTests/downloadIsAttachment"],
        "H-02": ["PostsOverHTTPTests/downloadFailsWhenPhotoIsDamaged"],
        "H-05": ["PostsOverHTTPTests/hiddenPostCausesSameErrorAsMissingPost"],
        "H-06": [
            "PostsOverHTTPTests/listsContainOnlyVisiblePosts", "PostsOverHTTPTests/postIsChangedOnlyByAuthor",
            "PostsOverHTTPTests/visibilityOfPostFollowsFollowStatus",
        ],
        "H-08": [
            "PostsOverHTTPTests/postIsAdded", "PostsOverHTTPTests/captionIsLimitedInLength",
            "PostsOverHTTPTests/operatorChangesCaptionLimit", "PostsOverHTTPTests/photoOfPostIsValidated",
            "PostsOverHTTPTests/photosLoseEXIFUnlessKept",
        ],
        "M-01": [
            "StatisticsOverHTTPTests/rateStatusAndStreaksMatchExpectedValues",
            "StatisticsOverHTTPTests/unplannedEventsDoNotCount", "StatisticsOverHTTPTests/statisticsUseDayOfHabitOwner",
        ],
        "M-02": ["StatisticsOverHTTPTests/rateStatusAndStreaksMatchExpectedValues"],
        "M-03": [
            "StatisticsOverHTTPTests/rateStatusAndStreaksMatchExpectedValues",
            "StatisticsOverHTTPTests/newDayBeginsAtLocalMidnight",
            "StatisticsOverHTTPTests/leapDayCountsInStreaksAndWeeks",
        ],
        "M-04": ["StatisticsOverHTTPTests/scoreMatchesFormulaOfRule"],
        "M-05": ["StatisticsOverHTTPTests/weeksRunFromMondayToSunday"],
        "M-06": [
            "TargetsOverHTTPTests/satisfiedDaysGiveRateAndStreaks", "TargetsOverHTTPTests/skippedDayCountsInNoPeriod",
            "TargetsOverHTTPTests/habitWithTargetIsToDoUnlessEarlierDaysSatisfyIt",
            "TargetsOverHTTPTests/everyDayAcceptsPlannedEvent", "TargetsOverHTTPTests/newTargetAppliesFromToday",
        ],
        "M-07": [
            "TargetsOverHTTPTests/amountBelowTargetIsStoredAndNotDone",
            "TargetsOverHTTPTests/todoIsDoneOnlyIfAmountReachesTarget",
            "TargetsOverHTTPTests/invalidTargetOrAmountIsRefused",
        ],
        "R-10": [
            "HistoryOverHTTPTests/historyAppliesFilters", "ItemsOverHTTPTests/itemListAppliesFilters",
            "ItemsTests/defaultScopeIsMine", "ItemsTests/bboxMatchesFeaturesWithoutGeometry",
            "NearRouteTests/nearFindsRecordsOfKinds",
        ],
        "R-11": ["ItemsTests/filtersSelectExpectedEvents", "ItemsTests/unknownHabitsAndUsersAreNotFound"],
    ]
}
