/// The form of shares for people, such as `72 %`.
package enum ShareText {
    /// A share above zero up to this value has the form `<1 %`.
    private static let smallest = 0.005

    /// Returns the form of a share.
    ///
    /// - Parameter share: The share, such as 0.72.
    /// - Returns: The percentage, which is rounded to the even number if it is between two.
    package static func forPeople(_ share: Double) -> String {
        let buffer = OutputBuffer()
        append(share, to: buffer)
        return buffer.text
    }

    /// Appends the form of a share, or nothing if the share is not finite.
    static func append(_ share: Double, to buffer: OutputBuffer) {
        if share > 0, share <= smallest {
            buffer.append(literal: "<1 %")
        } else if buffer.append(share * 100, decimals: 0) {
            buffer.append(literal: " %")
        }
    }
}
