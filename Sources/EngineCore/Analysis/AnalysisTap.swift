import RealtimeCore
import Units

/// An analyzer that takes sound block by block and gives readings from time to time.
public protocol BlockAnalyzer {
    /// The type of its readings.
    associatedtype Reading: Sendable

    /// Takes in the next block, and returns new readings, oldest first. A block whose time is not the end of the one before is
    /// a new beginning.
    mutating func take(_ block: TapBlock) -> [Reading]
}

/// Readings of what passes a point of the graph: `for await reading in tap`, or `tap.read()` for an occasional look.
///
///     let spectrum = SpectrumTap(try engine.tap(mixer, seconds: 2), SpectrumAnalyzer(sampleRate: 48_000))
///     for await reading in spectrum { show(reading.levels) }
///
/// All of it is computed on the reader's thread: the render thread copies the sound into the tap's ring, and nothing else. One
/// loop, or calls of `read`, not both; a loop ends with the tap.
public final class AnalysisTap<Analyzer: BlockAnalyzer>: AsyncSequence {
    public typealias Element = Analyzer.Reading
    public typealias Failure = Never

    /// The tap that is listened to.
    public let tap: TapReader
    private var analyzer: Analyzer

    /// Readings by `analyzer` of what `tap` hears.
    public init(_ tap: TapReader, _ analyzer: Analyzer) {
        self.tap = tap
        self.analyzer = analyzer
    }

    /// Takes all blocks that wait, and returns their readings, oldest first.
    public func read() -> [Analyzer.Reading] { tap.read().flatMap { analyzer.take($0) } }

    /// Returns the readings from the oldest block that waits on.
    public func makeAsyncIterator() -> Iterator { Iterator(blocks: tap.makeAsyncIterator(), analyzer: analyzer) }

    /// One loop over the readings.
    public struct Iterator: AsyncIteratorProtocol {
        var blocks: AsyncStream<TapBlock>.Iterator
        var analyzer: Analyzer
        private var waiting: ArraySlice<Analyzer.Reading> = []

        init(blocks: AsyncStream<TapBlock>.Iterator, analyzer: Analyzer) {
            self.blocks = blocks
            self.analyzer = analyzer
        }

        /// Returns the next reading; nil when the tap has ended.
        public mutating func next() async -> Analyzer.Reading? {
            while waiting.isEmpty {
                guard let block = await blocks.next() else { return nil }
                waiting = analyzer.take(block)[...]
            }
            return waiting.popFirst()
        }
    }
}

/// Spectra of what passes a point of the graph.
public typealias SpectrumTap = AnalysisTap<SpectrumAnalyzer>
/// Pitches of what passes a point of the graph.
public typealias PitchTap = AnalysisTap<PitchDetector>
/// Loudness of what passes a point of the graph.
public typealias LoudnessTap = AnalysisTap<LoudnessReader>

/// The newest frames of both channels together, for analyzers that look at some at a time.
struct MonoWindow {
    /// Frames that are looked at, and frames from one look to the next.
    let size: Int, hop: Int
    private var samples: [Double] = []
    /// The sample time of the first of them.
    private var time = SampleTime.zero

    init(size: Int, hop: Int) {
        self.size = size
        self.hop = hop
    }

    /// Takes in a block, and calls `look` with `size` samples and the time of the first as often as that is due.
    mutating func take(_ block: TapBlock, _ look: (UnsafePointer<Double>, SampleTime) -> Void) {
        if samples.isEmpty || time + samples.count != block.time {
            if time + samples.count != block.time { pending = 0 }
            (samples, time) = ([], block.time)
        }
        let share = 1 / Double(max(block.channels.count, 1))
        for i in 0..<block.frames { samples.append(block.channels.reduce(0.0) { $0 + Double($1[i]) } * share) }
        skipPending()
        var start = 0
        while samples.count - start >= size {
            samples.withUnsafeBufferPointer { buffer in
                if let base = buffer.baseAddress { look(base + start, time + start) }
            }
            start += hop
        }
        // A hop may be longer than the samples at hand.
        let gone = min(start, samples.count)
        pending += start - gone
        samples.removeFirst(gone)
        time = time + gone
    }

    private var pending = 0

    private mutating func skipPending() {
        let gone = min(pending, samples.count)
        samples.removeFirst(gone)
        time = time + gone
        pending -= gone
    }
}
