extension UInt8 {
    static let ampersand = UInt8(ascii: "&")
    static let backslash = UInt8(ascii: "\\")
    static let carriageReturn = UInt8(ascii: "\r")
    static let closingBracket = UInt8(ascii: "]")
    static let colon = UInt8(ascii: ":")
    static let comma = UInt8(ascii: ",")
    static let equalsSign = UInt8(ascii: "=")
    static let hyphen = UInt8(ascii: "-")
    static let openingBracket = UInt8(ascii: "[")
    static let percentSign = UInt8(ascii: "%")
    static let plusSign = UInt8(ascii: "+")
    static let quotationMark = UInt8(ascii: "\"")
    static let semicolon = UInt8(ascii: ";")
    static let space = UInt8(ascii: " ")
    static let tab = UInt8(ascii: "\t")

    var isSpaceOrTab: Bool {
        self == .space || self == .tab
    }

    var isASCIIDigit: Bool {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: false
        }
    }

    var isASCIILetter: Bool {
        switch self {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"):
            true
        case UInt8(ascii: "a")...UInt8(ascii: "z"):
            true
        default: false
        }
    }

    var isASCIILetterOrDigit: Bool { isASCIILetter || isASCIIDigit }
}
