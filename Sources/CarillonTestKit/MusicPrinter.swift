import MIDI
import RealtimeCore
import UnitAPI

/// A unit that makes the music of others visible as samples: on its frame each event becomes one that identifies it and its
/// turn. So the laws of sound can be checked for MIDI units too.
///
/// As an instrument would, it takes no notice of the end of a key that is not down.
struct MusicPrinter: AudioUnit, ~Copyable {
    static let descriptor = UnitDescriptor(
        component: ComponentDescription(type: .instrument, subtype: "mprt", manufacturer: .carillon),
        name: "music-printer", summary: "Writes each event down as a sample.", outputs: [.init("main", channels: 1)],
        acceptsMusic: true)

    private var owned = OwnedMemory()
    private let down: UnsafeMutablePointer<KeySet>
    private var sample: Float = 0
    /// Events of this frame so far.
    private var turn: Float = 0

    init(_ setup: UnitSetup) {
        down = owned.make(256, of: KeySet())
    }

    // [render]

    @_noLocks mutating func handle(_ event: MusicEvent) {
        guard case .message(let message) = event else { return print(0x9E37_79B9) }
        let part = message.part & 255, key = message.data1 & 127
        switch message.status & 0xF0 {
        case 0x90 where message.data2 > 0: down[part].set(key, true)
        case 0x80, 0x90:
            if !down[part].contains(key) { return }
            down[part].set(key, false)
        default: break
        }
        print(
            UInt32(message.status) &<< 24 | UInt32(message.data1) &<< 16 | UInt32(message.data2) &<< 8 | UInt32(message.port))
    }

    @_noLocks private mutating func print(_ word: UInt32) {
        // Any two differ: an odd factor and a shift lose nothing.
        let mixed = (word &* 0x9E37_79B1) ^ ((word &* 0x9E37_79B1) &>> 15)
        turn += 1
        sample += (Float(mixed &>> 8) / 16_777_216 + 0.01) / turn
    }

    @_noLocks mutating func render(_ io: borrowing RenderIO) -> RenderStatus {
        if turn == 0 { return .silent }
        let out = io.output(0, 0).base
        out.update(repeating: 0, count: io.frames)
        out[0] = sample
        sample = 0
        turn = 0
        return .sounding
    }

    @_noLocks mutating func reset() {
        down.update(repeating: KeySet(), count: 256)
        sample = 0
        turn = 0
    }
}
