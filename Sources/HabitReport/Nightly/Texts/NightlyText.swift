/// The English texts of the pages, summaries and digests of nightly runs, with one enumeration for each area.
///
/// A text contains no markup. If an element stands within a sentence, the text is a function with the element as an
/// argument. The descriptions of errors and the titles, columns and messages of reports are not here, because other
/// programs use them too.
enum NightlyText {}
