import MIDI
import SoundFonts
import Testing

@testable import Samplers

/// What a SoundFont says of itself beyond what anybody knows does no harm: other players skip it, and so does this one.
@Suite struct AlienChunkTests {
    private func sound(_ bytes: [UInt8]) throws -> (sound: [[Float]], faults: Int) {
        try TinySoundFont.write(bytes) { path in
            let rig = try SamplerRig(path, properties: SoundFontSelection.properties([.init(path: path)]))
            return (rig.play([SamplerRig.note(64, 60, 100)], frames: 4_800), try SoundFontFile(path: path).faults.count)
        }
    }

    private func lengthen(_ bytes: inout [UInt8], at place: Int, by more: Int) {
        let size = (0..<4).reduce(0) { $0 | Int(bytes[place + $1]) << (8 * $1) } + more
        for byte in 0..<4 { bytes[place + byte] = UInt8(size >> (8 * byte) & 255) }
    }

    @Test func aChunkThatNobodyKnowsIsPassedOver() throws {
        let plain = try sound(TinySoundFont().bytes)
        var bytes = TinySoundFont().bytes
        // Behind the list's own name: "LIST", its size, "INFO".
        let list = try #require((0..<bytes.count - 4).first { bytes[$0..<$0 + 4].elementsEqual("INFO".utf8) }) - 8
        let alien: [UInt8] = Array("XYZW".utf8) + [6, 0, 0, 0] + Array("what??".utf8)
        bytes.insert(contentsOf: alien, at: list + 12)
        lengthen(&bytes, at: list + 4, by: alien.count)
        lengthen(&bytes, at: 4, by: alien.count)
        let odd = try sound(bytes)
        #expect(odd.sound == plain.sound && odd.faults == 0 && plain.faults == 0)
        #expect(plain.sound[0].contains { abs($0) > 0.001 })
    }
}
