import AudioFiles
import Sequencer

extension SongNotation {
    /// The texts of the song for an audio file: its title, its copyright and its artist.
    ///
    /// MIDI has no event for an artist: it is the second title of a karaoke header, or a text that says so (`Composer: J. Pachelbel`).
    public var tags: [AudioTags.Name: String] {
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
    /// The song's markers as places in what is rendered: in each round of a loop that is repeated.
    public var cues: [AudioTags.Cue] {
        let frames = timeline.markers.map {
            (frame: timeline.tempoMap.time(ofTick: $0.tick).rawValue, name: AudioTags.line($0.text))
        }
        guard let loops else { return frames.map { AudioTags.Cue(frame: $0.frame, name: $0.name) } }
        let stretches = loops.stretches
        return stretches.indices.flatMap { index -> [AudioTags.Cue] in
            let stretch = stretches[index], start = stretch.start.rawValue
            let next = index + 1 < stretches.count ? stretches[index + 1].start.rawValue : loops.end
            return frames.filter { $0.frame >= stretch.position && start + $0.frame - stretch.position < next }.map {
                AudioTags.Cue(frame: start + $0.frame - stretch.position, name: $0.name)
            }
        }
    }
}
