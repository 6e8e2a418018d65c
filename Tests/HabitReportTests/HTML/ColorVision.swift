import Foundation

/// A form of color blindness, simulated with the matrices of Machado, Oliveira and Fernandes (2009) for severity 1.
enum ColorVision: CaseIterable {
    case protanopia
    case deuteranopia
    case tritanopia

    private var matrix: [[Double]] {
        switch self {
        case .protanopia:
            [
                [0.152286, 1.052583, -0.204868],
                [0.114503, 0.786281, 0.099216],
                [-0.003882, -0.048116, 1.051998],
            ]
        case .deuteranopia:
            [
                [0.367322, 0.860646, -0.227968],
                [0.280085, 0.672501, 0.047413],
                [-0.011820, 0.042940, 0.968881],
            ]
        case .tritanopia:
            [
                [1.255528, -0.076749, -0.178779],
                [-0.078411, 0.930809, 0.147602],
                [0.004733, 0.691367, 0.303900],
            ]
        }
    }

    /// Returns the color that a person sees, as red, green and blue in linear light.
    func seen(_ linear: [Double]) -> [Double] {
        LabColor.product(matrix, linear).map { value in min(1, max(0, value)) }
    }
}

/// A color of CIELAB.
struct LabColor {
    let lightness: Double
    let a: Double
    let b: Double

    init(lightness: Double, a: Double, b: Double) {
        self.lightness = lightness
        self.a = a
        self.b = b
    }

    /// Converts red, green and blue in linear light, with the white point D65.
    init(linear: [Double]) {
        let matrix = [
            [0.4124564, 0.3575761, 0.1804375],
            [0.2126729, 0.7151522, 0.0721750],
            [0.0193339, 0.1191920, 0.9503041],
        ]
        let white = [0.95047, 1, 1.08883]
        let roots = zip(Self.product(matrix, linear), white).map { value, white -> Double in
            let share = value / white
            return share > 216.0 / 24389 ? cbrt(share) : (24389.0 / 27 * share + 16) / 116
        }
        lightness = 116 * roots[1] - 16
        a = 500 * (roots[0] - roots[1])
        b = 200 * (roots[1] - roots[2])
    }

    static func product(_ matrix: [[Double]], _ vector: [Double]) -> [Double] {
        matrix.map { row in
            zip(row, vector).reduce(0) { sum, pair in
                sum + pair.0 * pair.1
            }
        }
    }

    /// Returns the difference of two colors by CIEDE2000, which is about 1 if it is just visible.
    ///
    /// Sharma, Wu and Dalal (2005) use the same names.
    func difference(to other: LabColor) -> Double {
        let meanChroma = (hypot(a, b) + hypot(other.a, other.b)) / 2
        let stretch = 1.5 - 0.5 * Self.share(ofChroma: meanChroma)
        let one = Polar(a: a * stretch, b: b)
        let two = Polar(a: other.a * stretch, b: other.b)
        let isGray = one.chroma * two.chroma == 0
        let turn = isGray ? 0 : remainder(two.hue - one.hue, 360)
        let hue = isGray ? one.hue + two.hue : one.hue + turn / 2
        let chroma = (one.chroma + two.chroma) / 2
        let lightness = (self.lightness + other.lightness) / 2 - 50

        var t = 1.0
        t -= 0.17 * Self.cosine(hue - 30)
        t += 0.24 * Self.cosine(2 * hue)
        t += 0.32 * Self.cosine(3 * hue + 6)
        t -= 0.2 * Self.cosine(4 * hue - 63)
        let lightnessWeight = 1 + 0.015 * lightness * lightness / sqrt(20 + lightness * lightness)
        let deltaLightness = (other.lightness - self.lightness) / lightnessWeight
        let deltaChroma = (two.chroma - one.chroma) / (1 + 0.045 * chroma)
        let deltaHue = 2 * sqrt(one.chroma * two.chroma) * Self.sine(turn / 2) / (1 + 0.015 * chroma * t)
        let wholeTurns = (hue / 360).rounded(.down)
        let rotation = 60 * exp(-pow((hue - 360 * wholeTurns - 275) / 25, 2))
        let cross = -Self.sine(rotation) * 2 * Self.share(ofChroma: chroma)
        let squares = deltaLightness * deltaLightness + deltaChroma * deltaChroma + deltaHue * deltaHue
        return sqrt(squares + cross * deltaChroma * deltaHue)
    }

    /// The chroma and the hue in degrees, 0..<360.
    private struct Polar {
        let chroma: Double
        let hue: Double

        init(a: Double, b: Double) {
            chroma = hypot(a, b)
            let degrees = atan2(b, a) * 180 / .pi
            hue = degrees < 0 ? degrees + 360 : degrees
        }
    }

    private static func share(ofChroma chroma: Double) -> Double {
        let power = pow(chroma, 7)
        return sqrt(power / (power + pow(25, 7)))
    }

    private static func cosine(_ degrees: Double) -> Double { cos(degrees * .pi / 180) }

    private static func sine(_ degrees: Double) -> Double { sin(degrees * .pi / 180) }
}
