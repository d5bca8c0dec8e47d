import Graph
import Patch
import RealtimeCore
import Units

/// A recorded sound that a session may play over everything else: an announcement, a bell.
public struct SessionSound: Hashable, Sendable {
    /// The name of the sound; letters, digits and hyphens, as units have.
    public var name: String
    /// The file, of any kind that `FilePlayer` plays.
    public var path: String
    /// The level, in decibels, -120...12.
    public var level: Double

    /// A sound.
    public init(name: String, path: String, level: Double = 0) { (self.name, self.path, self.level) = (name, path, level) }

    /// The names of its units in the graph: the player, and what turns it up or down.
    var player: String { "sound-\(name)" }
    var fader: String { "sound-\(name)-level" }

    /// Tells whether a unit of this name is a session's own, for its sounds.
    static func owns(_ unit: PatchUnit) -> Bool {
        unit.name.hasPrefix("sound-") && (unit.component == FilePlayback.descriptor.name || unit.name.hasSuffix("-level"))
    }
}

extension LiveSession {
    /// Makes a sound ready: its file is opened, and it stands in the graph behind everything that songs go through.
    ///
    /// - Throws: `sound` for a file that cannot be played, or a name that a unit has already.
    public func prepare(_ sound: SessionSound) throws(LiveError) {
        let end = engine.graph.output?.node ?? graph.limiter
        var made: FilePlayer?
        do throws(GraphError) {
            try engine.edit { (graph) throws(GraphError) in
                let player = try graph.add(player: sound.path, name: sound.player)
                let gain = MultichannelMixer.Parameter.gain.spec
                let fader = try graph.add(
                    MultichannelMixer.self, name: sound.fader, inputs: 1,
                    startValues: [gain.name: gain.clamped(Float(sound.level))])
                try graph.connect(player.node, to: fader)
                try graph.connect(fader, to: end)
                made = player
            }
        } catch { throw .sound(RenderError(error)) }
        engine.forgetHistory()
        soundPlayers[sound.name] = made
    }

    /// Plays a sound from its beginning, with the next slices; one that plays begins anew.
    ///
    /// - Parameter loops: whether it is played again and again, until it is stopped.
    /// - Throws: `unknownUnit` where no sound of this name was made ready.
    public func play(sound name: String, loops: Bool = false) throws(LiveError) {
        let player = try player(of: name)
        do throws(FilePlayerError) { try player.play(loops: loops) } catch {
            throw .option(name: "sound", value: name, remedy: "\(error)")
        }
    }

    /// Ends a sound; one that does not play stays so.
    public func stop(sound name: String) throws(LiveError) { try player(of: name).stop() }

    /// Tells whether a sound plays, as of the last slice.
    public func isPlaying(sound name: String) -> Bool { soundPlayers[name]?.state == .playing }

    private func player(of name: String) throws(LiveError) -> FilePlayer {
        if let player = soundPlayers[name] { return player }
        throw .unknownUnit("sound-\(name)", known: soundPlayers.keys.map { "sound-\($0)" }.sorted())
    }
}
