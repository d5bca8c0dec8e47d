import Carillon

/// A mirror: high becomes low and low becomes high, around middle C.
struct Mirror: AudioUnit, ~Copyable {
    static let descriptor = UnitDescriptor(
        component: ComponentDescription(type: .midiProcessor, subtype: "mirr", manufacturer: "Outs"),
        name: "mirror", summary: "High becomes low, and low becomes high.", outputs: [.music()], acceptsMusic: true)

    init(_ setup: UnitSetup) {}

    // [render]

    @_noLocks mutating func handle(_ event: MusicEvent, _ outlet: borrowing MusicOutlet) {
        guard case .message(var message) = event, message.status & 0xE0 == 0x80 else { return outlet.send(event) }
        message.data1 = min(120 &- min(message.data1, 120), 127)
        outlet.send(.message(message))
    }

    @_noLocks mutating func render(_ io: borrowing RenderIO) -> RenderStatus { .silent }

    @_noLocks mutating func reset() {}
}
