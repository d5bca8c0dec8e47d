import Carillon
import Foundation
import Patches
import TestFolders
import Testing
import Units

@testable import EngineCore
@testable import Sessions

/// Loops where more than two channels are played.
@Suite struct LoopOutputTests {
    private static let loudspeakers = """
        version: 1
        units:
          lead: {unit: square-wave, role: instrument}
          around: {unit: spatial-mixer, inputs: 1, rendering: vbap, layout: quad, role: master}
        connections: [lead -> around]
        outputs: around[speakers]
        """

    /// A loop of the front is heard on the rear, and comes back there; there is no third pair.
    @Test func aLoopIsHeardOnItsPair() throws {
        var options = LiveOptions()
        options.patch = try PatchFile(text: Self.loudspeakers, units: UnitCatalog.entries).patch
        let time = try SessionInTime(options), session = time.session
        func peaks() throws -> [Float] {
            _ = time.port.takeHeard()
            try time.pass(1)
            return time.port.takeHeard().map { $0.reduce(0) { max($0, abs($1)) } }
        }
        try session.perform(.looper(.record, track: 1))
        try session.perform(.note(channel: 1, key: 60, velocity: 100, seconds: 0.4))
        try time.pass(0.5)
        try session.perform(.looper(.play, track: 1))
        try time.pass(0.5)
        let front = try peaks()
        #expect(front.count == 4 && front[0] > 0.01 && front[2...].allSatisfy { $0 == 0 }, "\(front)")
        try session.perform(.looper(output: 2, track: 1))
        try time.pass(0.1)
        let rear = try peaks()
        #expect(rear[..<2].allSatisfy { $0 == 0 } && Array(rear[2...]) == Array(front[..<2]), "\(rear)")
        let refused = #expect(throws: Fault.self) { try session.perform(.looper(output: 3, track: 1)) }
        #expect(refused?.description.contains("from 1 to 2: 4 channels") == true)
        #expect(throws: Fault.self) { try session.perform(.looper(output: .max, track: 1)) }
        let place = TemporaryFolder(), folder = place.path
        defer { withExtendedLifetime(place) {} }
        try session.perform(.saveLoops(folder + "/rear"))
        try time.pass(0.5)
        try session.perform(.looper(.overdub, track: 1))
        #expect(throws: Fault.self) { try session.perform(.looper(output: 1, track: 1)) }
        try session.finish()
        // Where there are not so many channels it is heard on the first.
        options.patch = nil
        options.instrument = .squareWave
        let stereo = try SessionInTime(options)
        try stereo.session.perform(.loadLoops(folder + "/rear"))
        #expect(try stereo.pass(atMost: 5) { stereo.session.snapshot.loops.first?.state == "stopped" })
        #expect(stereo.session.takeNotices().contains { $0.contains("loop 1 is heard on the first two channels") })
        try stereo.session.finish()
    }
}
