/// The proofs of what is given away, of photo posts, of output and of safety.
extension RuleTable {
    static let moreProofs: [String: [String]] = [
        "G-01": [
            "ItemRuleTests/claimingSomebodyElsesItem", "ItemRuleTests/claimingAgain", "ItemRuleTests/listing",
            "ItemRuleTests/whatIsNotThere", "ItemRuleTests/whoHasClaimedIsTheirsToKnow",
            "ItemLifeCycleTests/everyStateAndAction", "ContentionTests/oneOfAHundredClaims",
            "SampleDataTests/whoSeesWhoClaimedAnItem",
        ],
        "G-02": [
            "ItemRuleTests/textsHaveLimits", "ItemRuleTests/theOperatorSetsTheLimits",
            "ItemRuleTests/thePictureIsDecoded", "ItemRuleTests/postingAndChanging",
            "ItemRuleTests/deletingTakesClaimsAndMessagesAlong", "PostRuleTests/photosLoseTheirEXIF",
            "AccountRuleTests/whoSharesNoLocationStoresNone",
        ],
        "G-03": [
            "MessageRuleTests/betweenPosterAndClaimer", "MessageRuleTests/whoeverHasNotSignedInWritesToNobody",
            "MessageRuleTests/permissionComesFirst", "MessageRuleTests/textsHaveLimits",
            "MessageRuleTests/theOperatorSetsTheLimit", "MessageRuleTests/aWordThatIsNotAllowedIsNamed",
            "MessageRuleTests/falseAlarms", "MessageRuleTests/anotherWordList",
            "MessageRuleTests/historyInOrderAndForTheTwoAlone", "MessageRuleTests/onlyTheSenderDeletes",
            "AccountRuleTests/whatWaitsForAnAnswer",
        ],
        "G-04": ["ItemLifeCycleTests/everyStateAndAction", "ItemLifeCycleTests/theDateIsThePosters"],
        "H-01": [
            "DownloadTests/toAFile", "DownloadTests/toAFolder", "DownloadTests/theOrderOfTheChecks",
            "DownloadFailureTests/aDeviceStaysADevice",
        ],
        "H-02": [
            "DownloadFailureTests/aPhotoThatIsDamagedInTheStore", "DownloadFailureTests/aKilledDownloadLeavesNoPart",
            "DownloadFailureTests/aFullDisk",
        ],
        "H-03": [
            "DownloadTests/aFileThatIsThereStays", "DownloadTests/whereNothingCanBeMade",
            "DownloadTests/aFolderThatIsNotWritable", "DownloadTests/theOrderOfTheChecks",
        ],
        "H-04": ["DownloadFailureTests/aFullDisk"],
        "H-05": ["PostRuleTests/whatMayNotBeSeenIsNotThere", "PostRuleTests/aTombstoneHoldsNothing"],
        "H-06": [
            "PostRuleTests/listsHoldWhatMayBeSeen", "PostRuleTests/whatMayNotBeSeenIsNotThere",
            "PostRuleTests/onlyTheAuthorChanges", "PostRuleTests/followsDecide", "DownloadTests/whoMaySeeIt",
        ],
        "H-07": ["DownloadTests/withinTwoSeconds"],
        "H-08": [
            "PostRuleTests/adding", "PostRuleTests/captions", "PostRuleTests/photos",
            "PostRuleTests/theOperatorSetsTheLimit", "PostRuleTests/photosLoseTheirEXIF",
        ],
        "R-01": [
            "OutputFormatTests/a name tells the format", "EventRuleTests/showIsOneThingInEveryFormat",
            "HistoryTests/outputGoesToAFileOfTheGuessedFormat", "TextRendererTests/no line exceeds the width",
        ],
        "R-02": [
            "GeoJSONRendererTests/any rows give valid GeoJSON", "GeoJSONRendererTests/a collection, its bbox last",
            "GeoJSONRendererTests/a text sequence has a separator before and a line feed after each",
            "GeoJSONRendererTests/the id stays though its column is not chosen",
        ],
        "R-03": [
            "CSVRendererTests/a cell is quoted where needed",
            "CSVRendererTests/every text reads back alike, null apart from empty",
            "CSVRendererTests/formula cells get an apostrophe on request", "HistoryTests/csvComesBackAsItWas",
        ],
        "R-04": [
            "TextRendererTests/no line exceeds the width", "TextRendererTests/a status has its colour on request",
            "TextRendererTests/plain lines have tabs, escapes and nothing else",
        ],
        "R-05": [
            "NumberTests/fixed decimals are those of printf", "InstantTests/it is what the model says",
            "OutputRuleTests/columnsAreThoseOfTheContract",
        ],
        "R-06": [
            "OutputDestinationTests/a file appears complete and replaces the old one",
            "OutputDestinationTests/without close the old file stays and nothing is left behind",
        ],
        "R-07": [
            "ReportCommandTests/ownReportsComeBeforeTheShippedOnes", "ReportCommandTests/reportsWorkFromAnyFolder",
            "ReportCommandTests/theShippedReportsAreInOrder", "ReportCommandTests/checkTellsEveryProblemWithItsLine",
            "ReportGoldenTests/example",
        ],
        "R-08": [
            "ReportVisibilityTests/events", "ReportVisibilityTests/habits", "ReportVisibilityTests/aggregates",
            "AnalystQueryTests/anActorReadsOnlyWhatTheyMaySee", "AnalystQueryTests/refuses",
            "TableFunctionTests/functionsShowNoMoreThanTheViewerMaySee",
        ],
        "R-09": [
            "NightlyTests/isTheSameWhereverAndWheneverItRuns", "NightlyTests/theManifestSaysWhatIsThere",
            "NightlyTests/aRunThatIsKilledLeavesTheLastNightWhole", "NightlyTests/oneRunAtATime",
        ],
        "S-01": [
            "SafetyRuleTests/aStoreOnAFullDisk", "SafetyRuleTests/whatWasDoneStays",
            "AccountRuleTests/aKilledDeleteIsWholeOrNone", "IngestTests/aKilledLoadLeavesTheStoreAsItWas",
            "IngestTests/loadingTwiceChangesNothing", "StoreTests/theSpatialIndexAgreesWithTheRows",
            "ContentionTests/readersSeeOneState", "ContentionTests/readersSeeALoadWhole",
        ],
        "S-02": [
            "SafetyRuleTests/nobodyElseReadsTheStore", "SafetyRuleTests/outputIsReadableOnlyByOwnerUnlessShared",
            "SafetyRuleTests/foldersAndRejectedRowsAreReadableOnlyByOwnerUnlessShared",
            "SafetyRuleTests/tokenFileCannotBeShared",
            "StoreTests/onlyTheOwnerMayReadIt",
        ],
        "S-03": [
            "SafetyRuleTests/oddArguments", "BadInputTests/isRefused", "BadInputTests/bytesThatAreNotText",
            "BadInputTests/aTruncatedGzipStoresNothing", "FuzzReaderTests/mutatedDocumentsAreRead",
            "MemoryReaderTests/longRecordIsNotKept", "MemoryReaderTests/gigabyteLineIsNotKept",
        ],
        "S-04": [
            "SafetyRuleTests/patternsAreCharacters", "HistoryTests/searchTextsAreNotPatterns",
            "AnalystQueryTests/refuses",
        ],
        "S-05": [
            "DownloadTests/toAFolder", "IngestTests/photosStayInTheirFolder", "BadInputTests/outputsKeepOffWhatIsRead",
        ],
        "S-06": [
            "SafetyRuleTests/errorsTellNothing", "SafetyRuleTests/aBrokenStoreIsToldWithoutSQL",
            "IngestTests/refusedRowsAreNamedAndCanBeMended",
        ],
        "S-07": [
            "SchemaTests/columnsThatHold64BitsAreDeclaredBigint", "SchemaTests/gdalReadsInstants",
            "SchemaTests/geoPandasReadsInstants",
        ],
    ]
}
