import CarillonTestKit
import DSP
import Foundation
import Graphs
import Reports
import SOFAFiles
import Testing
import UnitAPI

@testable import Units

/// The way from a SOFA file to the ears. What needs libmysofa is left out, and says so, where it is not installed.
@Suite struct SOFAFileTests {
    private static let path = SpatialMixer.defaultHead
    private static let head: HeadResponses? = {
        do { return try HeadResponses(path: path) } catch { return nil }
    }()
    private static let isInstalled: Bool = {
        do throws(Fault) { _ = try HeadResponses(path: "/there/is/no/such.sofa") } catch { return error.kind != .noLibrary }
        return true
    }()

    private static func filters(_ rate: Double) -> HeadFilters? { head.map { HeadFilters($0, sampleRate: rate) } }
    /// Made once: that takes a while without optimisation.
    private static let known: [Double: HeadFilters?] = [44_100: filters(44_100), 48_000: filters(48_000)]

    /// Where a response begins, to an eighth of a sample: interpolated by a sinc under a Hann window of 32 samples.
    private static func onset(_ x: [Float]) -> Double {
        let fine = (0..<8 * x.count).map { place in
            (0..<32).reduce(0.0) { sum, k in
                let from = place / 8 + k - 15
                return x.indices.contains(from) ? sum + Double(x[from]) * weights[place % 8 * 32 + k] : sum
            }
        }
        let peak = fine.reduce(0) { max($0, abs($1)) }
        return Double(fine.firstIndex { abs($0) >= peak / 7 } ?? 0) / 8
    }

    private static let weights: [Double] = (0..<8 * 32).map { index in
        let x = Double(index / 32) / 8 - Double(index % 32 - 15)
        let window = 0.5 + 0.5 * DeterministicMath.cosine(turns: x / 32)
        return x == 0 ? 1 : window * DeterministicMath.sine(turns: x / 2) / (.pi * x)
    }

    /// What the ears of the file's head hear of a click, rendered at `rate`: 1024 frames.
    private static func heard(_ place: (ahead: Float, left: Float, up: Float), rate: Double) throws -> [[Float]] {
        let rig = OfflineRig(sampleRate: rate)
        let setup = rig.setup(
            inputs: 1,
            startValues: ["rendering": 1, "x": -place.left, "y": place.up, "z": -place.ahead, "roll-off": 0])
        let filters = try #require(known[rate] ?? nil)
        let mixer = try rig.graph.add(UnitInstance.boxing(try SpatialMixer(setup, head: filters), setup))
        try rig.graph.connect(try rig.add(left: click(frames: 1_024), right: click(frames: 1_024)), to: mixer)
        try rig.graph.setOutput(mixer)
        try rig.publish()
        rig.render(1_024, block: 256)
        #expect(rig.violations.total == 0, "\(rig.violations)")
        return rig.recording
    }

    /// The file's own responses of the measured direction, and how late the left ear is behind the right one. Unit: seconds.
    private static func measured(_ head: HeadResponses, _ index: Int) -> (ears: [[Float]], late: Double) {
        let ears = (0..<2).map { Array(head.samples[(2 * index + $0) * head.length..<(2 * index + $0 + 1) * head.length]) }
        let late = onset(ears[0]) - onset(ears[1]) + Double(head.delays[2 * index] - head.delays[2 * index + 1])
        return (ears, late / head.sampleRate)
    }

    /// Measured directions that are a multiple of five degrees both ways.
    private static func directions(_ head: HeadResponses) -> [Int] {
        head.places.indices.filter { index in
            let place = head.places[index]
            let flat = Double(place.ahead * place.ahead + place.left * place.left).squareRoot()
            let azimuth = 72 * DeterministicMath.turns(x: Double(place.ahead), y: Double(place.left))
            let elevation = 72 * DeterministicMath.turns(x: flat, y: Double(place.up))
            return abs(azimuth - azimuth.rounded()) < 0.001 && abs(elevation - elevation.rounded()) < 0.001
        }
    }

    @Test(
        .enabled(if: head != nil, "libmysofa is not installed; on Debian: apt-get install libmysofa1"),
        arguments: [44_100, 48_000] as [Double])
    func earsAreAsFarApartInTimeAsTheFileSaysToOneFrame(_ rate: Double) throws {
        let head = try #require(Self.head), directions = Self.directions(head)
        #expect(directions.count > 100)
        for index in stride(from: 0, to: directions.count, by: directions.count / 16).map({ directions[$0] }) {
            let heard = try Self.heard(head.places[index], rate: rate)
            let late = Self.onset(heard[0]) - Self.onset(heard[1])
            #expect(abs(late - Self.measured(head, index).late * rate) <= 1, "\(head.places[index])")
        }
    }

    @Test(.enabled(if: head != nil, "libmysofa is not installed; on Debian: apt-get install libmysofa1"))
    func atTheFilesOwnRateResponsesAreTheFiles() throws {
        let head = try #require(Self.head), directions = Self.directions(head)
        for index in stride(from: 0, to: directions.count, by: directions.count / 12).map({ directions[$0] }) {
            let heard = try Self.heard(head.places[index], rate: head.sampleRate)
            let (ears, _) = Self.measured(head, index), filters = try #require(Self.known[head.sampleRate] ?? nil)
            // One gain for both ears, by least squares; but for the end, which is faded out, nothing is left.
            var both = 0.0, own = 0.0, rest = 0.0
            let pairs = (0..<2).flatMap { ear in
                let from = heard[ear].dropFirst(Int(Self.onset(heard[ear])) - 3)
                let to = ears[ear].dropFirst(Int(Self.onset(ears[ear])) - 3)
                return Array(zip(from, to).prefix(filters.length * 7 / 8 - 8))
            }
            for (a, b) in pairs {
                both += Double(a) * Double(b)
                own += Double(b) * Double(b)
            }
            for (a, b) in pairs { rest += (Double(a) - both / own * Double(b)) * (Double(a) - both / own * Double(b)) }
            #expect(decibels((rest / (own * both * both / own / own)).squareRoot()) < -100, "\(head.places[index])")
        }
    }

    @Test(.enabled(if: head != nil, "libmysofa is not installed; on Debian: apt-get install libmysofa1"))
    func aSoundFromAheadIsAsLoudAsItWentInAndOneFromTheRightLouderThere() throws {
        func power(_ x: [Float]) -> Double { x.reduce(0) { $0 + Double($1) * Double($1) } }
        /// The mean of the power in third octaves from 100 Hz to 10 kHz.
        func weighed(_ x: [Float]) -> Double {
            (0...20).reduce(0.0) { sum, third in
                let frequency = 100 * DeterministicMath.exp2(Double(third) / 3) / 48_000
                let re = x.enumerated().reduce(0.0) {
                    $0 + Double($1.1) * DeterministicMath.cosine(turns: Double($1.0) * frequency)
                }
                let im = x.enumerated().reduce(0.0) {
                    $0 + Double($1.1) * DeterministicMath.sine(turns: Double($1.0) * frequency)
                }
                return sum + (re * re + im * im) / 21
            }
        }
        let ahead = try Self.heard((1, 0, 0), rate: 48_000), right = try Self.heard((0, -1, 0), rate: 48_000)
        #expect(abs(weighed(ahead[0]) + weighed(ahead[1]) - 1) < 0.01)
        #expect(power(right[1]) > 4 * power(right[0]) && Self.onset(right[1]) < Self.onset(right[0]))
    }

    @Test(.enabled(if: isInstalled, "libmysofa is not installed; on Debian: apt-get install libmysofa1"))
    func aFileThatIsNotThereOrNoHeadIsAnErrorThatSaysWhatToDo() throws {
        #expect(throws: Fault.unreadable(path: "/there/is/no/such.sofa", code: 2)) {
            _ = try HeadResponses(path: "/there/is/no/such.sofa")
        }
        let path = FileManager.default.temporaryDirectory.appending(path: "carillon-\(UUID().uuidString).sofa").path
        try Data(repeating: 7, count: 1_000).write(to: URL(filePath: path))
        defer { #expect(throws: Never.self) { try FileManager.default.removeItem(atPath: path) } }
        var setup = UnitSetup(sampleRate: 48_000, startValues: ["rendering": 1])
        setup.properties = ["head": .text(path)]
        let error = #expect(throws: UnitError.self) { _ = try UnitInstance.make(SpatialMixer.self, setup) }
        guard case .resource(_, let reason, .damaged) = error else { return #expect(Bool(false), "\(String(describing: error))") }
        #expect(reason.contains(path) && reason.contains("name another SOFA file in the property head"))
    }

    @Test func errorsNameTheFileAndTheRemedy() {
        #expect("\(Fault.noLibrary(path: "a.sofa"))".contains("apt-get install libmysofa1"))
        #expect("\(Fault.unreadable(path: "a.sofa", code: 2))".hasPrefix("a.sofa: there is no such file"))
        #expect(Fault.noLibrary(path: "").kind.exit == .noInput && Fault.unreadable(path: "", code: 13).kind == .io)
    }

    @Test func aHeadThatIsNoTextIsRefused() {
        var setup = UnitSetup(sampleRate: 48_000, startValues: ["rendering": 1])
        setup.properties = ["head": .integer(3)]
        #expect(throws: UnitError.invalidProperty(unit: "spatial-mixer", property: "head", reason: "name a SOFA file")) {
            _ = try UnitInstance.make(SpatialMixer.self, setup)
        }
    }
}
