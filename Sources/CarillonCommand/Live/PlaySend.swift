import ALSA
import ArgumentParser
import Carillon

/// `--send 10=UM-ONE`: channels, and the port that plays them.
enum PlaySend {
    static func read(_ text: String) throws -> SongSend {
        var parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        // As the file of an installation has it.
        if parts.count == 2, SongSend.channels(parts[0]) == nil, SongSend.channels(parts[1]) != nil { parts.swapAt(0, 1) }
        guard parts.count == 2, !parts[1].isEmpty else {
            throw ValidationError("give channels and a port, like 10=UM-ONE or 1-4,10=UM-ONE")
        }
        guard let channels = SongSend.channels(parts[0]) else {
            throw ValidationError("\"\(parts[0])\": give channels from 1 to 256, like 10 or 1-4,10")
        }
        do { _ = try ConnectionRule(parts[1]) } catch { throw ValidationError("\(error)") }
        if parts[1].lowercased() == "any" { throw ValidationError("name a MIDI port; carillon devices lists them") }
        return SongSend(channels, to: parts[1])
    }
}
