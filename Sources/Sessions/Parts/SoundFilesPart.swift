import EngineCore
import Graphs
import SongRendering
import Units

/// Recorded sounds that are played over everything else.
package final class SoundFilesPart: LonePart {
    private let core: SessionCore
    private var players: [String: FilePlayer] = [:]

    package init(_ core: SessionCore) { self.core = core }

    package func prepare(_ sound: SessionSound) throws(Fault) {
        let end = core.engine.graph.output?.node ?? core.graph.limiter
        var made: FilePlayer?
        do throws(Fault) {
            try core.engine.edit { (graph) throws(Fault) in
                let player = try graph.add(player: sound.path, name: sound.player)
                let gain = MultichannelMixer.Parameter.gain.spec
                let fader = try graph.add(
                    MultichannelMixer.self, name: sound.fader, inputs: 1,
                    startValues: [gain.name: gain.clamped(Float(sound.level))])
                try graph.connect(player.node, to: fader)
                try graph.connect(fader, to: end)
                graph.give([player.node, fader], to: .sound)
                made = player
            }
        } catch { throw .rendering(error) }
        core.engine.forgetHistory()
        players[sound.name] = made
    }

    package func play(_ name: String, loops: Bool) throws(Fault) {
        let player = try player(of: name)
        do throws(Fault) { try player.play(loops: loops) } catch {
            throw .option(name: "sound", value: name, remedy: "\(error)")
        }
    }

    package func stop(_ name: String) throws(Fault) { try player(of: name).stop() }

    package func isPlaying(_ name: String) -> Bool { players[name]?.state == .playing }

    private func player(of name: String) throws(Fault) -> FilePlayer {
        if let player = players[name] { return player }
        throw .unknownUnit(ReservedNames.sound(name), known: players.keys.map(ReservedNames.sound).sorted())
    }
}

extension Session {
    /// Makes a sound ready: its file is opened, and its player is added to the graph after all units that songs go through.
    ///
    /// - Throws: `sound` for a file that cannot be played, or a name that a unit has already.
    package func prepare(_ sound: SessionSound) throws(Fault) { try part(SoundFilesPart.self).prepare(sound) }

    /// Plays a sound from its beginning, with the next slices; a sound that plays begins anew.
    ///
    /// - Parameter loops: whether it is played again and again, until it is stopped.
    /// - Throws: `unknownUnit` if no sound of this name was made ready.
    public func play(sound name: String, loops: Bool = false) throws(Fault) {
        try part(SoundFilesPart.self).play(name, loops: loops)
    }

    /// Ends a sound; no effect if it does not play.
    public func stop(sound name: String) throws(Fault) { try part(SoundFilesPart.self).stop(name) }

    /// Returns whether a sound plays, as of the last slice.
    public func isPlaying(sound name: String) -> Bool { self[SoundFilesPart.self]?.isPlaying(name) ?? false }
}
