/// Lists the tests that prove the rules of items, posts, output and safety.
extension RuleTable {
    static let moreProofs: [String: [String]] = [
        "G-01": [
            "ItemRuleTests/claimOfOtherUsersItemSucceeds", "ItemRuleTests/releasedItemIsClaimedByAnotherUser",
            "ItemRuleTests/itemListAppliesFilters",
            "ItemRuleTests/actionFailsWhenItemDoesNotExist", "ItemRuleTests/claimantIsVisibleOnlyToPosterAndClaimant",
            "ItemLifeCycleTests/actionOnItemDependsOnStateAndUser",
            "ContentionTests/oneOfHundredSimultaneousClaimsSucceeds",
            "SampleDataTests/claimantIsVisibleOnlyToPosterAndClaimant",
        ],
        "G-02": [
            "ItemRuleTests/itemTextsAreLimitedInLength", "ItemRuleTests/operatorChangesLimits",
            "ItemRuleTests/photoOfItemIsValidated", "ItemRuleTests/itemIsPostedAndEdited",
            "ItemRuleTests/deletingItemRemovesClaimsAndMessages", "PostRuleTests/photosLoseEXIFUnlessKept",
            "AccountRuleTests/positionIsRefusedWhenUserDoesNotShareLocation",
        ],
        "G-03": [
            "MessageRuleTests/messageIsPermittedOnlyBetweenPosterAndClaimant",
            "MessageRuleTests/sendIsRefusedWhenUserOrItemIsUnknown",
            "MessageRuleTests/sendChecksPermissionBeforeText", "MessageRuleTests/messageTextIsLimitedInLength",
            "MessageRuleTests/operatorChangesMessageLimit", "MessageRuleTests/blockedWordIsNamedInError",
            "MessageRuleTests/textWithSimilarWordsIsAccepted",
            "MessageRuleTests/messageListIsSortedAndLimitedToParticipants",
            "MessageRuleTests/messageIsDeletedOnlyBySender",
            "AccountRuleTests/inboxListsUnansweredRecords",
        ],
        "G-04": [
            "ItemLifeCycleTests/actionOnItemDependsOnStateAndUser", "ItemLifeCycleTests/itemExpiresAtEndOfDayOfPoster",
        ],
        "G-05": ["ChangeTests/itemIsClaimedDiscussedAndGiven"],
        "G-06": [
            "GiveAwayCommandTests/pictureThatDoesNotDecodeIsRefused",
            "GiveAwayRuleTests/pictureThatDoesNotDecodeIsRefused",
            "GiveAwayCommandTests/descriptionMayBeEmpty", "GiveAwayRuleTests/descriptionMayBeEmpty",
        ],
        "G-07": [
            "MessageRuleTests/messageIsPermittedOnlyBetweenPosterAndClaimant",
            "GiveAwayRuleTests/messageIsPermittedOnlyBetweenPosterAndClaimant",
        ],
        "G-08": [
            "GiveAwayCommandTests/messageWithBlockedWordIsRefused", "GiveAwayRuleTests/messageWithBlockedWordIsRefused",
            "GiveAwayCommandTests/wordListOfStoreReplacesBuiltInList",
            "GiveAwayRuleTests/wordListOfStoreReplacesBuiltInList",
            "GiveAwayCommandTests/wordListIsSetOnlyByOperator", "GiveAwayRuleTests/senderDoesNotChooseWordList",
            "GiveAwayCommandTests/invalidWordListIsRefused", "GiveAwayCommandTests/wordListSurvivesExportAndLoad",
            "WordListTests/disguisedWordIsFound",
        ],
        "H-01": [
            "DownloadTests/downloadWritesPhotoToFileAndStandardOutput",
            "DownloadTests/downloadToFolderDerivesNameFromID",
            "DownloadTests/downloadChecksPermissionBeforeOutputAndPhoto",
            "DownloadFailureTests/downloadToDeviceKeepsDevice",
        ],
        "H-02": [
            "DownloadFailureTests/downloadFailsWhenPhotoIsDamaged",
            "DownloadFailureTests/killedDownloadLeavesCompleteFileOrNothing",
            "DownloadFailureTests/downloadFailsWithNoSpaceWhenDiskIsFull",
        ],
        "H-03": [
            "DownloadTests/downloadKeepsExistingFileUnlessForced",
            "DownloadTests/downloadIsRefusedWhenOutputCannotBeCreated",
            "DownloadTests/downloadIsRefusedWhenFolderIsNotWritable",
            "DownloadTests/downloadChecksPermissionBeforeOutputAndPhoto",
        ],
        "H-04": ["DownloadFailureTests/downloadFailsWithNoSpaceWhenDiskIsFull"],
        "H-05": ["PostRuleTests/hiddenPostCausesSameErrorAsMissingPost", "PostRuleTests/deletedPostKeepsNoContent"],
        "H-06": [
            "PostRuleTests/listsContainOnlyVisiblePosts", "PostRuleTests/hiddenPostCausesSameErrorAsMissingPost",
            "PostRuleTests/postIsChangedOnlyByAuthor", "PostRuleTests/visibilityOfPostFollowsFollowStatus",
            "DownloadTests/downloadIsRefusedForUsersWithoutAccess",
        ],
        "H-07": ["DownloadTests/postAmongManyIsDownloaded"],
        "H-08": [
            "PostRuleTests/postIsAdded", "PostRuleTests/captionIsLimitedInLength",
            "PostRuleTests/photoOfPostIsValidated",
            "PostRuleTests/operatorChangesCaptionLimit", "PostRuleTests/photosLoseEXIFUnlessKept",
        ],
        "R-01": [
            "OutputFormatTests/formatIsDerivedFromFileName", "EventRuleTests/showPrintsOneEventInEveryFormat",
            "HistoryTests/outputFormatIsDerivedFromFileName", "TextRendererTests/linesNeverExceedWidth",
        ],
        "R-02": [
            "GeoJSONRendererTests/anyRowsProduceValidGeoJSON", "GeoJSONRendererTests/collectionEndsWithBoundingBox",
            "GeoJSONRendererTests/textSequenceHasSeparatorBeforeAndLineFeedAfterEachFeature",
            "GeoJSONRendererTests/idIsKeptWhenItsColumnIsNotSelected",
        ],
        "R-03": [
            "CSVRendererTests/cellIsQuotedWhenNeeded",
            "CSVRendererTests/everyTextRoundTripsAndNullDiffersFromEmpty",
            "CSVRendererTests/formulaCellsGetApostropheOnRequest", "HistoryTests/historyInCSVRoundTrips",
        ],
        "R-04": [
            "TextRendererTests/linesNeverExceedWidth", "TextRendererTests/statusHasColorAndForm",
            "TextRendererTests/plainLinesHaveTabsAndEscapes",
        ],
        "R-05": [
            "NumberTests/fixedDecimalsMatchPrintf", "InstantTests/formattedInstantMatchesModel",
            "OutputRuleTests/columnsMatchContract",
        ],
        "R-06": [
            "OutputDestinationTests/fileAppearsCompleteAndReplacesOldFile",
            "OutputDestinationTests/oldFileIsKeptWithoutClose",
        ],
        "R-07": [
            "ReportCommandTests/customReportTakesPrecedenceOverShippedReport",
            "ReportCommandTests/reportRunsFromAnyFolder",
            "ReportCommandTests/shippedReportsPassCheck", "ReportCommandTests/checkListsEveryProblemWithItsLine",
            "ReportGoldenTests/exampleOutputMatchesGoldenFile",
        ],
        "R-08": [
            "ReportVisibilityTests/eventReportContainsOnlyVisibleEvents",
            "ReportVisibilityTests/habitsReportHidesPrivateColumnsOfFollowedUsers",
            "ReportVisibilityTests/aggregateReportsCountOnlyVisibleEvents",
            "AnalysisQueryTests/actorReadsOnlyVisibleRecords", "AnalysisQueryTests/forbiddenSQLIsRefused",
            "TableFunctionTests/functionsReturnOnlyVisibleRows",
        ],
        "R-09": [
            "NightlyTests/nightlyRunIsReproducibleAtAnyTimeAndPlace", "NightlyTests/manifestListsFilesWithChecksums",
            "NightlyTests/nightlyRunKeepsPreviousRunWhenKilled", "NightlyTests/nightlyRunIsRefusedWhileAnotherRuns",
        ],
        "R-12": [
            "NightlyInputTests/onlyNightsWithChangedInputAreMadeAgain",
            "NightlyInputTests/everyInputOfReportsIsCompared", "NightlyInputTests/changedReportFileRepeatsNights",
        ],
        "R-13": [
            "NightlyInputTests/dayEndsForEachUserInOwnTimeZone", "NightlyInputTests/resultDoesNotDependOnEarlierRuns",
        ],
        "S-01": [
            "SafetyRuleTests/writeFailsWithNoSpaceAndKeepsStoreWhenDiskIsFull",
            "SafetyRuleTests/committedChangesSurviveKilledProcess",
            "AccountRuleTests/killedDeleteIsCompleteOrAbsent", "IngestTests/killedLoadLeavesStoreUnchanged",
            "IngestTests/repeatedLoadChangesNothing", "StoreTests/spatialIndexMatchesRows",
            "ContentionTests/readersSeeOneStateDuringWrite", "ContentionTests/readersSeeCompleteLoadOrNothing",
        ],
        "S-02": [
            "SafetyRuleTests/storeFilesAreReadableOnlyByOwner",
            "SafetyRuleTests/outputIsReadableOnlyByOwnerUnlessShared",
            "SafetyRuleTests/foldersAndRejectedRowsAreReadableOnlyByOwnerUnlessShared",
            "SafetyRuleTests/tokenFileCannotBeShared",
            "StoreTests/storeIsReadableOnlyByOwner",
        ],
        "S-03": [
            "SafetyRuleTests/invalidArgumentIsRefusedWithoutCrash", "BadInputTests/ingestRefusesBadInputAndKeepsStore",
            "BadInputTests/ingestRejectsRowsWhenBytesAreNotUTF8",
            "BadInputTests/ingestStoresNothingWhenGzipIsTruncated", "FuzzReaderTests/mutatedDocumentsAreRead",
            "MemoryReaderTests/longRecordIsNotKeptInMemory", "MemoryReaderTests/gigabyteLineIsNotKeptInMemory",
        ],
        "S-04": [
            "SafetyRuleTests/specialCharactersAreNotInterpreted", "HistoryTests/searchTextIsNotInterpretedAsPattern",
            "AnalysisQueryTests/forbiddenSQLIsRefused",
        ],
        "S-05": [
            "DownloadTests/downloadToFolderDerivesNameFromID", "IngestTests/photosOutsideInputFolderAreRejected",
            "BadInputTests/outputIsRefusedWhenItWouldOverwriteInputOrStore",
        ],
        "S-06": [
            "SafetyRuleTests/errorsRevealNothingAboutOtherUsersOrSQL",
            "SafetyRuleTests/errorOfDamagedStoreContainsNoSQL",
            "IngestTests/rejectedRowsAreReportedAndCanBeRepaired",
        ],
        "S-07": [
            "SchemaTests/columnsWith64BitsAreDeclaredBigint", "SchemaTests/gdalReadsInstants",
            "SchemaTests/geoPandasReadsInstants",
        ],
    ]
}
