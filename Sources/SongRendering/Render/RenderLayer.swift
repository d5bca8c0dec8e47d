import Reports
import Sequencer

/// A song that lies over the rendered one, in its tempo and in its bars, again and again.
public struct RenderLayer: Hashable, Sendable {
    /// The name that errors give it.
    public var name: String
    /// The song that lies over the other.
    public var song: Song

    /// Creates a layer of this song.
    public init(_ name: String, _ song: Song) { (self.name, self.song) = (name, song) }

    /// Returns layers on MIDI ports of their own, from the second on; through a patch that was given on the first, since its
    /// units hear fixed parts.
    static func placed(_ layers: [RenderLayer], throughPatch: Bool) throws(Fault) -> [SongLayer.Placement] {
        var placements: [SongLayer.Placement] = []
        for (place, layer) in layers.enumerated() {
            guard throughPatch || place < 15 else { throw Fault.tooManyPorts.of(layer: layer.name) }
            do throws(Fault) {
                let port = throughPatch ? 0 : UInt8(place + 1)
                placements.append(SongLayer.Placement(try SongLayer(layer.song, port: port)))
            } catch { throw error.of(layer: layer.name) }
        }
        return placements
    }
}
