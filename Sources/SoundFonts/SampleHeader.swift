/// The place of one sample of a SoundFont and how it was recorded: a record of `shdr`, checked.
package struct SampleHeader: Sendable, Hashable {
    /// The name in the file.
    package let name: String
    /// First frame in the sample data; for compressed samples the first byte.
    package let start: Int
    /// The frame (byte) after the last.
    package let end: Int
    /// Loop in frames; counted from the sample data's start, for compressed samples from the sample's own start.
    package let loopStart: Int
    /// The frame after the loop's last.
    package let loopEnd: Int
    /// Frames per second.
    package let sampleRate: Int
    /// The key at which it sounds as recorded; 60 if the file marks it as without pitch.
    package let rootKey: Int
    /// The amount by which the sample sounds above its key, -128...127. Unit: cents.
    package let correction: Int
    /// Left, right, mono, linked; 0x8000 ROM, 0x10 Ogg Vorbis.
    package let type: Int
    /// True if the sample cannot be played: it is outside the sample data, its rate is invalid, or its stream is damaged. The
    /// rest of the file plays without it.
    package var isDamaged = false
    /// Frames of a compressed sample, as its stream has them; 0 for others.
    var decodedFrames = 0

    /// True if the sample is in the ROM of a sound card: no data in the file.
    package var isInROM: Bool { type & 0x8000 != 0 }
    /// Ogg Vorbis, as in SF3.
    package var isCompressed: Bool { type & 0x10 != 0 }

    /// The rates that can be played: 8 Hz is already absurd, and so is 768 kHz.
    static let sampleRates = 8...768_000

    init(_ table: RecordTable, _ record: Int) {
        name = table.name(record)
        start = table.long(record, 20)
        end = table.long(record, 24)
        loopStart = table.long(record, 28)
        loopEnd = table.long(record, 32)
        sampleRate = table.long(record, 36)
        let key = table.byte(record, 40)
        rootKey = key <= 127 ? key : 60
        correction = Int(Int8(truncatingIfNeeded: table.byte(record, 41)))
        type = table.word(record, 44)
    }

    /// All but the closing one. `dataSize` is in bytes. Samples that cannot be played are named in `faults`.
    static func readAll(_ data: PresetData, dataSize: Int, faults: inout [SoundFontFile.Fault]) -> [SampleHeader] {
        var headers: [SampleHeader] = []
        headers.reserveCapacity(data.samples.count)
        for record in 0..<data.samples.count - 1 {
            var header = SampleHeader(data.samples, record)
            defer { headers.append(header) }
            if header.isInROM {
                faults.append(.sampleInROM(sample: header.name))
                continue
            }
            let size = header.isCompressed ? dataSize : dataSize / 2
            guard header.end <= size, header.start <= header.end else {
                header.isDamaged = true
                faults.append(
                    .sampleOutsideData(sample: header.name, start: header.start, end: header.end, available: size))
                continue
            }
            if header.end - header.start < 8 {
                faults.append(.sampleTooShort(sample: header.name, frames: header.end - header.start))
                continue
            }
            guard sampleRates.contains(header.sampleRate) else {
                header.isDamaged = true
                faults.append(.sampleRate(sample: header.name, hertz: header.sampleRate))
                continue
            }
            let within =
                header.isCompressed
                ? header.loopStart <= header.loopEnd
                : header.loopStart >= header.start && header.loopEnd <= header.end && header.loopStart <= header.loopEnd
            if !within {
                faults.append(
                    .loopOutsideSample(sample: header.name, start: header.loopStart, end: header.loopEnd))
            }
        }
        return headers
    }
}
