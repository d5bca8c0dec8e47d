import CRealtime
import DSP
import MIDI
import RealtimeCore
import UnitAPI

/// A drum machine: it plays bars of sixteen steps on the drums of the drum-synth.
///
/// It begins with the first step on the frame on which it starts to run, and keeps count in whole numbers: after a year it is
/// still on its frame. While a song plays, its tempo, its meter and its place are the song's: the steps lie on the song's
/// sixteenths, also if the machine is let run in the middle of a bar, and the pattern begins anew with each bar. Of sixteen
/// steps a bar in 3/4 plays the first twelve, one in 5/4 all and the first four again. If no song plays, or `held` names
/// `tempo`, it counts alone, in bars of four quarter notes. A new tempo holds at once, a new pattern from the next step on.
/// The property `steps` holds a pattern of one's own, as text (`kick: x...x...x...x...`, a line or a semicolon after each
/// drum), which the choice `own` plays.
public struct DrumMachine: AudioUnit, ~Copyable {
    public static let descriptor = UnitDescriptor(
        component: ComponentDescription(type: .generator, subtype: "drmc", manufacturer: .carillon), name: "drum-machine",
        summary: "Plays bars of sixteen steps on synthesized drums.", outputs: [.init("main")], tail: 16,
        properties: ["steps", EffectLink.heldProperty], propertyConditions: [.init("steps", where: "pattern", is: "own")],
        readouts: ["step", "bar"], factoryPresets: factoryPresets)

    public enum Parameter: Int, UnitParameter {
        case running, pattern, tempo, swing, accent, tune, decay, width, gain

        public var spec: ParameterSpec {
            switch self {
            case .running:
                .running(
                    help: "Whether it plays; each start begins with the first step of a bar, or in the song's.")
            case .pattern:
                .choice(
                    "pattern", ["own"] + DrumPatterns.all.map(\.name), default: 1,
                    help: "What it plays; own is what the property steps says.")
            case .tempo:
                .tempo(
                    20...300,
                    help: "Quarter notes a minute, four steps each; the song's while one plays, unless held names it.")
            case .swing:
                .percent(
                    "swing", 50...75, 50, smoothing: 0,
                    "Where every second step lies between its neighbours: 50 is even, 66 a triplet.")
            case .accent: .decibels("accent", 0...12, 4, smoothing: 0, "How much louder the harder strokes are.")
            case .tune: .semitones("tune", -12...12, 0, smoothing: 0, "How much higher the drums are, from the next stroke on.")
            case .decay:
                ParameterSpec(
                    "decay", 20...400, default: 100, unit: .percent, curve: .logarithmic, smoothing: 0,
                    help: "How long the drums ring, from the next stroke on.")
            case .width:
                .percent(
                    "width", 0...100, 50, smoothing: 0,
                    "How far the drums stand apart, from the next stroke on; 0 has all of them in the middle.")
            case .gain: .decibels("gain", -60...12, -9, "Level of the whole kit.")
            }
        }
    }

    private static var beat: Int64 { @_noLocks get { StepBar.beat } }

    private var owned: OwnedMemory
    /// The drums of all patterns, sixteen places each, and the least that each pattern swings.
    private let tracks: UnsafeMutablePointer<DrumTrack>
    private let swings: UnsafeMutablePointer<Double>
    private let patternCount: Int
    /// The distance that the counter goes in a frame at one quarter note a minute.
    private let countPerTempo: Double
    private let sampleRate: Double
    private var kit: DrumKit
    /// The bar, the place in the quarter note, the step of the bar that comes next (0: the next bar's first), bars so far.
    private var bar = StepBar(.common)
    private var count: Int64 = 0
    private var nextStep = 0
    private var bars = 0
    /// The number on the screen: the step that was last, from 1 on; 0 before the first.
    private var shownStep = 0
    private var place = SongPlace()
    private var isCounting = false

    public init(_ setup: UnitSetup) throws(UnitError) {
        try setup.checkHeldParameters(of: Self.self)
        var patterns: [DrumPattern] = [], swings = [0.5]
        do throws(DrumPattern.Fault) {
            patterns.append(try DrumPattern(try Self.ownPattern(setup)))
            for pattern in DrumPatterns.all {
                patterns.append(try DrumPattern(pattern.text))
                swings.append(pattern.swing)
            }
        } catch {
            throw .invalidProperty(unit: "drum-machine", property: "steps", reason: error.reason)
        }
        let isOwn = setup.value(of: Parameter.pattern) < 0.5, hasSteps = !(patterns.first?.tracks.isEmpty ?? true)
        if isOwn && !hasSteps {
            throw .invalidProperty(
                unit: "drum-machine", property: "steps", reason: "pattern: own plays them; give some, kick: x...x...x...x...")
        }
        owned = OwnedMemory()
        patternCount = patterns.count
        tracks = owned.make(patternCount * DrumPattern.capacity, of: DrumTrack())
        self.swings = owned.room(for: patternCount)
        for (index, pattern) in patterns.enumerated() {
            (self.swings + index).initialize(to: swings[index])
            for (place, track) in pattern.tracks.enumerated() { tracks[index * DrumPattern.capacity + place] = track }
        }
        countPerTempo = Double(Self.beat) / 60 / setup.sampleRate
        sampleRate = setup.sampleRate
        kit = DrumKit(sampleRate: setup.sampleRate)
    }

    /// The text of the property; none is an empty bar.
    private static func ownPattern(_ setup: UnitSetup) throws(DrumPattern.Fault) -> String {
        switch setup.properties["steps"] {
        case nil: return ""
        case .text(let text): return text
        default: throw DrumPattern.Fault(reason: "a text is wanted: kick: x...x...x...x...")
        }
    }

    // [render]

    @_noLocks public mutating func handle(_ event: MusicEvent) {
        if case .time(let time) = event { place.follow(time) }
    }

    @_noLocks public mutating func render(_ io: borrowing RenderIO) -> RenderStatus {
        let isRunning = io[Parameter.running].target >= 0.5
        let isTold = place.begins(at: io.sampleTime, quarter: quarter(io))
        if place.origin == nil { turn(to: StepBar(.common)) }
        if !isRunning {
            stop()
            if kit.usedCount == 0 {
                show(io)
                return .silent
            }
        }
        let left = io.output(0, 0).base, right = io.output(0, 1).base
        rt_zero(left, io.frames)
        rt_zero(right, io.frames)
        var isSounding = kit.usedCount > 0
        if isRunning {
            if isTold || !isCounting { align(io) }
            if play(io, left, right) { isSounding = true }
        } else {
            ring(io, left, right, from: 0, to: io.frames)
        }
        show(io)
        if !isSounding {
            io.markSilent()
            return .sounding
        }
        kit.scale(left, right, io.frames, by: io[Parameter.gain])
        // Between two steps it is not at rest.
        return .sounding
    }

    @_noLocks public mutating func reset() {
        stop()
        kit.reset()
    }

    /// Drops the quieter half of what rings.
    @_noLocks public mutating func shed(_ level: Int) {
        if level > 0 { kit.shed() }
    }

    /// The next start is the first step of a bar; drums that sound ring on.
    @_noLocks private mutating func stop() {
        (count, nextStep, bars, shownStep) = (0, 0, 0, 0)
        bar = StepBar(.common)
        isCounting = false
    }

    @_noLocks private mutating func align(_ io: borrowing RenderIO) {
        defer { isCounting = true }
        guard let parts = place.parts(at: io.sampleTime, quarter: quarter(io)) else { return }
        let bar = StepBar(place.meter), now = bar.place(ofPart: max(parts, 0) % bar.parts)
        if isCounting && bars > 0 {
            // Hardly beside where it stands: no step is lost, and none comes twice.
            let last = nextStep == 0 ? self.bar.steps &- 1 : nextStep &- 1
            var ahead = now &- Int64(self.bar.quarter(of: last)) &* Self.beat &- count
            if nextStep == 0 { ahead &+= self.bar.length }
            if ahead > bar.length / 2 { ahead &-= bar.length }
            if ahead < 0 - bar.length / 2 { ahead &+= bar.length }
            if ahead.magnitude < UInt64(Self.beat / 32), nextStep <= bar.steps {
                turn(to: bar)
                count &+= ahead
                return
            }
        }
        self.bar = bar
        nextStep = 4 &* Int(now / Self.beat)
        count = now % Self.beat
        if count == 0 {
            // The first step of all is due at 0; the first of any other quarter note, where the one before has ended.
            if nextStep != 0 { count = Self.beat } else if bars > 0 { count = bar.end }
        } else {
            bars = max(bars, 1)
            repeat { step(swing(io)) } while nextStep & 3 != 0 && due(swing(io)) < count
        }
        if nextStep != 0 { bars = max(bars, 1) }
    }

    @_noLocks private mutating func turn(to bar: StepBar) {
        // What is counted from the last quarter note's beginning ends where the new bar's ends.
        if nextStep == 0 && bars > 0 { count &+= bar.end &- self.bar.end }
        if nextStep >= bar.steps { nextStep %= bar.steps }
        self.bar = bar
    }

    @_noLocks private mutating func step(_ swing: Double) {
        nextStep &+= 1
        // A late one that the bar's end would cut off is left out.
        let isCut = nextStep & 3 != 0 && bar.isLast(nextStep) && due(swing) >= bar.end
        if nextStep >= bar.steps || isCut { nextStep = 0 }
    }

    @_noLocks private mutating func play(
        _ io: borrowing RenderIO, _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>
    ) -> Bool {
        // Rounded up: a step that is a whole number of frames is due on its frame and not after it.
        let perFrame = Int64(-rt_floor_double(-(Double(io[Parameter.tempo].target) * countPerTempo)))
        let pattern = pattern(io), swing = swing(io)
        let soft = Decibels.amplitude(0 - io[Parameter.accent].target)
        var done = 0
        var hasStep = false
        while done < io.frames {
            let rest = due(swing) &- count
            if rest <= 0 {
                strike(pattern, soft, swing)
                hasStep = true
                continue
            }
            let frames = min(Int((rest &+ perFrame &- 1) / perFrame), io.frames &- done)
            ring(io, left, right, from: done, to: done &+ frames)
            count &+= perFrame &* Int64(truncatingIfNeeded: frames)
            done &+= frames
        }
        return hasStep
    }

    @_noLocks private func pattern(_ io: borrowing RenderIO) -> Int {
        min(max(Int(io[Parameter.pattern].target + 0.5), 0), patternCount &- 1)
    }

    /// The place of every second step between its neighbours, as a fraction.
    @_noLocks private func swing(_ io: borrowing RenderIO) -> Double {
        max(Double(io[Parameter.swing].target) * 0.01, swings[pattern(io)])
    }

    /// Frames of a quarter note.
    @_noLocks private func quarter(_ io: borrowing RenderIO) -> Double { 60 / Double(io[Parameter.tempo].target) * sampleRate }

    @_noLocks private func due(_ swing: Double) -> Int64 {
        let half = Self.beat / 2, late = Int64(Double(half) * swing)
        switch nextStep & 3 {
        // The counter goes on until the first step of the next quarter note takes it back.
        case 0: return nextStep != 0 ? Self.beat : bars == 0 ? 0 : bar.end
        case 1: return late
        case 2: return half
        default: return half &+ late
        }
    }

    /// The next step: its strokes begin with the next frame.
    @_noLocks private mutating func strike(_ pattern: Int, _ soft: Float, _ swing: Double) {
        if nextStep & 3 == 0 && !(nextStep == 0 && bars == 0) { count &-= nextStep == 0 ? bar.end : Self.beat }
        if nextStep == 0 { bars &+= 1 }
        let bit = UInt16(1) &<< UInt16(truncatingIfNeeded: nextStep & 15)
        for place in 0..<DrumPattern.capacity {
            let track = tracks[pattern &* DrumPattern.capacity &+ place]
            if track.strokes & bit == 0 { continue }
            _ = kit.strike(part: 0, key: track.key, force: track.accents & bit != 0 ? 1 : soft)
        }
        shownStep = (nextStep & 15) &+ 1
        step(swing)
    }

    @_noLocks private mutating func ring(
        _ io: borrowing RenderIO, _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>,
        from start: Int, to end: Int
    ) {
        var settings = DrumKitSettings()
        settings.retune(by: Double(io[Parameter.tune].target), stretch: Double(io[Parameter.decay].target) * 0.01)
        settings.width = io[Parameter.width].target * 0.01
        settings.velocityCurve = 1
        kit.render(left + start, right + start, end &- start, at: (io.sampleTime + start).rawValue, settings)
    }

    @_noLocks private func show(_ io: borrowing RenderIO) {
        io.publish(0, Float(Int32(truncatingIfNeeded: shownStep)))
        io.publish(1, Float(Int32(truncatingIfNeeded: bars)))
    }
}
