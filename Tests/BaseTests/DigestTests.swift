import Base
import Foundation
import HabitTestSupport
import Testing

@Suite(.engineIndependent) struct DigestTests {
    @Test func bytesAreTwoDigitsEach() {
        #expect([UInt8]([0x00, 0x0F, 0xA0, 0xFF]).hexadecimal == "000fa0ff")
        #expect([UInt8]().hexadecimal == "")
    }

    /// The digest of FIPS 180-4 for the text "abc".
    @Test func digestIsSHA256() {
        let expected = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        #expect("abc".utf8.sha256.hexadecimal == expected)
    }

    @Test func lengthsPrecedeTexts() {
        #expect(["a", "bcé"].lengthPrefixedSHA256 == "1:a4:bcé".utf8.sha256)
        #expect(["a", "bc"].lengthPrefixedSHA256 != ["ab", "c"].lengthPrefixedSHA256)
    }
}
