import DSP
import MIDI
import RealtimeCore
import UnitAPI

/// A note echo: what is played is played again, softer every time, by the instrument itself.
///
/// It is no `delay`: what comes back are notes, which the instrument plays anew, and which may climb. A repeat ends as long
/// after its beginning as the key was down.
public struct NoteEcho: AudioUnit, ~Copyable {
    public static let descriptor = UnitDescriptor(
        component: ComponentDescription(type: .midiProcessor, subtype: "nech", manufacturer: .carillon), name: "note-echo",
        summary: "What is played is played again, softer every time.", outputs: [.music()], acceptsMusic: true, tail: 64,
        properties: [EffectLink.heldProperty], factoryPresets: factoryPresets)

    public enum Parameter: Int, UnitParameter {
        case repeats, time, sync, tempo, division, decay, transpose

        public var spec: ParameterSpec {
            switch self {
            case .repeats: .number("repeats", 0...16, 3, smoothing: 0, "How often a note comes back.")
            case .time: .time("time", 0.01...4, 0.35, smoothing: 0, "How long a repeat takes to come, where sync is off.")
            case .sync:
                .toggle("sync", default: false, help: "Whether division and tempo say how long a repeat takes, not time.")
            case .tempo:
                .tempo(help: "Quarter notes a minute, where sync is on; the song's while one plays, unless held names it.")
            case .division:
                .choice("division", NoteDivision.names, default: 6, help: "The note that a repeat takes, where sync is on.")
            case .decay:
                .percent(
                    "decay", 10...100, 70, smoothing: 0,
                    "The velocity of a repeat beside the one before; at 100 % all are as loud.")
            case .transpose:
                .semitones(
                    "transpose", -12...12, 0, smoothing: 0,
                    "How far each repeat is above the one before; below 0 below.")
            }
        }
    }

    private struct Echoed: BitwiseCopyable {
        var part = 0, key = 0, repeats = 0, shift = 0
        var delay: Int64 = 0
        @_noLocks init() {}
    }

    private static var capacity: Int { @_noLocks get { 256 } }
    private let sampleRate: Double
    private var keys: KeyMap
    private var late: LateMusic
    private var owned: OwnedMemory
    private let echoed: UnsafeMutablePointer<Echoed>
    private var count = 0

    public init(_ setup: UnitSetup) throws(UnitError) {
        try setup.checkHeldParameters(of: Self.self)
        keys = KeyMap()
        late = LateMusic()
        owned = OwnedMemory()
        sampleRate = setup.sampleRate
        echoed = owned.make(256, of: Echoed())
    }

    // [render]

    @_noLocks public mutating func handle(_ event: MusicEvent, _ outlet: borrowing MusicOutlet) {
        observe(event, outlet)
        guard let press = keys.take(event, outlet) else { return }
        keys.play(press.key, velocity: press.velocity, for: press, outlet)
        if count == Self.capacity { return }
        var echo = Echoed()
        echo.part = press.part
        echo.key = Int(press.key)
        echo.shift = keys.isDrums(press.part) ? 0 : outlet.nearest(Parameter.transpose)
        let division = NoteDivision(outlet.nearest(Parameter.division))
        let seconds =
            outlet[Parameter.sync] > 0.5
            ? division.seconds(tempo: outlet[Parameter.tempo]) : Double(outlet[Parameter.time])
        echo.delay = max(Int64(seconds * sampleRate + 0.5), 1)
        var velocity = Float(press.velocity), key = echo.key
        let repeats = outlet.nearest(Parameter.repeats)
        while echo.repeats < repeats && late.hasRoom {
            velocity *= 0.01 * outlet[Parameter.decay]
            key &+= echo.shift
            if velocity < 0.5 || key < 0 || key > 127 { break }
            echo.repeats &+= 1
            let time = outlet.sampleTime.rawValue &+ Int64(echo.repeats) &* echo.delay
            let loudness = UInt8(min(max(velocity + 0.5, 1), 127))
            late.add(
                .init(
                    at: time, part: press.part, key: UInt8(truncatingIfNeeded: key), velocity: loudness, struck: press.key))
        }
        echoed[count] = echo
        count &+= 1
    }

    /// The release of a key ends its repeats, each at its own time; a message that silences a part cancels the notes to come.
    @_noLocks private mutating func observe(_ event: MusicEvent, _ outlet: borrowing MusicOutlet) {
        switch event {
        case .message(let message):
            let part = message.part & 255
            switch message.status & 0xF0 {
            case 0x80, 0x90: letGo(Int(message.data1 & 127), part: part, outlet)
            case 0xB0 where message.silencesPart: forget(part)
            default: break
            }
        case .reset(_, let port):
            for channel in 0..<16 { forget(Int(port & 15) &* 16 &+ channel) }
        default: break
        }
    }

    @_noLocks private mutating func letGo(_ key: Int, part: Int, _ outlet: borrowing MusicOutlet) {
        var place = 0
        while place < count {
            let echo = echoed[place]
            if echo.key != key || echo.part != part {
                place &+= 1
                continue
            }
            for turn in 0..<echo.repeats {
                let time = outlet.sampleTime.rawValue &+ Int64(turn &+ 1) &* echo.delay
                let sound = UInt8(truncatingIfNeeded: key &+ (turn &+ 1) &* echo.shift)
                late.add(.init(at: time, part: part, key: sound, velocity: 0, struck: UInt8(truncatingIfNeeded: key)))
            }
            remove(place)
        }
    }

    @_noLocks private mutating func forget(_ part: Int) {
        late.remove(part: part)
        var place = 0
        while place < count { if echoed[place].part == part { remove(place) } else { place &+= 1 } }
    }

    @_noLocks private mutating func remove(_ place: Int) {
        count &-= 1
        for next in place..<count { echoed[next] = echoed[next &+ 1] }
    }

    @_noLocks public mutating func render(_ io: borrowing RenderIO) -> RenderStatus {
        let start = io.sampleTime.rawValue, end = start &+ Int64(io.frames)
        while late.nextTime < end {
            let note = late.take(), frame = Int(max(note.time &- start, 0))
            if note.velocity > 0 {
                keys.sounding.begin(note.key, part: note.part, velocity: note.velocity, io.outlet(at: frame))
            } else {
                keys.sounding.end(note.key, part: note.part, velocity: 64, io.outlet(at: frame))
            }
        }
        return late.count > 0 ? .sounding : .silent
    }

    @_noLocks public mutating func reset() {
        keys.reset()
        late.removeAll()
        count = 0
    }
}
