import MIDI

/// The ports of the engine that a patch of a set list is played on: the patch's first port may be the engine's fifth.
///
/// While one patch takes over from another both are played, one by new keys and one by those that are still down; each has
/// ports of its own, so that nothing that was sent can reach the wrong one, whenever it is rendered.
package struct PartPorts: Sendable, Hashable {
    /// The engine's port for each port of the patch; nil means the port is not played.
    private let granted: [UInt8?]
    /// True if keyboards of ports that the patch does not know play its first one.
    private let takesAll: Bool

    /// Every port is itself.
    package static let same = PartPorts((0..<16).map { UInt8($0) }, of: Array(0..<16), takesAll: false)

    /// - Parameters:
    ///   - granted: ports of the engine.
    ///   - own: the patch's ports that are played there, as many.
    package init(_ granted: [UInt8], of own: [Int], takesAll: Bool) {
        var table = [UInt8?](repeating: nil, count: 16)
        for (port, place) in zip(granted, own) where table.indices.contains(place) { table[place] = port }
        self.granted = table
        self.takesAll = takesAll
    }

    /// The engine's port; nil if no unit hears it.
    private func engine(port: UInt8) -> UInt8? { granted[Int(port & 15)] ?? (takesAll ? granted[0] : nil) }

    /// The engine's part for a part of the patch; nil if no unit hears it.
    package func engine(part: Int) -> Int? { granted[part >> 4 & 15].map { Int($0) << 4 | part & 15 } }

    /// The patch's part for a part of the engine; nil for another patch's.
    package func patch(part: Int) -> Int? {
        granted.firstIndex { $0.map(Int.init) == part >> 4 & 15 }.map { $0 << 4 | part & 15 }
    }

    /// Moves an event for the patch to the engine's ports; nil if no unit hears it.
    package func event(_ event: MusicEvent) -> MusicEvent? {
        // Events that play out have ports that no patch has.
        if event.isOutside { return event }
        guard let port = engine(port: event.port) else { return nil }
        return event.moved(toPort: port)
    }
}
