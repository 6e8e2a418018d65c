extension OutputBuffer {
    /// Appends `value` in decimal.
    package func append(integer value: Int64) {
        if value < 0 { append(UInt8(ascii: "-")) }
        appendDigits(value.magnitude)
    }

    /// Appends `value` with at most `decimals` decimals and without trailing zeros.
    ///
    /// The exact binary value is rounded, with ties to even. C's `%.*f` has the same digits. Minus zero is `0`.
    ///
    /// - Parameters:
    ///   - value: The number.
    ///   - decimals: Maximum number of decimals. `nil` appends the shortest text that parses to the same value.
    /// - Returns: `false`, with nothing appended, if `value` is not finite.
    package func append(_ value: Double, decimals: Int?) -> Bool {
        guard value.isFinite else { return false }
        guard let decimals, decimals < 16 else {
            appendShortest(value)
            return true
        }
        let width = max(0, decimals)
        // From 2⁵³ on, doubles are further apart than the decimals, so the shortest text is not longer.
        guard let units = decimalUnits(value.magnitude, scale: powersOfTen(width)) else {
            appendShortest(value)
            return true
        }
        append(units.magnitude, decimals: width, negative: value < 0)
        return true
    }

    /// Appends `units` / 10^`decimals`.
    private func append(_ units: UInt64, decimals: Int, negative: Bool) {
        if negative, units != 0 { append(UInt8(ascii: "-")) }
        // A division by a constant compiles to a multiplication.
        let (whole, rest) =
            decimals == 7
            ? units.quotientAndRemainder(dividingBy: 10_000_000)
            : units.quotientAndRemainder(dividingBy: UInt64(powersOfTen(decimals)))
        appendDigits(whole)
        guard rest != 0 else { return }
        if decimals <= 8 {
            append(UInt8(ascii: "."))
            let scaleTo8 = UInt32(powersOfTen(8 - decimals))
            let digits = PackedDigits(UInt32(truncatingIfNeeded: rest) &* scaleTo8)
            let target = UnsafeMutableRawPointer(reserve(8))
            target.storeBytes(of: digits.ascii.littleEndian, as: UInt64.self)
            return advance(digits.countWithoutZeros)
        }
        var fraction = rest
        var width = decimals
        while fraction % 10 == 0 {
            fraction /= 10
            width -= 1
        }
        append(UInt8(ascii: "."))
        appendDigits(fraction, count: width)
    }

    /// Appends the shortest text that parses to `value`, in the format of `Number::toString` of ECMA-262.
    ///
    /// The text has an exponent only below 1e-6 and from 1e21 on.
    private func appendShortest(_ value: Double) {
        // n / 10^7 with n below 10^15 has at most 15 digits. No other such decimal parses to the same double.
        let size = value.magnitude
        if size < 1e8, size >= 1e-6 || size == 0 {
            let units = (size * 1e7).rounded()
            let isExact = units / 1e7 == size
            if isExact {
                return append(UInt64(units), decimals: 7, negative: value < 0)
            }
        }
        if value < 0 { append(UInt8(ascii: "-")) }
        appendShortestDigits(size)
    }

    /// Appends the shortest text of a positive number, in which the position of the decimal point selects the form.
    private func appendShortestDigits(_ value: Double) {
        let zero = UInt8(ascii: "0")
        let decimal = Self.decimal(value)
        var digits = decimal.digits
        let point = decimal.point
        switch point {
        case 1...21:
            while digits.count < point {
                digits.append(zero)
            }
            append(Array(digits[..<point]))
            guard digits.count > point else { return }
            append(UInt8(ascii: "."))
            append(Array(digits[point...]))
        case -5...0:
            append(literal: "0.")
            for _ in point..<0 {
                append(zero)
            }
            append(digits)
        default:
            append(digits[0])
            if digits.count > 1 {
                append(UInt8(ascii: "."))
                append(Array(digits[1...]))
            }
            append(UInt8(ascii: "e"))
            append(point > 0 ? UInt8(ascii: "+") : UInt8(ascii: "-"))
            appendDigits(UInt64((point - 1).magnitude))
        }
    }

    /// Returns the digits of `value`, which is positive, and the index of the decimal point: `15` and -1 for 0.015.
    private static func decimal(_ value: Double) -> (digits: [UInt8], point: Int) {
        let zero = UInt8(ascii: "0")
        let parts = value.description.split(separator: "e")
        let mantissa = parts[0].split(separator: ".", omittingEmptySubsequences: false)
        let exponent = parts.count > 1 ? Int(parts[1]) ?? 0 : 0
        let all = Array(mantissa.joined().utf8)
        let digits = all.drop { digit in digit == zero }
        let last = digits.lastIndex { digit in digit != zero } ?? digits.startIndex
        let leadingZeros = all.count - digits.count
        let point = mantissa[0].utf8.count + exponent - leadingZeros
        return (Array(digits[...last]), point)
    }

    /// Appends the decimal digits of `value`.
    private func appendDigits(_ value: UInt64) {
        // Degrees have at most three digits before the decimal point.
        guard value < 1000 else { return appendDigits(value, count: Self.decimalLength(value)) }
        let count = 1 + (value > 9 ? 1 : 0) + (value > 99 ? 1 : 0)
        let eightDigits = PackedDigits(UInt32(truncatingIfNeeded: value)).ascii
        let leadingZeros = 8 - count
        let digits = eightDigits &>> UInt64(8 * leadingZeros)
        let target = UnsafeMutableRawPointer(reserve(4))
        target.storeBytes(of: UInt32(truncatingIfNeeded: digits).littleEndian, as: UInt32.self)
        advance(count)
    }

    /// Appends `value` in decimal, with leading zeros.
    ///
    /// - Parameters:
    ///   - value: A number with at most `length` digits.
    ///   - length: The number of digits to append.
    package func appendDigits(_ value: UInt64, count length: Int) {
        let target = reserve(length)
        var rest = value
        var offset = length
        while offset > 1 {
            let two = rest % 100
            rest /= 100
            offset -= 2
            write(twoDigits: Int(truncatingIfNeeded: two), to: target + offset)
        }
        if offset == 1 { target[0] = UInt8(truncatingIfNeeded: rest) &+ UInt8(ascii: "0") }
        advance(length)
    }

    /// Writes `value`, which is 0 to 99, as two digits to `target`.
    @inline(__always)
    package func write(twoDigits value: Int, to target: UnsafeMutablePointer<UInt8>) {
        let value = UInt8(truncatingIfNeeded: value)
        target[0] = value / 10 &+ UInt8(ascii: "0")
        target[1] = value % 10 &+ UInt8(ascii: "0")
    }

    /// Returns the number of decimal digits, computed from the number of binary digits.
    ///
    /// 1233/4096 approximates log₁₀2 (Warren, "Hacker's Delight", section 11-4).
    private static func decimalLength(_ value: UInt64) -> Int {
        let binaryLength = 64 - (value | 1).leadingZeroBitCount
        let guess = (binaryLength * 1233) >> 12
        guard guess < 16 else {
            let has16Digits = value < 10_000_000_000_000_000
            return has16Digits ? 16 : String(value).utf8.count
        }
        let isLonger = value >= UInt64(powersOfTen(guess)) || guess == 0
        return isLonger ? guess + 1 : guess
    }
}

extension Double {
    /// Returns the number that the text with at most `decimals` decimals parses to.
    ///
    /// `nil` returns the number unchanged, except that minus zero becomes zero.
    func rounded(decimals: Int?) -> Double {
        guard let decimals, decimals < 16, isFinite else { return self + 0 }
        return rounded(scale: powersOfTen(max(0, decimals)))
    }

    /// Returns the number that the text with a number of decimals parses to.
    ///
    /// - Parameter scale: 10 to the power of the number of decimals.
    /// - Returns: The nearest number with these decimals.
    @inline(__always)
    func rounded(scale: Double) -> Double {
        guard let units = decimalUnits(magnitude, scale: scale) else { return self }
        // The quotient of two exact numbers is the double that is nearest to the decimal number.
        let quotient = Double(units) / scale
        return self < 0 && units != 0 ? -quotient : quotient
    }
}

/// Returns `magnitude` times `scale` as an integer, or `nil` if the product is 2⁵³ or more.
///
/// The exact product is rounded, with ties to even.
@inline(__always)
private func decimalUnits(_ magnitude: Double, scale: Double) -> Int64? {
    let product = magnitude * scale
    guard product < 0x1p53 else { return nil }
    var units = Int64(product)
    let rest = product - Double(units)  // exact
    if rest > 0.5 {
        units += 1
    } else if rest == 0.5 {
        // The product may have been rounded to the tie. The sign of the rounding error determines the direction.
        let error = (-product).addingProduct(magnitude, scale)
        if error > 0 || (error == 0 && units % 2 == 1) { units += 1 }
    }
    return units
}

/// Returns 10 to the power of `exponent`, which is 0 to 15.
///
/// The result is an exact double.
private func powersOfTen(_ exponent: Int) -> Double {
    switch exponent {
    case 0: 1
    case 1: 1e1
    case 2: 1e2
    case 3: 1e3
    case 4: 1e4
    case 5: 1e5
    case 6: 1e6
    case 7: 1e7
    case 8: 1e8
    case 9: 1e9
    case 10: 1e10
    case 11: 1e11
    case 12: 1e12
    case 13: 1e13
    case 14: 1e14
    default: 1e15
    }
}
