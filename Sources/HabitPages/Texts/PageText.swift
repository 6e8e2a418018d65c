/// The English texts of pages, with one enumeration for each area.
///
/// A text contains no markup. If an element stands within a sentence, the text is a function with the element as an
/// argument. The descriptions of errors, collections and reports and the labels of columns are not here, because other
/// programs use them too.
enum PageText {}
