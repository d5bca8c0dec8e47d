import AudioFiles
import Carillon
import Glibc
import Synchronization
import Testing

@testable import EngineCore
@testable import Sessions

/// Frames on their way to a thread that takes them: all, in order, and what it refuses comes back.
@Suite struct FrameSinkTests {
    /// What a receiver got. Read when the sink has finished.
    private final class Tape: @unchecked Sendable {
        var mix: [[Float]] = [[], []], stems: [Float] = []
        var thread: pthread_t?
        func take(_ lane: FrameSink.Lane, _ samples: [UnsafePointer<Float>], _ frames: Int) {
            thread = pthread_self()
            switch lane {
            case .mix: for c in 0..<2 { mix[c] += UnsafeBufferPointer(start: samples[c], count: frames) }
            case .stems: stems += UnsafeBufferPointer(start: samples[3], count: frames)
            }
        }
    }

    private static let refusal = AudioFileError.writeFailed(path: "a.wav", SystemFault(code: ENOSPC))

    /// Gives `frames` frames, counted up, in pieces of all lengths.
    private func give(_ frames: Int, to sink: FrameSink, stems: Bool = false) throws(AudioFileError) {
        var done = 0, length = 1
        var plane = [Float](repeating: 0, count: 20_000)
        while done < frames {
            let count = min(frames - done, length % 20_000)
            for i in 0..<count { plane[i] = Float(done + i) }
            let other = plane.map { -$0 }
            try plane.withUnsafeBufferPointer { (left) throws(AudioFileError) in
                try other.withUnsafeBufferPointer { (right) throws(AudioFileError) in
                    guard let a = left.baseAddress, let b = right.baseAddress else { return }
                    try sink.give(.mix, [a, b], frames: count)
                    if stems, length % 2 == 0 { try sink.give(.stems, [b, b, b, a], frames: count) }
                }
            }
            done += count
            length = length * 3 + 1
        }
    }

    @Test(arguments: [1, 2]) func allFramesArriveInOrder(_ threads: Int) throws {
        for stems in [false, true] {
            let tape = Tape()
            let sink = try FrameSink(threads: threads, channels: 4) { tape.take($0, $1, $2) }
            try give(123_457, to: sink, stems: stems)
            try sink.finish()
            #expect(tape.mix[0] == (0..<123_457).map { Float($0) })
            #expect(tape.mix[1] == tape.mix[0].map { -$0 })
            #expect(tape.stems.isEmpty != stems)
            let taker = try #require(tape.thread)
            #expect((pthread_equal(taker, pthread_self()) != 0) == (threads == 1), "one thread stays one")
        }
    }

    @Test func nothingGivenIsNothingTaken() throws {
        let tape = Tape()
        let sink = try FrameSink(threads: 2, channels: 2) { tape.take($0, $1, $2) }
        try sink.finish()
        try sink.finish()
        #expect(tape.mix[0].isEmpty && tape.thread == nil)
    }

    @Test(arguments: [1, 2]) func aRefusalComesBackAndNoMoreIsTaken(_ threads: Int) throws {
        let tape = Tape()
        let sink = try FrameSink(threads: threads, channels: 2) { (lane, samples, frames) throws(AudioFileError) in
            if tape.mix[0].count > 50_000 { throw Self.refusal }
            tape.take(lane, samples, frames)
        }
        let failure = #expect(throws: Fault.self) {
            try sink.feeding { () throws(Fault) in
                do throws(AudioFileError) { try give(2_000_000, to: sink) } catch { throw Fault(error) }
            }
        }
        guard failure == Fault(Self.refusal) else {
            Issue.record("\(String(describing: failure))")
            return
        }
        #expect(tape.mix[0] == (0..<tape.mix[0].count).map { Float($0) } && tape.mix[0].count < 100_000)
    }

    @Test func aRefusalOfTheLastFramesComesAtTheEnd() throws {
        let sink = try FrameSink(threads: 2, channels: 2) { (_, _, _) throws(AudioFileError) in throw Self.refusal }
        try give(10, to: sink)
        #expect(throws: Self.refusal) { try sink.finish() }
    }

    @Test func whoStopsMidwayHasGivenWhatHeGave() throws {
        let tape = Tape()
        let sink = try FrameSink(threads: 2, channels: 2) { tape.take($0, $1, $2) }
        let failure = #expect(throws: Fault.self) {
            try sink.feeding { () throws(Fault) in
                do throws(AudioFileError) { try give(30_000, to: sink) } catch { throw Fault(error) }
                throw .interrupted
            }
        }
        guard failure?.kind == .interrupted else {
            Issue.record("\(String(describing: failure))")
            return
        }
        #expect(tape.mix[0].count == 30_000)
    }

    @Test func whoeverGivesFasterWaitsForRoom() throws {
        let ahead = Ahead()
        let sink = try FrameSink(threads: 2, channels: 1) { (_, _, frames) in ahead.take(frames) }
        try withUnsafeTemporaryAllocation(of: Float.self, capacity: 1_000) { plane in
            plane.initialize(repeating: 0)
            for _ in 0..<1_000 {
                try sink.give(.mix, plane.baseAddress.map { [UnsafePointer($0)] } ?? [], frames: 1_000)
                ahead.give(1_000)
            }
        }
        try sink.finish()
        #expect(ahead.taken == 1_000_000)
        #expect(ahead.most <= 9 * 4_096, "eight blocks, and the one at which the receiver is")
    }

    /// How far whoever gives is ahead of whoever takes.
    private final class Ahead: Sendable {
        private let counts = Mutex((given: 0, taken: 0, most: 0))
        func give(_ frames: Int) {
            counts.withLock {
                $0.given += frames
                $0.most = max($0.most, $0.given - $0.taken)
            }
        }
        func take(_ frames: Int) {
            sched_yield()
            counts.withLock { $0.taken += frames }
        }
        var taken: Int { counts.withLock { $0.taken } }
        var most: Int { counts.withLock { $0.most } }
    }
}
