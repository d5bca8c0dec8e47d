import DSP
import MIDI
import RealtimeCore

// [render]

/// The channels of an instrument, sixteen for each of sixteen ports, and the System Exclusive settings of a whole port.
struct InstrumentParts: ~Copyable {
    /// The values that a System Exclusive message sets for all channels of a port.
    struct Port: BitwiseCopyable {
        /// Linear amplitude.
        var volume: Float = 1
        /// Linear amplitude of either side.
        var left: Float = 1, right: Float = 1
        /// The shift of all channels in pitch. Unit: cents.
        var tuning = 0.0

        @_noLocks init() {}
    }

    struct Level: BitwiseCopyable {
        var left: Float = 0, right: Float = 0

        @_noLocks init() {}
    }

    /// The number of parts: 16 channels of each of 16 ports.
    static var count: Int { @_noLocks @inline(__always) get { 256 } }

    private var owned = OwnedMemory()
    /// The channels, as `MIDIMessage.part` counts them.
    let parts: UnsafeMutablePointer<Part>
    private let levels: UnsafeMutablePointer<Level>
    private let ports: UnsafeMutablePointer<Port>
    /// One for each port. Memory of their own: an array inside would be copied whenever one of them is asked.
    private let zones: UnsafeMutablePointer<MPEZones>
    private var tables = TuningTables(ports: 16)

    init() {
        parts = owned.make(Self.count, of: Part(mode: .melodic))
        levels = owned.make(Self.count, of: Level())
        ports = owned.make(16, of: Port())
        zones = owned.make(16, of: MPEZones())
    }

    /// The distance of `key` of a part from its place in equal temperament. Unit: cents.
    @_noLocks func cents(_ part: Int, _ key: UInt8) -> Double {
        let own = zones[part &>> 4].cents(UInt8(truncatingIfNeeded: part & 15), parts: parts + (part & ~15))
        return own + parts[part].cents(of: key) + ports[part &>> 4].tuning
    }

    /// The part that speaks for `part`: the manager of its zone, or itself if it is in none.
    @_noLocks func speaker(_ part: Int) -> Int {
        part & ~15 | Int(zones[part &>> 4].manager(of: UInt8(truncatingIfNeeded: part & 15)))
    }

    @_noLocks func reach(_ part: Int) -> Range<Int> {
        let channels = zones[part &>> 4].reach(of: UInt8(truncatingIfNeeded: part & 15))
        return (part & ~15 &+ Int(channels.lowerBound))..<(part & ~15 &+ Int(channels.upperBound))
    }

    @_noLocks func isSustained(_ part: Int) -> Bool { parts[speaker(part)].isSustained }

    /// Amplitude on either side, with that of the port.
    @_noLocks func level(_ part: Int) -> Level {
        let port = ports[part &>> 4]
        var level = levels[speaker(part)]
        level.left *= port.volume * port.left
        level.right *= port.volume * port.right
        return level
    }

    /// 1 is the modulation wheel at its end with an unchanged range; `keyPressure` is that of the voice's key.
    @_noLocks func vibrato(_ part: Int, _ keyPressure: UInt8) -> Float {
        let speaker = speaker(part)
        let pressure = zones[part &>> 4].pressure(UInt8(truncatingIfNeeded: part & 15), parts: parts + (part & ~15))
        let sum = Int(parts[speaker].value(of: 1)) &+ Int(pressure) &+ Int(keyPressure)
        if sum == 0 { return 0 }
        return Float(Int32(truncatingIfNeeded: min(sum, 127))) / 127 * Float(parts[speaker].modulationDepth * (1.0 / 50))
    }

    /// The modulation wheel of a part, 0...1.
    @_noLocks func wheel(_ part: Int) -> Float { Float(parts[speaker(part)].value(of: 1)) / 127 }

    /// The pressure on a key, its own or that of its channel or zone, whichever is more: 0...1.
    @_noLocks func pressure(_ part: Int, _ keyPressure: UInt8) -> Float {
        let channel = zones[part &>> 4].pressure(UInt8(truncatingIfNeeded: part & 15), parts: parts + (part & ~15))
        return min(max(Float(channel), Float(keyPressure)) / 127, 1)
    }

    /// The shift of a part's sound from its middle by sound controllers, those of its zone and its own together: -1...1.
    @_noLocks func offset(_ control: SoundControl, _ part: Int) -> Float {
        let speaker = speaker(part), own = parts[part].soundControl(control)
        let sum = speaker == part ? own : own &+ parts[speaker].soundControl(control)
        return max(min(Float(Int32(truncatingIfNeeded: sum)) / 64, 1), -1)
    }

    @_noLocks func control(_ part: Int, _ controller: Controller, _ value: UInt8) -> Part.Consequence {
        let consequence = parts[part].control(controller, value)
        switch controller.rawValue {
        case 7, 10, 11, 121: updateLevel(part)
        case 6, 38, 96, 97:
            if parts[part].parameter.registered == 0 {
                zones[part &>> 4].shareBendRange(of: UInt8(truncatingIfNeeded: part & 15), parts: parts + (part & ~15))
            }
        default: break
        }
        if case .tuningChosen = consequence {
            parts[part].tune(by: tables, port: UInt8(truncatingIfNeeded: part &>> 4))
        }
        return consequence
    }

    /// True if the session's tuning silences a key of a part.
    @_noLocks func isSilent(_ part: Int, _ key: UInt8) -> Bool { tables.isSilent(key) && !parts[part].isKit }

    /// Forgets all tunings, the session's too.
    @_noLocks mutating func clear() { tables.clear() }

    /// Makes, changes or ends an MPE zone; returns the parts of the port whose notes end, one bit each.
    @_noLocks mutating func configure(_ part: Int, members: UInt8) -> UInt16 {
        let changed = zones[part &>> 4].configure(
            UInt8(truncatingIfNeeded: part & 15), members: members, parts: parts + (part & ~15))
        for channel in 0..<16 where changed &>> UInt16(channel) & 1 != 0 { updateLevel(part & ~15 | channel) }
        return changed
    }

    /// Applies the setting of a System Exclusive message, except resets.
    @_noLocks mutating func apply(_ event: MusicEvent) {
        let port = Int(event.port)
        switch event {
        case .partMode(let mode, _, let channel):
            let part = port &* 16 &+ Int(channel & 15)
            parts[part].mode = mode
            parts[part].setKit(mode.isDrums, by: tables, port: event.port)
        case .masterVolume(let volume, _): ports[port].volume = volume
        case .masterTuning(let cents, _): ports[port].tuning = Double(cents)
        case .masterBalance(let balance, _):
            ports[port].left = min(1 - balance, 1)
            ports[port].right = min(1 + balance, 1)
        case .scaleTuning(let channels, let step, let hundredths, _):
            for channel in 0..<16 where channels &>> UInt16(channel) & 1 != 0 {
                parts[port &* 16 &+ channel].tune(step: step, cents: Float(hundredths) / 100)
            }
        case .keyTuning(let change):
            tables.write(change)
            for part in change.isOfSession ? 0..<Self.count : port &* 16..<port &* 16 &+ 16 {
                parts[part].tune(change, by: tables, port: UInt8(truncatingIfNeeded: part &>> 4))
            }
        // Its sound has neither.
        case .effect, .insertion: break
        case .part(let parameter, let value, let key, let part): _ = parts[Int(part)].set(parameter, value, key: key)
        case .message, .reset, .standard, .time: break
        }
    }

    @_noLocks func reset(_ part: Int) {
        parts[part] = Part(mode: .initial(part), by: tables, port: UInt8(truncatingIfNeeded: part &>> 4))
        updateLevel(part)
    }

    @_noLocks mutating func reset(port: UInt8) {
        ports[Int(port & 15)] = Port()
        zones[Int(port & 15)] = MPEZones()
        tables.reset(port: port & 15)
    }

    /// Volume and expression are squares; pan keeps the power, 64 in the middle, 0 as 1. Source: General MIDI 2, 3.3.
    @_noLocks private func updateLevel(_ part: Int) {
        let volume = Float(parts[part].value(of: 7)) / 127, expression = Float(parts[part].value(of: 11)) / 127
        let amplitude = volume * volume * expression * expression
        let pan = parts[part].value(of: 10)
        let turns = Double(max(pan, 1) &- 1) / 126 / 4
        levels[part].left = pan <= 1 ? amplitude : pan == 127 ? 0 : amplitude * Float(DeterministicMath.cosine(turns: turns))
        levels[part].right = pan <= 1 ? 0 : pan == 127 ? amplitude : amplitude * Float(DeterministicMath.sine(turns: turns))
    }
}
