import Reports

/// Makes sound last longer or shorter at the same pitch, or moves its pitch at the same length, or both. Not in real time:
/// it looks ahead.
///
///     let slower = try TimeStretch.stretch(planes, sampleRate: 48_000, ratio: 1.25)
///
/// Sound comes in pieces of any length; the output is the same for any pieces, of `ratio` times the length to the frame.
/// Onsets stay where they belong: of synthetic drums at ratios of 0.8 to 1.25 half lie within 1.1 ms of their place, and all
/// within 6 ms. The work is librubberband's (C. Cannam, engine R3): it is loaded when the first is made, and then the process
/// is under the GPL; see <doc:Licences>. Control side, one thread at a time.
public final class TimeStretch {
    /// The factors by which sound can become longer.
    public static let ratios = 0.5...2.0
    /// The semitones by which the pitch of sound can move.
    public static let semitones = -24.0...24.0
    /// Frames that the library is given at once, so that pieces do not matter.
    private static let grain = 1_024

    /// Frames per second, and channels.
    public let sampleRate: Int, channels: Int
    /// Length of what comes out, as a multiple of what goes in.
    public let ratio: Double
    private let stretcher: RubberBandCalls.Stretcher
    private var waiting: [[Float]]
    private var framesIn = 0, framesOut = 0
    private var isFinished = false

    /// Creates a stretcher. `ratio`: 0.5 is twice as fast, 2 half as fast; `semitones`: -24...24; `keepsFormants`: the
    /// colour of a voice stays when its pitch moves.
    ///
    /// - Throws: `outside`, `notInstalled`, `refused`.
    public init(
        sampleRate: Int, channels: Int, ratio: Double, semitones: Double = 0, keepsFormants: Bool = false
    ) throws(Fault) {
        guard Self.ratios.contains(ratio) else { throw .outside(what: "ratio", asked: ratio, supported: Self.ratios) }
        guard Self.semitones.contains(semitones) else {
            throw .outside(what: "semitones", asked: semitones, supported: Self.semitones)
        }
        guard (8_000...192_000).contains(sampleRate), (1...64).contains(channels) else {
            throw .refused(sampleRate: sampleRate, channels: channels)
        }
        stretcher = try RubberBandCalls.make(
            sampleRate: sampleRate, channels: channels, ratio: ratio, pitch: Semitones.factor(semitones), isRealTime: false,
            keepsFormants: keepsFormants)
        RubberBandCalls.setLongest(stretcher, Self.grain)
        (self.sampleRate, self.channels, self.ratio) = (sampleRate, channels, ratio)
        waiting = Array(repeating: [], count: channels)
    }

    deinit { RubberBandCalls.close(stretcher) }

    /// Takes a piece, one array for each channel, and gives what can be had by now. - Throws: `channels`, `finished`.
    public func convert(_ planes: [[Float]]) throws(Fault) -> [[Float]] {
        if isFinished { throw .finished }
        guard planes.count == channels, planes.allSatisfy({ $0.count == planes[0].count }) else {
            throw .channels(asked: channels)
        }
        for channel in 0..<channels { waiting[channel] += planes[channel] }
        framesIn += planes[0].count
        var made = [[Float]](repeating: [], count: channels), start = 0
        // A grain is kept for the end, because the library has to get the end together with sound.
        while waiting[0].count - start > Self.grain {
            process(start..<start + Self.grain, isLast: false, &made)
            start += Self.grain
        }
        for channel in 0..<channels { waiting[channel].removeFirst(start) }
        return made
    }

    /// Gives what is left, and ends. - Throws: `finished`.
    public func finish() throws(Fault) -> [[Float]] {
        if isFinished { throw .finished }
        isFinished = true
        let wanted = Int((Double(framesIn) * ratio).rounded()), before = framesOut
        var made = [[Float]](repeating: [], count: channels)
        if !waiting[0].isEmpty { process(waiting[0].indices, isLast: true, &made) }
        let room = max(wanted - before, 0)
        return made.map { Array($0.prefix(room)) + [Float](repeating: 0, count: max(room - $0.count, 0)) }
    }

    private func process(_ range: Range<Int>, isLast: Bool, _ made: inout [[Float]]) {
        let memory = UnsafeMutablePointer<Float>.allocate(capacity: channels * Self.grain)
        defer { memory.deallocate() }
        for channel in 0..<channels {
            for (place, n) in range.enumerated() { (memory + channel * Self.grain + place).initialize(to: waiting[channel][n]) }
        }
        let places = (0..<channels).map { memory + $0 * Self.grain }
        RubberBandCalls.process(stretcher, places.map { UnsafePointer($0) }, range.count, isLast: isLast)
        while true {
            let count = RubberBandCalls.retrieve(
                stretcher, places, min(RubberBandCalls.available(stretcher), Self.grain))
            if count == 0 { break }
            framesOut += count
            for channel in 0..<channels { made[channel] += UnsafeBufferPointer(start: places[channel], count: count) }
        }
    }

    /// Stretches a whole sound. - Throws: as `init` and `convert`.
    public static func stretch(
        _ planes: [[Float]], sampleRate: Int, ratio: Double, semitones: Double = 0, keepsFormants: Bool = false
    ) throws(Fault) -> [[Float]] {
        let stretch = try TimeStretch(
            sampleRate: sampleRate, channels: planes.count, ratio: ratio, semitones: semitones, keepsFormants: keepsFormants)
        let made = try stretch.convert(planes), rest = try stretch.finish()
        return zip(made, rest).map { $0 + $1 }
    }
}
