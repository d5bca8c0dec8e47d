import AudioFiles
import DSP
import Graphs
import RealtimeCore
import RemoteIO
import Synchronization
import Units

/// A recording of the sound that leaves a unit, on its way into a file while it plays: of the whole graph, of one channel, of a
/// device's input.
///
///     let recorder = try engine.record(mixer, to: "evening.flac")
///     recorder.pause(at: time)
///     try engine.finish(recorder)
///
/// The file has its own name from the beginning and replaces none. Once a second it is made whole, header and all, so that a
/// crash leaves what was recorded up to then. When the disk is full the recorder ends and reports it, and the file keeps what
/// was written before. On a device a thread of the recorder's own writes, so that a slow disk blocks no other thread; offline
/// it is written before the next slice. Any thread.
public final class AudioRecorder: Sendable {
    /// A state of the recorder.
    public enum State: Sendable, Equatable {
        /// The time has not come.
        case waiting
        case recording
        case paused
        /// The file is complete.
        case finished
        /// The recorder ended early: the file keeps what was written if the error says so.
        case failed(AudioFileError)
    }

    /// An event of the recorder, reported in the order in which it happened; the times are those of the frames concerned.
    public enum Event: Sendable, Equatable {
        /// The first frame that is written, or the first after a pause.
        case began(at: SampleTime)
        /// The first frame that is not written.
        case paused(at: SampleTime)
        /// Frames were lost because the disk is too slow: they are silent in the file, so that later frames keep their time.
        case dropped(frames: Int, at: SampleTime)
        /// The file is complete, with `frames` frames of its own rate.
        case finished(frames: Int64)
        /// The file can no longer be written, perhaps because the disk is full.
        case failed(AudioFileError)
    }

    /// The file, as it was named.
    public let path: String
    /// The format that it is written in.
    public let format: AudioFileFormat
    /// Frames per second in the file.
    public let sampleRate: Int
    /// Channels in the file: those of the bus.
    public let channels: Int
    /// The loudspeaker that each channel is for; nil where that is not known, and the file does not say it.
    public let layout: SpeakerLayout?
    let tap: TapReader
    private let renderer: Renderer
    private let work: Mutex<RecordingWork>
    /// The lock, held only for a moment and never during a wait for the disk.
    private let asked = Mutex<[(RecordingSchedule.Turn, SampleTime)]>([])
    private let view: Mutex<(state: State, frames: Int64, clipped: Int64)>
    private let listeners = Listeners<Event>()
    private let chunkListeners = Listeners<TapBlock>()
    private let thread = Mutex<WakingThread?>(nil)

    init(_ file: sending RecordedFile, tap: TapReader, renderer: Renderer) {
        path = file.writer.path
        format = file.writer.format
        sampleRate = file.writer.sampleRate
        channels = file.writer.channels
        layout = file.writer.layout
        self.tap = tap
        self.renderer = renderer
        work = Mutex(RecordingWork(file))
        view = Mutex((.waiting, 0, 0))
    }

    func disconnect() { tap.serve({}, look: {}) }

    func connect() {
        tap.serve({ [weak self] in self?.drain() }, look: { [weak self] in self?.look() })
    }

    /// Writes no frame from `time` on, exactly (nil means the first that is not rendered yet), until `resume`. The frames after
    /// the pause directly follow those before it. A time that has been written takes effect at once.
    ///
    /// - Returns: the frame.
    @discardableResult
    public func pause(at time: SampleTime? = nil) -> SampleTime { ask(.pause, time) }

    /// Goes on with the frame of `time` (nil means the first that is not rendered yet).
    @discardableResult
    public func resume(at time: SampleTime? = nil) -> SampleTime { ask(.resume, time) }

    /// Ends the file before the frame of `time` (nil means the first that is not rendered yet), as soon as all before it is
    /// there; then comes the event `finished`.
    @discardableResult
    public func stop(at time: SampleTime? = nil) -> SampleTime { ask(.end, time) }

    package func begin(at time: SampleTime) { asked.withLock { $0.append((.begin, time)) } }

    private func ask(_ turn: RecordingSchedule.Turn, _ time: SampleTime?) -> SampleTime {
        let time = time ?? renderer.sampleTime
        asked.withLock { $0.append((turn, time)) }
        return time
    }

    /// Writes the sound rendered so far and completes the file, on this thread. `Engine.finish(_:)` removes its tap too.
    ///
    /// - Throws: as `AudioFileWriter.finish`; what ended it before.
    public func finish() throws(AudioFileError) {
        stop()
        drain()
        // If nothing was rendered since, the moment itself has not come.
        work.withLock { work in
            take(
                asked.withLock { asked in
                    defer { asked = [] }; return asked
                }, into: &work)
            conclude(&work, at: renderer.sampleTime)
        }
        listeners.tell()
        chunkListeners.tell()
        if case .failed(let error) = state { throw error }
    }

    /// The recorder's state, as of the last time that it wrote.
    public var state: State { view.withLock { $0.state } }
    /// Frames in the file, of its own rate.
    public var framesWritten: Int64 { view.withLock { $0.frames } }
    /// Samples beyond full scale that the file could not hold as they are.
    public var clippedSamples: Int64 { view.withLock { $0.clipped } }
    /// Frames that were lost because the disk was too slow.
    public var droppedFrames: Int { tap.droppedFrames }

    /// All events from now on, to the end of the recording; the newest 1024 wait.
    public var events: AsyncStream<Event> { listeners.makeStream(limit: 1024) }

    /// Calls `body` with each event, on the thread that writes; it must not wait.
    public func onEvent(_ body: (@Sendable (Event) -> Void)?) { listeners.call(body) }

    /// The frames that are recorded from now on, as blocks of the engine's rate, for a meter, a network or a model. Blocks that
    /// are not fetched for some ten seconds are lost to it, oldest first. It ends with the recording.
    public var chunks: AsyncStream<TapBlock> { chunkListeners.makeStream(limit: 8192) }

    /// Leaves the writing to a thread.
    private func look() {
        thread.withLock { thread in
            if thread == nil {
                // If no thread can be started, the next look tries again; the tap counts the lost frames.
                do throws(DeviceError) {
                    thread = try WakingThread(name: "carillon-record") { [weak self] in self?.drain() }
                } catch {}
            }
            thread?.wake()
        }
    }

    /// Writes the sound rendered since the last time.
    private func drain() {
        work.withLock { work in
            take(
                asked.withLock { asked in
                    defer { asked = [] }; return asked
                }, into: &work)
            for block in tap.read() { write(block.first(channels), &work) }
            if let next = work.next { conclude(&work, at: next) }
        }
        listeners.tell()
        chunkListeners.tell()
    }

    private func take(_ turns: [(RecordingSchedule.Turn, SampleTime)], into work: inout RecordingWork) {
        for (turn, time) in turns { work.schedule.add(turn, at: time) }
    }

    private func write(_ block: TapBlock, _ work: inout RecordingWork) {
        if let next = work.next, block.time > next {
            let missing = block.time - next
            if work.schedule.isRecording { listeners.post(.dropped(frames: missing, at: next)) }
            var left = missing
            while left > 0 {
                let count = min(left, 4096), silence = [Float](repeating: 0, count: count)
                write(TapBlock(time: block.time + -left, channels: block.channels.map { _ in silence }), from: 0, &work)
                left -= count
            }
        }
        write(block, from: 0, &work)
        work.next = block.time + block.frames
    }

    private func write(_ block: TapBlock, from start: Int, _ work: inout RecordingWork) {
        var done = start
        while done < block.frames {
            let now = block.time + done
            conclude(&work, at: now)
            let count = work.schedule.frames(from: now, limit: block.frames - done)
            if work.schedule.isRecording, let file = work.file {
                let isWhole = count == block.frames
                let piece =
                    isWhole
                    ? block : TapBlock(time: now, channels: block.channels.map { Array($0[done..<done + count]) })
                do throws(AudioFileError) { try file.write(piece.channels, frames: count) } catch { fail(error, &work) }
                if chunkListeners.hasListeners { chunkListeners.post(piece) }
                view.withLock { ($0.frames, $0.clipped) = (file.writer.framesWritten, file.writer.clippedSamples) }
            }
            done += count
        }
    }

    /// Does what is due at `now`.
    private func conclude(_ work: inout RecordingWork, at now: SampleTime) {
        for turn in work.schedule.advance(to: now) where work.file != nil {
            switch turn {
            case .begin, .resume: show(.recording, .began(at: now))
            case .pause: show(.paused, .paused(at: now))
            case .end: finish(&work)
            }
        }
    }

    private func finish(_ work: inout RecordingWork) {
        guard let file = work.file else { return }
        do throws(AudioFileError) { try file.finish() } catch { return fail(error, &work) }
        work.file = nil
        view.withLock { ($0.frames, $0.clipped) = (file.writer.framesWritten, file.writer.clippedSamples) }
        show(.finished, .finished(frames: file.writer.framesWritten))
        listeners.end()
        chunkListeners.end()
    }

    private func fail(_ error: AudioFileError, _ work: inout RecordingWork) {
        work.file = nil
        show(.failed(error), .failed(error))
        listeners.end()
        chunkListeners.end()
    }

    private func show(_ state: State, _ event: Event) {
        view.withLock { $0.state = state }
        listeners.post(event)
    }
}

/// The state that belongs to the thread that writes.
struct RecordingWork {
    /// The file; nil when it has its end.
    var file: RecordedFile?
    var schedule = RecordingSchedule()
    /// The frame after the last one that came.
    var next: SampleTime?

    init(_ file: RecordedFile) { self.file = file }
}
