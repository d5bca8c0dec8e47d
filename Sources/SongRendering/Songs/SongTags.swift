import AudioFiles
import RealtimeCore
import Sequencer

extension SongNotation {
    /// The texts of the song for an audio file: its title, its copyright and its artist.
    ///
    /// MIDI has no event for an artist: it is the second title of a karaoke header, or a text that says so (`Composer: J. Pachelbel`).
    package var tags: [AudioTags.Name: String] {
        var tags: [AudioTags.Name: String] = [:]
        tags[.title] = title
        tags[.artist] = artist
        tags[.copyright] = texts.first { $0.kind == "copyright" }?.text
        return tags.mapValues(AudioTags.line).filter { !$0.value.isEmpty }
    }

    /// The words before a colon by which a text names the artist, best first.
    private static let roles = ["composer", "artist", "author", "music"]

    /// The artist that a text names; nil where none does.
    static func artist(in texts: [Text]) -> String? {
        let named = texts.filter { $0.kind == "text" }.compactMap { text -> (role: Int, name: String)? in
            let parts = text.text.split(separator: ":", maxSplits: 1)
            guard parts.count == 2, let role = roles.firstIndex(of: AudioTags.line(String(parts[0])).lowercased()) else {
                return nil
            }
            let name = AudioTags.line(String(parts[1]))
            return name.isEmpty ? nil : (role, name)
        }
        return named.min { $0.role < $1.role }?.name
    }
}

extension SongRenderer {
    /// The song's markers as places in the rendered sound: in each round of a repeated loop.
    public var cues: [AudioTags.Cue] {
        let frames = timeline.markers.map {
            (frame: timeline.tempoMap.time(ofTick: $0.tick).rawValue, name: AudioTags.line($0.text))
        }
        let stretches = plan.stretches
        return stretches.indices.flatMap { index -> [AudioTags.Cue] in
            let stretch = stretches[index]
            // A song that is played as a whole also has the markers at its very end.
            let last = plan.isWhole && stretches.count == 1 ? Int64.max : plan.end
            let next = index + 1 < stretches.count ? stretches[index + 1].start.rawValue : last
            return frames.compactMap { marker in
                let frame = stretch.time(of: SampleTime(marker.frame)).rawValue
                let isHeard = marker.frame >= stretch.position && frame >= plan.start && frame < next
                return isHeard ? AudioTags.Cue(frame: frame - plan.start, name: marker.name) : nil
            }
        }
    }
}
