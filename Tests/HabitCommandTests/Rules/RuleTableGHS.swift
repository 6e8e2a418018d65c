/// The proofs of what is given away, of photo posts and of safety.
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
        "S-01": [
            "SafetyRuleTests/aStoreOnAFullDisk", "SafetyRuleTests/whatWasDoneStays",
            "AccountRuleTests/aKilledDeleteIsWholeOrNone", "IngestTests/aKilledLoadLeavesTheStoreAsItWas",
            "IngestTests/loadingTwiceChangesNothing", "StoreTests/theSpatialIndexAgreesWithTheRows",
            "ContentionTests/readersSeeOneState", "ContentionTests/readersSeeALoadWhole",
        ],
        "S-02": [
            "SafetyRuleTests/nobodyElseReadsTheStore", "SafetyRuleTests/whatIsPutOutFollowsTheUmask",
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
    ]
}
