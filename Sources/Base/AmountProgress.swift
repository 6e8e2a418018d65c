/// The amount of an event compared with the target amount of its habit (rule M-07).
public struct AmountProgress: Sendable, Equatable {
    /// The amount of the event, or `nil` if the event has no amount or does not exist.
    public var amount: Double?
    /// The amount that an event needs so that its day counts as done.
    public var target: Double
    /// The unit of both amounts, or `nil` if the habit has no unit.
    public var unit: String?

    /// Creates a comparison of an amount with a target amount.
    public init(amount: Double?, target: Double, unit: String?) {
        self.amount = amount
        self.target = target
        self.unit = unit
    }

    /// Whether the amount reaches the target, so that the day counts as done.
    public var isReached: Bool {
        guard let amount else {
            return false
        }
        return amount >= target
    }

    /// Returns an amount in words, such as `2.5 km`.
    ///
    /// - Parameters:
    ///   - amount: The amount. An integer has no decimals.
    ///   - unit: The unit, or `nil` for a number without a unit.
    /// - Returns: The amount with its unit.
    public static func text(of amount: Double, unit: String? = nil) -> String {
        let decimals = "\(amount)"
        let number = decimals.hasSuffix(".0") ? String(decimals.dropLast(2)) : decimals
        guard let unit else {
            return number
        }
        return "\(number) \(unit)"
    }
}

extension AmountProgress: CustomStringConvertible {
    /// The amounts in words, such as `1 of 2.5 km`.
    public var description: String {
        "\(Self.text(of: amount ?? 0)) of \(Self.text(of: target, unit: unit))"
    }
}
