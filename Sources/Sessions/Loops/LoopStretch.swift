import Reports
import Synchronization
import TimePitch
import Units

/// How long the first recording of a loop is, in a tempo.
struct LoopLength: Hashable {
    /// Quarter notes a minute.
    let tempo: Double
    /// Frames as its bars have them.
    let exact: Double
    var frames: Int { Int(exact.rounded()) }

    /// The length in another tempo.
    func at(tempo other: Double) -> LoopLength {
        other == tempo ? self : LoopLength(tempo: other, exact: exact * tempo / other)
    }
}

/// A loop of sound as it was played, from which all its tempos are made: stretching what was stretched would cost sound each time.
struct PlayedLoop {
    let length: LoopLength
    /// Channels x frames of all rounds of the first recording.
    let sound: [[Float]]
    /// How many times as long as the first recording it is, and whether its end leads into its beginning.
    let times: Int
    let joins: Bool

    /// Frames at a beginning into which the sound before it leads.
    private static let seam = 1_024
    /// Frames that are stretched at once.
    private static let piece = 16_384

    /// The sound in another tempo; nil if it is called off. What leads into its beginning is stretched too, so that the seam stays.
    ///
    /// - Throws: as `TimeStretch`.
    func stretched(
        to tempo: Double, sampleRate: Int, while isWanted: () -> Bool = { true }
    ) throws(Fault) -> [[Float]]? {
        let count = sound[0].count, frames = length.at(tempo: tempo).frames * times
        if frames == count { return sound }
        // Rounding to whole frames may lead out of the bounds.
        let ratio = min(max(Double(frames) / Double(count), TimeStretch.ratios.lowerBound), TimeStretch.ratios.upperBound)
        let stretch = try TimeStretch(sampleRate: sampleRate, channels: sound.count, ratio: ratio)
        let around = joins ? sampleRate / 4 : 0, end = count + around
        var made = [[Float]](repeating: [], count: sound.count)
        func add(_ planes: [[Float]]) { for channel in made.indices { made[channel] += planes[channel] } }
        for first in stride(from: -around, to: end, by: Self.piece) {
            if !isWanted() { return nil }
            let places = (first..<min(first + Self.piece, end)).map { ($0 % count + count) % count }
            add(try stretch.convert(sound.map { plane in places.map { plane[$0] } }))
        }
        add(try stretch.finish())
        let start = Int((Double(around) * ratio).rounded()), seam = joins ? min(Self.seam, frames) : 0
        return made.map { plane in
            var plane = plane + [Float](repeating: 0, count: max(start + frames + seam - plane.count, 0))
            for i in 0..<seam {
                let share = Float(i) / Float(seam)
                plane[start + i] = plane[start + i] * share + plane[start + frames + i] * (1 - share)
            }
            return Array(plane[start..<start + frames])
        }
    }
}

/// What a thread does for loops that are to have another tempo: it reads those that were not read yet, and stretches all; or it
/// writes what was made where it is wanted.
final class LoopStretchOrder: Sendable {
    struct Track {
        let index: Int
        let length: LoopLength
        let times: Int
        var played: PlayedLoop?
        var made: [[Float]] = []
    }

    struct State {
        var tracks: [Track]
        var isWanted = true
        var fault: Fault?
    }

    let tempo: Double
    private let sampleRate: Int
    private let desk: LoopDesk
    let state: Mutex<State>

    init(_ tracks: [Track], tempo: Double, sampleRate: Int, _ desk: LoopDesk) {
        (self.tempo, self.sampleRate, self.desk) = (tempo, sampleRate, desk)
        state = Mutex(State(tracks: tracks))
    }

    private var isWanted: Bool { state.withLock { $0.isWanted } }

    /// Nothing comes of it any more.
    func callOff() { state.withLock { $0.isWanted = false } }

    /// Reads and stretches.
    func make() {
        var tracks = state.withLock { $0.tracks }
        do throws(Fault) {
            for place in tracks.indices {
                let track = tracks[place]
                let played =
                    track.played
                    ?? PlayedLoop(
                        length: track.length, sound: read(track.index), times: track.times, joins: desk.joins(track.index))
                guard let made = try played.stretched(to: tempo, sampleRate: sampleRate, while: { isWanted }) else { break }
                (tracks[place].played, tracks[place].made) = (played, made)
            }
            finish(tracks, nil)
        } catch { finish(tracks, error) }
    }

    /// Writes into the room that was reserved.
    func write() {
        let tracks = state.withLock { $0.tracks }
        for track in tracks {
            let frames = track.made[0].count
            track.made[0].withUnsafeBufferPointer { left in
                track.made[1].withUnsafeBufferPointer { right in
                    guard let left = left.baseAddress, let right = right.baseAddress else { return }
                    desk.write(track.index, from: 0, frames, left, right)
                }
            }
            desk.setJoins(track.index, track.played?.joins ?? true)
        }
        finish(tracks, nil)
    }

    private func finish(_ tracks: [Track], _ fault: Fault?) {
        state.withLock { state in (state.tracks, state.fault) = (tracks, fault) }
    }

    private func read(_ index: Int) -> [[Float]] {
        let frames = desk.frames(index)
        var left = [Float](repeating: 0, count: frames), right = left
        left.withUnsafeMutableBufferPointer { left in
            right.withUnsafeMutableBufferPointer { right in
                guard let left = left.baseAddress, let right = right.baseAddress else { return }
                desk.read(index, from: 0, frames, left, right)
            }
        }
        return [left, right]
    }
}
