import CRealtime
import DSP
import MIDI
import RealtimeCore
import Synchronization
import UnitAPI

/// The sounding half of a file player: plays the frames that its feed decodes, from the exact frame on that a cue names.
///
/// It reads no file: `FilePlayer` does, on the control side, ahead of time. Sound that is cut off in the middle dies away
/// within 64 frames instead of clicking, and sound that begins in the middle of a file rises as fast. Frames that are not
/// there in time are silent and counted; the file waits for them, or keeps its time, by the feed's choice. At a rate of 1 and a
/// volume of 0 dB the file comes out bit for bit. Property `file` names it in a patch, if it plays from the beginning on, and
/// with `loop` again and again; `running` stops it at its place. With property `start` it begins anew with each `song` or
/// `key` that it receives, or when `running` is turned on, on the exact frame: the beginning of the file is in memory.
/// Property `channels` is the number of channels, in the order of `SpeakerLayout`; 2 if it is left out.
package struct FilePlayback: AudioUnit, ~Copyable {
    package static let descriptor = UnitDescriptor(
        component: ComponentDescription(type: .generator, subtype: "afpl", manufacturer: .carillon), name: "file-player",
        summary: "Plays an audio file.", outputs: [.init("main")],
        hearingChoice: .init("start", notes: "key", time: "song"), properties: ["file", "loop", "start"], widths: 1...8,
        readouts: ["phase", "position", "underrun-frames", "late-cues"])

    package enum Parameter: Int, UnitParameter {
        case volume, rate, running

        package var spec: ParameterSpec {
            switch self {
            case .volume: .decibels("volume", -120...12, 0, "How loud the file is; -120 dB is silence.")
            case .rate:
                ParameterSpec(
                    "rate", 0.25...4, default: 1, unit: .ratio, curve: .logarithmic,
                    help: "How fast the file is played, and how much higher it sounds with that: 2 is an octave.")
            case .running:
                .running(
                    help:
                        "Whether it plays; when paused it keeps its place, or starts over if start is song or key.")
            }
        }
    }

    /// Frames in which a sound that is cut off dies away, or one that begins in the middle rises.
    private static var fade: Int { @_noLocks get { 64 } }

    /// Decodes and gives cues.
    package let feed: PlayerFeed
    private let crossing: UnsafeMutablePointer<PlayerCrossing>
    private let sampleRate: Double
    private var stream: PlayerStream
    private var phase = PlayerFeed.Phase.stopped, isHeld = false
    private let channels: Int
    private var owned: OwnedMemory
    private let targets: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
    /// The last frame that came out, and the one that dies away where sound was cut off; the frames that this still takes.
    private let last: UnsafeMutablePointer<Float>
    private var tail = 0
    /// Frames of the rise that are still to come.
    private var rise = 0
    private var isStarved = false
    private var missing: Int64 = 0
    private var loudness = AmplitudeMemo()
    private var start: PlayerStart
    private let startsItself: Bool
    private var level: Float = 1
    /// The frame of the song that it is to go to, below 0 for none; and frames of silence before it sounds there.
    private var target: Int32 = -1
    private var wait = 0
    private var now = SampleTime.zero

    /// Creates a player with a ring of two seconds, or of eight slices if those are longer.
    package init(_ setup: UnitSetup) throws(UnitError) {
        try Self.check(setup.properties)
        let mode = try Self.mode(setup.properties)
        owned = OwnedMemory()
        sampleRate = setup.sampleRate
        channels = setup.channels(of: Self.descriptor)
        startsItself = mode != .patch
        start = PlayerStart(mode, loops: setup.properties["loop"] == .flag(true), sampleRate: setup.sampleRate)
        // Longer than a slice at the highest speed, and than a disk takes to find the rest.
        feed = PlayerFeed(
            channels: channels, frames: max(Int(2 * setup.sampleRate), 8 * setup.maximumFrames),
            headFrames: mode == .patch ? 0 : max(Int(setup.sampleRate), 4 * setup.maximumFrames + 1024))
        crossing = feed.crossing
        stream = PlayerStream(feed.crossing, channels: channels)
        targets = owned.room(for: channels)
        last = owned.make(2 * channels, of: 0)
    }

    private static func check(_ properties: [String: PropertyValue]) throws(UnitError) {
        func refuse(_ name: String, _ reason: String) -> UnitError {
            .invalidProperty(unit: descriptor.name, property: name, reason: reason)
        }
        switch properties["file"] {
        case nil, .text: break
        default: throw refuse("file", "is the path of an audio file, as text")
        }
        switch properties["loop"] {
        case nil, .flag: break
        default: throw refuse("loop", "is true or false")
        }
    }

    private static func mode(_ properties: [String: PropertyValue]) throws(UnitError) -> PlayerStart.Mode {
        switch properties["start"] {
        case nil, .text("patch"): .patch
        case .text("song"): .song
        case .text("key"): .key
        default:
            throw .invalidProperty(unit: descriptor.name, property: "start", reason: "choose patch, song or key")
        }
    }

    /// The feed.
    package var companion: UnitCompanion? { feed }

    // [render]

    @_noLocks package mutating func handle(_ event: MusicEvent) {
        let action = start.hear(event, at: now)
        if isHeld { return }
        switch action {
        case .nothing: break
        case .begin(let level): begin(level)
        case .seek(let frame): target = frame
        case .resume: resume()
        case .pause: pause()
        case .stop: stop()
        }
    }

    @_noLocks package mutating func render(_ io: borrowing RenderIO) -> RenderStatus {
        let rate = io[Parameter.rate]
        hold(io[Parameter.running].target < 0.5)
        if target >= 0 { seek(rate.target) }
        for c in 0..<channels { (targets + c).initialize(to: io.output(0, c).base) }
        var done = 0
        var isSounding = false
        while done < io.frames {
            let now = io.sampleTime + done
            let count = takeCues(now, room: io.frames &- done, rate: rate, first: done)
            var part = 0
            while part < count {
                let at = done &+ part
                part &+= play(from: at, count &- part, at: io.sampleTime + at, rate, &isSounding)
            }
            done &+= count
        }
        if isSounding { scale(io) } else { io.markSilent() }
        now = io.sampleTime + io.frames
        // What is left of another take makes room for this one.
        if startsItself { _ = crossing.pointee.block(of: stream.take) }
        show(io)
        if start.restsBetweenKeys && !isSounding && isIdle { return .silent }
        // Cues come through the feed, which does not wake the unit.
        return .sounding
    }

    @_noLocks package mutating func reset() {
        var take = stream.take
        while let cue = crossing.pointee.cues.pop() {
            if case .begin = cue.action { take = cue.take }
        }
        stream.begin(take)
        phase = .stopped
        isHeld = false
        (tail, rise, wait, level, target) = (0, 0, 0, 1, -1)
        start.reset()
        rt_zero(last, channels)
        (isStarved, missing) = (false, 0)
    }

    @_noLocks private mutating func hold(_ isHeld: Bool) {
        if isHeld == self.isHeld { return }
        if startsItself {
            if isHeld { stop() }
            self.isHeld = isHeld
            if !isHeld { begin(1) }
            return
        }
        if isHeld { cut() }
        self.isHeld = isHeld
        // What has not begun begins as it is.
        if !isHeld && stream.index > 0 { rise = Self.fade }
    }

    @_noLocks private mutating func begin(_ level: Float) {
        begin(at: 0)
        (self.level, rise, wait) = (level, 0, 0)
    }

    /// Unless all of the file is in memory, it plays on once frames are certain to be there for any slices: some slices later.
    @_noLocks private mutating func seek(_ rate: Float) {
        let song = Double(target) * Double(rate), block = Int64(PlayerCrossing.blockFrames)
        target = -1
        if crossing.pointee.head.isWhole {
            begin(at: Int64(song))
            wait = 0
        } else {
            let first = song + Double(crossing.pointee.head.frames / 4) * Double(rate)
            let frame = (Int64(first) &+ block &- 1) / block &* block
            begin(at: frame)
            wait = Int((Double(frame) - song) / Double(rate))
        }
        (level, rise) = (1, Self.fade)
    }

    @_noLocks private mutating func begin(at frame: Int64) {
        cut()
        target = -1
        let take = crossing.pointee.head.isWhole ? stream.take : stream.take &+ 1
        stream.begin(take, at: frame)
        crossing.pointee.begun.store(take &<< 40 | frame, ordering: .releasing)
        phase = .playing
        (isStarved, missing) = (false, 0)
    }

    @_noLocks private mutating func pause() {
        target = -1
        guard case .playing = phase else { return }
        cut()
        phase = .paused
    }

    @_noLocks private mutating func resume() {
        guard case .paused = phase else { return }
        phase = .playing
        rise = Self.fade
    }

    @_noLocks private mutating func stop() {
        cut()
        target = -1
        phase = .stopped
    }

    /// Does what is due at `now`. Returns the frames up to the next cue, at most `room`.
    @_noLocks private mutating func takeCues(_ now: SampleTime, room: Int, rate: ParameterRamp, first: Int) -> Int {
        while let cue = crossing.pointee.cues.peek() {
            if cue.time > now { return min(cue.time - now, room) }
            let lateness = cue.time.isFrame ? now - cue.time : 0
            if lateness > 0 { crossing.pointee.lateCues.add(1, ordering: .relaxed) }
            apply(cue, at: now)
            if case .begin = cue.action, crossing.pointee.keepsTime.load(ordering: .relaxed) {
                stream.skip(lateness, rate: ParameterRamp(rate[first]), first: 0)
            }
            crossing.pointee.cues.drop()
        }
        return room
    }

    @_noLocks private mutating func apply(_ cue: PlayerFeed.Cue, at now: SampleTime) {
        switch cue.action {
        case .begin:
            cut()
            stream.begin(cue.take)
            phase = .playing
            rise = cue.rises ? Self.fade : 0
            (isStarved, missing) = (false, 0)
            crossing.pointee.report(PlayerFeed.Report(.began, take: cue.take, at: now))
        case .pause: pause()
        case .resume: resume()
        case .stop: stop()
        }
    }

    @_noLocks private mutating func cut() {
        if !isPlaying || isStarved { return }
        rt_copy(last + channels, last, channels)
        tail = Self.fade
    }

    /// Plays up to `count` frames from frame `start` of the slice on, and at least one; sets `isSounding` if any sounds.
    @_noLocks private mutating func play(
        from start: Int, _ count: Int, at now: SampleTime, _ rate: ParameterRamp, _ isSounding: inout Bool
    ) -> Int {
        var made = 0, count = count
        if isPlaying && wait > 0 {
            count = min(count, wait)
            wait &-= count
        } else if isPlaying {
            passMarks(at: now)
            var limit = Int64.max
            if let mark = crossing.pointee.mark(of: stream.take), mark.take == stream.take { limit = mark.frame }
            made = stream.read(targets, start, count, before: limit, rate: rate)
            if made > 0 {
                recover(at: now)
            } else if stream.isEnded {
                end(at: now)
            } else {
                starve(count, at: now, rate, start)
            }
        }
        let isThere = made > 0
        if !isThere { made = count }
        if isThere || tail > 0 { isSounding = true }
        for c in 0..<channels { shape(c, start, made, isThere) }
        if isThere { rise = max(0, rise &- made) }
        tail = max(0, tail &- made)
        return made
    }

    @_noLocks private func shape(_ channel: Int, _ start: Int, _ made: Int, _ isThere: Bool) {
        let samples = targets[channel] + start
        if !isThere { rt_zero(samples, made) }
        if level != 1 && isThere { for i in 0..<made { samples[i] *= level } }
        for i in 0..<(isThere ? min(made, rise) : 0) {
            samples[i] *= Float(Int32(truncatingIfNeeded: Self.fade &- rise &+ i &+ 1)) / 64
        }
        let cut = last[channels &+ channel]
        for i in 0..<min(made, tail) { samples[i] += cut * (Float(Int32(truncatingIfNeeded: tail &- i &- 1)) / 64) }
        last[channel] = samples[made &- 1]
    }

    @_noLocks private mutating func passMarks(at now: SampleTime) {
        while let mark = crossing.pointee.mark(of: stream.take), mark.take == stream.take,
            mark.frame <= stream.index || stream.isEnded
        {
            crossing.pointee.report(PlayerFeed.Report(.passed, take: mark.take, at: now, value: mark.part))
            crossing.pointee.marks.drop()
        }
    }

    @_noLocks private mutating func end(at now: SampleTime) {
        recover(at: now)
        passMarks(at: now)
        phase = .ended
        crossing.pointee.end.store(now.rawValue, ordering: .releasing)
        crossing.pointee.report(PlayerFeed.Report(.ended, take: stream.take, at: now))
    }

    @_noLocks private mutating func starve(_ count: Int, at now: SampleTime, _ rate: ParameterRamp, _ first: Int) {
        if !isStarved {
            cut()
            isStarved = true
            crossing.pointee.report(PlayerFeed.Report(.starved, take: stream.take, at: now))
        }
        missing &+= Int64(count)
        crossing.pointee.underrunFrames.add(count, ordering: .relaxed)
        if crossing.pointee.keepsTime.load(ordering: .relaxed) { stream.skip(count, rate: rate, first: first) }
    }

    @_noLocks private mutating func recover(at now: SampleTime) {
        if !isStarved { return }
        crossing.pointee.report(PlayerFeed.Report(.recovered, take: stream.take, at: now, value: missing))
        (isStarved, missing) = (false, 0)
        rise = Self.fade
    }

    @_noLocks private mutating func scale(_ io: borrowing RenderIO) {
        let volume = io[Parameter.volume]
        if volume.isSteady && volume.target == 0 { return }
        let steady = loudness(volume.target)
        for i in 0..<io.frames {
            let gain = volume.isSteady ? steady : Decibels.amplitude(volume[i])
            for c in 0..<channels { targets[c][i] *= gain }
        }
    }

    @_noLocks private mutating func show(_ io: borrowing RenderIO) {
        crossing.pointee.position.store(stream.index, ordering: .relaxed)
        crossing.pointee.rate.store(io[Parameter.rate].target.bitPattern, ordering: .relaxed)
        // In this order: a reader that sees a new take must not see the phase before it.
        crossing.pointee.phase.store(number, ordering: .releasing)
        crossing.pointee.take.store(stream.take, ordering: .releasing)
        crossing.pointee.clock.store((io.sampleTime + io.frames).rawValue, ordering: .releasing)
        io.publish(0, Float(number))
        io.publish(1, Float(Double(stream.index) / sampleRate))
        io.publish(2, Float(Int32(truncatingIfNeeded: crossing.pointee.underrunFrames.load(ordering: .relaxed))))
        io.publish(3, Float(Int32(truncatingIfNeeded: crossing.pointee.lateCues.load(ordering: .relaxed))))
    }

    /// True once nothing sounds and nothing will by itself.
    private var isIdle: Bool {
        @_noLocks get {
            if case .playing = phase { false } else { tail == 0 }
        }
    }

    private var isPlaying: Bool {
        @_noLocks get { if case .playing = phase { !isHeld } else { false } }
    }

    private var number: UInt8 {
        @_noLocks get {
            switch phase {
            case .stopped: 0
            case .playing: isHeld ? 2 : 1
            case .paused: 2
            case .ended: 3
            }
        }
    }
}
