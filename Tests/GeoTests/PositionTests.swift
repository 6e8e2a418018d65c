import HabitTestSupport
import Testing

@testable import Geo

@Suite(.engineIndependent) struct PositionTests {
    @Test(arguments: [
        ("38.7223,-9.1393", -9.1393, 38.7223), (" -33.87,151.21", 151.21, -33.87), ("0,0", 0, 0),
        ("38.7223N, 9.1393W", -9.1393, 38.7223), ("33.87s,151.21e", 151.21, -33.87), ("90,-180", -180, 90),
        ("387223000,-91393000", -9.1393, 38.7223), ("100000,-100000", -0.01, 0.01), ("+1.5,2e1", 20, 1.5),
    ])
    func positionIsParsedInEverySpelling(text: String, longitude: Double, latitude: Double) {
        let position = Position(latitudeCommaLongitude: text)
        #expect(position?.longitude == longitude)
        #expect(position?.latitude == latitude)
    }

    @Test(arguments: [
        "", "38.7", "38.7,-9.1,5", "91,0", "0,180.0001", "nan,0", "inf,0", "0x10,0", "a,b", "38.7 -9.1", "-38.7N,9W",
        "38.7N,9.1N", ",", "1,", "9999,1", "1,99999",
    ])
    func positionIsUnsetWhenTextIsInvalid(text: String) {
        #expect(Position(latitudeCommaLongitude: text) == nil)
    }
}

@Suite(.engineIndependent) struct DistanceTests {
    @Test(arguments: [
        ("5km", 5000),
        ("5 km", 5000),
        ("800m", 800),
        ("2.5KM", 2500),
        ("1mi", 1609.344),
        ("10ft", 3.048),
        ("0", 0),
        ("0m", 0),
        ("1e3m", 1000),
        ("40075km", 40_075_000),
    ])
    func distanceIsParsedFromNumberWithUnit(text: String, meters: Double) {
        #expect(Distance(text)?.meters == meters)
    }

    @Test(arguments: ["", "5", "km", "-1km", "5 parsecs", "nan km", "1e999km", "1e99m", "40076km", "5kmm", "5,5km"])
    func distanceIsUnsetWhenTextIsInvalid(text: String) {
        #expect(Distance(text) == nil)
    }
}
