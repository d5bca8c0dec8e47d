import Sequencer
import SongFiles
import Testing

/// Valid songs with one fault each, read by what was written.
struct PlantedFaultTests {
    /// Events that were kept of the first hundred songs, and those of them at their tick, when every track was searched for
    /// damage (41ee69b). No kind of fault may cost more.
    private static let before: [PlantedFault: (kept: Int, inTime: Int)] = [
        .bytesBeforeHeader: (13963, 9378), .riffLength: (14392, 9606), .headerLength: (14392, 9606),
        .unknownFormat: (14392, 9606), .singleFormatWithTracks: (12784, 8445), .division: (14392, 9603),
        .trackCount: (14392, 9606), .bytesBetweenChunks: (14392, 9606), .bytesAfterLastTrack: (14392, 9606),
        .trackLengthZero: (14244, 9459), .trackTooShort: (14109, 9451), .trackTooLong: (14212, 9427),
        .trackLongerThanFile: (14244, 9459), .noEndOfTrack: (14392, 9606), .noEndOfLastTrack: (14392, 9606),
        .bytesAfterEndOfTrack: (14392, 9606), .endOfTrackLength: (14384, 9592), .statusIsData: (14159, 8135),
        .statusIsClock: (14186, 7504), .eventTooLong: (13386, 7058), .eventTooShort: (13424, 6708),
        .deltaSwallowsStatus: (14261, 7726), .deltaOfDays: (14391, 7687), .deltaOfFiveBytes: (14165, 7682),
        .anyByte: (14297, 8712), .missingByte: (14239, 9021), .runningStatusBehindMeta: (14084, 9310),
        .noFirstStatus: (9245, 4848), .fileCutOff: (10535, 7556), .dataByte: (14292, 9569), .systemMessage: (14384, 9629),
        .systemExclusiveNotClosed: (14053, 9287), .tempoLength: (14385, 9564), .tempoZero: (14394, 9606),
        .meter: (14394, 9606), .key: (14394, 9606), .portLength: (14385, 9564), .portNumber: (14394, 9606),
        .smpteOffset: (14394, 9606), .metaType: (14386, 9568),
    ]

    @Test(arguments: PlantedFault.allCases)
    func aFaultCostsNoMoreThanItDid(_ fault: PlantedFault) throws {
        var kept = 0, inTime = 0
        for seed in 0..<100 {
            let valid = ValidSong(seed: seed)
            var random = RandomSource(seed: UInt64(seed))
            guard let bytes = fault.bytes(of: valid, &random),
                let file = try? SongReader.read(bytes: bytes, name: "planted")
            else { continue }
            for (wanted, found) in zip(valid.song.tracks, file.song.tracks) {
                kept += Self.common(wanted.events.map(\.kind), found.events.map(\.kind))
                inTime += Self.common(wanted.events, found.events)
            }
        }
        let before = try #require(Self.before[fault])
        #expect(kept >= before.kept)
        #expect(inTime >= before.inTime)
    }

    /// How many values both have.
    private static func common<Value: Hashable>(_ wanted: [Value], _ found: [Value]) -> Int {
        var left: [Value: Int] = [:]
        for value in found { left[value, default: 0] += 1 }
        return wanted.count { value in
            guard let count = left[value], count > 0 else { return false }
            left[value] = count - 1
            return true
        }
    }
}
