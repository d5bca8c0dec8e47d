import DSP
import Reports
import Sequencer
import SongRendering

/// A song that can lie over those of a session's list: a beat that comes in on a bar, a loop over a loop.
///
/// It follows the tempo and the bars of the song that plays, and goes on from song to song until it is ended by a command or
/// has been played the number of times that it names (`SongLayer`).
public struct SessionLayer: Sendable {
    /// The name that commands and surfaces call it by.
    public var name: String
    /// The song that it plays.
    public var song: SessionSong
    /// Decibels, -120...0; only on a port of its own.
    public var level = 0.0
    /// The MIDI port that it plays on, 1...16; nil means one of its own. On port 1 it shares channels with the song.
    public var port: Int?
    /// The number of times that its loop is played; nil means until it is ended.
    public var rounds: Int?

    /// True if a session starts without it where it cannot be read; asked for, it says why.
    public var isOptional = false

    /// Creates a layer that is played again and again.
    public init(_ name: String, _ song: SessionSong) { (self.name, self.song) = (name, song) }

    /// Reads it, and finds out whether it can lie over songs. - Throws: as a session does that is started with it.
    public func check(sampleRate: Int) throws(Fault) {
        var demand = SongDemand()
        _ = try ReadyLayer(self, port: port ?? 2, sampleRate: sampleRate, demand: &demand)
    }

    /// The state of a layer, as surfaces show it.
    public enum State: String, Sendable, Hashable, CaseIterable {
        case off
        /// The layer begins with the next bar.
        case coming
        case on
        /// The layer ends with this bar.
        case going
    }
}

struct ReadyLayer {
    let name: String
    let layer: SongLayer

    /// - Throws: `SongError`, `sound`, `layer`, `option`. `demand` gets the layer's demands on the graph.
    init(_ wanted: SessionLayer, port own: Int, sampleRate: Int, demand: inout SongDemand) throws(Fault) {
        let port = wanted.port ?? own
        guard (1...16).contains(port) else {
            throw .option(name: "port of layer \(wanted.name)", value: "\(port)", remedy: "choose from 1 to 16")
        }
        guard wanted.level <= 0, wanted.level >= -120, port > 1 || wanted.level == 0 else {
            let remedy =
                port > 1
                ? "choose from -120 to 0 dB" : "a layer on port 1 is as loud as the song; give it another port"
            throw .option(name: "level of layer \(wanted.name)", value: "\(wanted.level) dB", remedy: remedy)
        }
        var listed = wanted.song
        // It is played by the instruments of the song below it.
        listed.playsBank = false
        let song = try listed.read().song
        name = wanted.name
        do throws(Fault) {
            layer = try SongLayer(
                song, port: UInt8(port - 1), rounds: wanted.rounds, level: Decibels.amplitude(Float(wanted.level)))
        } catch { throw error.of(layer: wanted.name) }
        // The layer needs this of the graph over every song.
        demand.add(layer: try layer.alone(sampleRate: sampleRate))
    }
}
