/// The English texts around tables and charts, with one enumeration for each area.
///
/// A text contains no markup. If an element stands within a sentence, the text is a function with the element as an
/// argument.
enum HTMLText {}
