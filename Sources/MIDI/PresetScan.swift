/// The presets and channels that a score really sounds: what to load for it, and what to report.
///
/// Feed it every event of one port in order. A program that is chosen but never played is not among them; in an MPE zone the
/// manager's is played. Control side.
package struct PresetScan: Sendable {
    private var programs = ChannelPrograms()
    private var scan = ZoneScan()
    private var seen: Set<PresetRequest> = []
    /// Channels that play a note, and managers of zones in which one is played; one bit each.
    package private(set) var usedChannels: UInt16 = 0

    /// Creates a scan of nothing yet.
    package init() {}

    /// Takes the next event in.
    package mutating func apply(_ event: MusicEvent) {
        if case .message(let message) = event, message.status & 0xF0 == 0x90, message.data2 > 0 {
            let manager = scan.zones.manager(of: message.channel)
            usedChannels |= 1 << UInt16(message.channel) | 1 << UInt16(manager)
            seen.insert(programs.request(Int(manager)))
        }
        scan.apply(event)
        _ = programs.apply(event)
    }

    /// Returns what this scan or the other has seen; events that follow are read as after those of this one.
    package func merging(_ other: PresetScan) -> PresetScan {
        var both = self
        both.seen.formUnion(other.seen)
        both.usedChannels |= other.usedChannels
        return both
    }

    /// Presets that sound, in order of their code.
    package var requests: [PresetRequest] { seen.sorted() }
}
