import CRealtime
import MIDI
import RealtimeCore
import SoundFonts
import UnitAPI

/// Plays SoundFonts: sixteen channels, each on a stereo bus of its own or all on one, every note on its frame.
///
/// Carillon's own voices: the whole model of the SoundFont standard with envelopes, oscillators, filter and modulators. What
/// zones send to reverb and chorus besides their channel comes out on a mono bus for each channel and effect. Samples beyond
/// the budget of memory are streamed (`SampleFeed`). It has no effects of its own.
///
/// Sources: SoundFont Technical Specification 2.04; libfluidsynth 2.3 if that is silent or if all SoundFonts are made
/// for something else (the factor on attenuation, the velocity's filter). Properties: `SoundFontSelection`, `note-log`
/// (`NoteLog`), `buses` (`OutputBuses`).
public struct Sampler: AudioUnit, ~Copyable {
    /// Sixteen stereo outputs, one per channel; then sixteen mono sends to the reverb and sixteen to the chorus.
    public static var descriptor: UnitDescriptor {
        let channels = 1...16
        return UnitDescriptor(
            component: ComponentDescription(type: .instrument, subtype: "smpl", manufacturer: .carillon),
            name: "sampler", summary: "Plays the presets of a SoundFont, every note on its frame.",
            outputs: channels.map { UnitDescriptor.Bus("channel-\($0)") }
                + channels.map { UnitDescriptor.Bus("reverb-\($0)", channels: 1) }
                + channels.map { UnitDescriptor.Bus("chorus-\($0)", channels: 1) },
            acceptsMusic: true,
            // The longest release a SoundFont can ask for: 8 000 timecents.
            tail: 102, properties: SoundFontSelection.propertyNames + [NoteLog.propertyName, UnitDescriptor.busesProperty],
            readouts: [
                "active-voices", "unplayable-notes", "stolen-voices", "unreadable-samples", "unanswered-notes", "late-frames",
            ])
    }

    public enum Parameter: Int, UnitParameter {
        case gain, polyphony, interpolation, rounding, shares, seed

        public var spec: ParameterSpec {
            switch self {
            case .gain: .soundFontGain
            case .polyphony: .soundFontPolyphony(default: 512)
            case .interpolation: .samplerInterpolation
            case .seed: .samplerSeed
            case .rounding:
                .choice(
                    "rounding", ["none", "fluidsynth"], default: 0, applies: .atStart,
                    help: "Whether pitch, level and place are cut to FluidSynth's steps, to compare with it.")
            case .shares:
                .choice(
                    "shares", ["1", "2", "4", "8"], default: 1, applies: .atStart,
                    help: "How many threads can take part in one sampler: its notes are dealt out among so many.")
            }
        }
    }

    let book: RecipeBook
    let parts: UnsafeMutablePointer<Part>
    var pool: VoicePool
    var setting: Voice.Setting
    private var renderer: VoiceRenderer
    private var buses: ChannelBuses
    private let used: UInt16
    /// Samples that are silent, for they could not be read.
    private let unreadable: Int
    var programs = ChannelPrograms()
    var tunings = TuningTables(ports: 1)
    var zones = MPEZones()
    private var sounds = InlineArray<16, Sound>(repeating: .silence)
    /// Note-ons so far, counted alike in all shares; the next is one more.
    var noteNumber: UInt64 = 0
    /// Voices that all shares together have begun.
    var dealt = 0
    /// Frames of the current grid of 64 that are done: sample time modulo 64.
    private var now = 0
    /// The sample time of the next frame, unless it has slept since the last one.
    private(set) var frame: Int64 = 0
    var unplayable = 0, unanswered = 0
    var regions: RegionChooser
    /// The number of this share among all: every share receives every event, and starts its own notes.
    let share: Int
    /// The number of shares.
    public let shareCount: Int
    /// Cents of master tuning, coarse and fine.
    var masterCents = 0.0
    private var master = MasterLevel()
    private var gain: Float
    let isRounded: Bool

    /// Rates at which it can run, in hertz.
    public static var sampleRates: ClosedRange<Double> { 8_000...384_000 }

    public init(_ setup: UnitSetup) throws(UnitError) { try self.init(setup, in: .process) }

    /// Plays samples in a budget of memory.
    init(_ setup: UnitSetup, in memory: SampleMemory) throws(UnitError) {
        guard Self.sampleRates.contains(setup.sampleRate) else {
            throw .unsupportedSampleRate(unit: "soundfont", asked: setup.sampleRate, supported: Self.sampleRates)
        }
        do throws(SoundFontError) {
            let selection = try SoundFontSelection(setup)
            let library = try SoundFontLibrary(selection.sources)
            let list = library.recipes(for: selection.requests)
            let store = try SampleStore(list, from: library, in: memory)
            // What cannot be read is silent and shown; if nothing can, there is nothing to play.
            if let fault = store.faults.first, !store.samples.contains(where: { $0.frames > 0 }) { throw fault }
            let polyphony = Int(setup.value(of: Parameter.polyphony)), shares = Self.shares(setup, polyphony: polyphony)
            let names = library.files.map { $0.path.split(separator: "/").last.map { String($0) } ?? $0.path }
            let feed = SampleFeed(store, names, shares: shares, voices: polyphony + VoicePool.spare)
            self.init(
                RecipeBook(list, store), setup, usedChannels: selection.usedChannels, unreadable: store.faults.count,
                log: try NoteLog.wanted(setup, shares: shares, feed: feed), feed: feed)
        } catch {
            throw .resource(unit: "soundfont", reason: error.description, fault: error.fault)
        }
    }

    /// Plays a book. Control side.
    init(
        _ book: consuming RecipeBook, _ setup: UnitSetup, usedChannels: UInt16 = .max, unreadable: Int = 0, share: Int = 0,
        log: NoteLog? = nil, feed: SampleFeed? = nil
    ) {
        let polyphony = Int(setup.value(of: Parameter.polyphony))
        let shareCount = Self.shares(setup, polyphony: polyphony)
        self.share = share
        self.shareCount = shareCount
        isRounded = setup.value(of: Parameter.rounding) >= 0.5
        let curves = ControlCurves(ControlTables.tables(sampleRate: setup.sampleRate), isRounded: isRounded)
        setting = Voice.Setting(curves, rate: setup.sampleRate)
        let interpolation = Int(setup.value(of: Parameter.interpolation))
        var kernels = VoiceKernels(.init(rawValue: interpolation) ?? .cubic, sevenths: curves.sevenths)
        kernels.isExact = !isRounded
        renderer = VoiceRenderer(curves, kernels, rate: setup.sampleRate)
        // No more in all than may sound.
        let most = (polyphony + shareCount - 1 - share) / shareCount
        pool = VoicePool(polyphony: most, hasRegions: book.regions.hasRegions)
        regions = RegionChooser(book.regions, seed: UInt64(setup.value(of: Parameter.seed)))
        pool.keep(log, feed, share: share)
        (gain, used, self.unreadable) = (setup.value(of: Parameter.gain), usedChannels, unreadable)
        buses = ChannelBuses(channels: 16, isSummed: setup.buses == .main)
        self.book = book
        parts = .allocate(capacity: 16)
        for channel in 0..<16 {
            (parts + channel).initialize(to: Part(mode: .initial(channel)))
            sounds[channel] = chosen(channel)
        }
    }

    deinit { parts.deallocate() }

    /// The number asked for; but one if the polyphony is low, so that the loudest voices of all sound, not of each share.
    private static func shares(_ setup: UnitSetup, polyphony: Int) -> Int {
        polyphony < 64 ? 1 : 1 << Int(setup.value(of: Parameter.shares))
    }

    /// The log of its notes, if there is one; else the feed of its streams, which the log serves too.
    public var companion: UnitCompanion? { pool.keptLog ?? pool.keptFeed }

    /// Another share, with the same book.
    public borrowing func makeShare(_ index: Int, _ setup: UnitSetup) -> Sampler? {
        Sampler(book.shared(), setup, usedChannels: used, share: index, log: pool.keptLog, feed: pool.keptFeed)
    }

    // [render]

    @_noLocks public mutating func handle(_ event: MusicEvent) {
        switch event {
        case .message(let message): handle(message, event)
        case .reset:
            choose(programs.apply(event))
            powerUp()
            pool.logKeysUp()
            pool.clear()
            buses.clear()
        case .standard:
            choose(programs.apply(event))
            for place in 0..<pool.count { release(pool.voice(place)) }
            pool.logKeysUp()
            powerUp()
        case .partMode(let mode, _, let channel):
            parts[Int(channel & 15)].mode = mode
            choose(programs.apply(event))
        case .masterVolume(let volume, _): master.set(volume: volume, isSilent: pool.count == 0)
        case .masterBalance(let balance, _): master.set(balance: balance, isSilent: pool.count == 0)
        case .masterTuning(let cents, _):
            masterCents = Double(min(max(cents, -6_500), 6_400))
            for channel in 0..<16 { tune(channel) }
        case .scaleTuning(let channels, let step, let hundredths, _):
            for channel in 0..<16 where channels &>> UInt16(channel) & 1 != 0 {
                parts[channel].tune(step: step, cents: Float(hundredths) / 100)
                tune(channel)
            }
        case .keyTuning(let change):
            tunings.write(change)
            for channel in 0..<16 { parts[channel].tune(change, by: tunings, port: 0) }
            for channel in 0..<16 { tune(channel) }
        case .part(let parameter, let value, let key, let part):
            set(Int(part & 15), parameter, value, key)
        // The effects belong to others.
        case .effect, .insertion: break
        case .time(.tempo(let tempo)): (regions.tempo, renderer.tempo) = (tempo, tempo)
        case .time: break
        }
    }

    @_noLocks func values(_ channel: Int) -> ModulatorValues {
        let manager = Int(zones.manager(of: UInt8(truncatingIfNeeded: channel)))
        return ModulatorValues(parts + channel, manager: parts + manager, setting.curves)
    }

    /// Returns true if a message to `channel` reaches a voice: one of its own, or of a zone that it manages.
    @_noLocks func reaches(_ channel: Int, _ voice: UnsafePointer<Voice>) -> Bool {
        voice.pointee.isSounding
            && (Int(voice.pointee.channel) == channel || Int(zones.manager(of: voice.pointee.channel)) == channel)
    }

    @_noLocks func sound(_ channel: Int) -> Sound { ownSound(Int(zones.manager(of: UInt8(truncatingIfNeeded: channel)))) }

    /// The sound of a channel that is spoken for by itself.
    @_noLocks func ownSound(_ channel: Int) -> Sound {
        used &>> UInt16(truncatingIfNeeded: channel) & 1 == 1 ? sounds[channel] : .silence
    }

    @_noLocks mutating func choose(_ mask: UInt16) {
        for channel in 0..<16 where mask &>> UInt16(truncatingIfNeeded: channel) & 1 == 1 { sounds[channel] = chosen(channel) }
    }

    @_noLocks private func chosen(_ channel: Int) -> Sound {
        let request = programs.request(channel)
        parts[channel].setKit(request.isDrums, by: tunings, port: 0)
        return book.sounds[Int(request.code)]
    }

    /// The place of the next frame on the grid of 64.
    var phase: Int { @_noLocks get { now } }

    /// The quietest audible envelope, at the present gain.
    var quietest: Double { @_noLocks get { 2e-7 / Double(max(gain, 1e-6)) } }

    /// Every channel as after power-on; what sounds goes on.
    @_noLocks private mutating func powerUp() {
        tunings.reset(port: 0)
        regions.powerUp()
        for channel in 0..<16 { parts[channel] = Part(mode: .initial(channel), by: tunings, port: 0) }
        zones = MPEZones()
        masterCents = 0
        master.powerUp(isSilent: pool.count == 0)
    }

    @_noLocks public mutating func reset() {
        pool.clear()
        buses.clear()
        programs = ChannelPrograms()
        choose(.max)
        tunings.clear()
        powerUp()
        master.settle()
        regions.reset()
        (unplayable, unanswered, dealt) = (0, 0, 0)
    }

    /// Released voices go within a period.
    @_noLocks public mutating func shed(_ level: Int) {
        if level >= 1 { pool.fadeReleased() }
    }

    @_noLocks public mutating func render(_ io: borrowing RenderIO) -> RenderStatus {
        let start = Int(truncatingIfNeeded: io.sampleTime.rawValue & 63)
        if start != now { wake(at: start) }
        if io.sampleTime.rawValue != frame { RegionPlayer.oversleep(self, io.sampleTime.rawValue &- frame) }
        frame = io.sampleTime.rawValue &+ Int64(io.frames)
        pool.log?.pointee.stamp(io.sampleTime)
        var grid = io.sampleTime.rawValue &- Int64(start)
        gain = io[Parameter.gain].target
        io.publish(0, Float(pool.count))
        io.publish(1, Float(unplayable))
        io.publish(2, Float(pool.stolen))
        io.publish(3, Float(unreadable))
        io.publish(4, Float(unanswered))
        if let reader = pool.reader {
            reader.pointee.begin(period: grid &>> 6)
            io.publish(5, Float(reader.pointee.late))
        }
        if pool.count == 0 && buses.filled.isEmpty {
            pass(io.frames)
            return .silent
        }
        buses.listen(io)
        var (written, done) = (OutputMask(isSummed: buses.isSummed), 0)
        while done < io.frames {
            let bound = min(64, now &+ io.frames &- done)
            pool.log?.pointee.levels.scale = master.now * (gain / 32_768)
            renderer.render(&pool, &buses, before: bound, grid: grid)
            let level = Level(io[Parameter.gain], master.now, master.goal, now: now)
            written.add(io, buses, level, done: done, now: now, count: bound &- now)
            done &+= bound &- now
            now = bound
            if now == 64 {
                if buses.isFull { written.flush(io, buses) }
                buses.advance()
                pool.rendered = 0
                now = 0
                grid &+= 64
                master.step(isSilent: pool.count == 0)
            }
        }
        written.finish(io, buses)
        return written.isSilent && pool.count == 0 && buses.filled.isEmpty ? .silent : .sounding
    }

    @_noLocks private mutating func pass(_ frames: Int) {
        if now &+ frames >= 64 { master.settle() }
        now = (now &+ frames) & 63
        pool.rendered = 0
    }

    /// The unit was asleep: all voices there are begin now.
    @_noLocks private mutating func wake(at start: Int) {
        now = start
        pool.rendered = 0
        for place in 0..<pool.count { pool.voice(place).pointee.phase = start }
        master.settle()
    }
}
