import Testing

@testable import AudioFiles

/// What a picture keeps of a sound is the same however it comes in.
@Suite struct PictureScanTests {
    private static let rate = 48_000
    /// A second of a sine of 3 000 Hz at half of full scale, one channel; the other is silent.
    private let tone = (0..<PictureScanTests.rate).map { i -> Float in
        let half: [Float] = [0, 0.19134, 0.35355, 0.46194, 0.5, 0.46194, 0.35355, 0.19134]
        return i % 16 < 8 ? half[i % 8] : -half[i % 8]
    }

    private func feed(_ sizes: [Int], _ add: ([UnsafePointer<Float>], Int) -> Void) {
        let silence = [Float](repeating: 0, count: tone.count)
        tone.withUnsafeBufferPointer { left in
            silence.withUnsafeBufferPointer { right in
                guard let left = left.baseAddress, let right = right.baseAddress else { return }
                var done = 0, turn = 0
                while done < tone.count {
                    let count = min(sizes[turn % sizes.count], tone.count - done)
                    add([left + done, right + done], count)
                    (done, turn) = (done + count, turn + 1)
                }
            }
        }
    }

    @Test func extremesAreThoseOfEachStretch() {
        let scans = [[tone.count], [1], [7, 512, 1_000]].map { sizes in
            let scan = ExtremesScan(channels: 2)
            feed(sizes) { scan.add($0, frames: $1) }
            return scan
        }
        for scan in scans {
            #expect(scan.channels.map(\.count) == [94, 94])
            #expect(scan.channels[0].allSatisfy { $0 == (-0.5, 0.5) } && scan.channels[1].allSatisfy { $0 == (0, 0) })
        }
    }

    @Test func aSineStandsInItsBand() {
        let edges = [100.0, 1_000, 2_000, 2_500, 20_000]
        let scans = [[tone.count], [1], [7, 512, 1_000]].map { sizes in
            let scan = SpectrumScan(channels: 2, sampleRate: Self.rate, edges: edges)
            feed(sizes) { scan.add($0, frames: $1) }
            scan.finish()
            return scan
        }
        #expect(scans.allSatisfy { $0.levels == scans[0].levels } && scans[0].levels.count == 45)
        for levels in scans[0].levels {
            // The half of full scale, in one of two channels.
            #expect(levels.max() == levels[3] && abs(levels[3] + 12) < 1.5 && levels[0] < -60, "\(levels)")
        }
        let short = SpectrumScan(channels: 2, sampleRate: Self.rate, edges: edges)
        var isFirst = true
        feed([100]) {
            if isFirst { short.add($0, frames: $1) }
            isFirst = false
        }
        #expect(short.levels.isEmpty)
        short.finish()
        #expect(short.levels.count == 1)
    }
}
