import HabitTestSupport
import Testing

@testable import Photos

/// Tests that no picture ends the program: every changed file is a photo or causes a ``PhotoError``.
@Suite(.engineIndependent) struct PhotoFuzzTests {
    @Test(arguments: SamplePhoto.allCases) func changedPicturesAreReadOrRefused(sample: SamplePhoto) throws {
        var run = FuzzRun("pictures: \(sample)", rounds: 120)
        let original = try sample.bytes()
        var accepted = 0
        for round in 0..<run.rounds {
            var bytes = original
            for _ in 0...Int.random(in: 0..<3, using: &run.random) { run.mutate(&bytes) }
            do {
                _ = try PhotoMetadata(bytes)
                let photo = try PhotoFile(bytes).photo(shrinking: true)
                // A stored photo is always readable.
                _ = try Photo(photo.bytes).verified()
                #expect(photo.bytes.count <= Photo.standardLimit, "seed \(run.seed), round \(round)")
                accepted += 1
            } catch {
                // The functions throw no other errors than PhotoError.
                let _: PhotoError = error
            }
        }
        #expect(accepted < run.rounds, "seed \(run.seed)")
    }
}
