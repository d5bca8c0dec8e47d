import Carillon

/// The file that each of several songs becomes, decided before anything is rendered.
struct RenderPlanning {
    private(set) var targets: [Result<(song: String, target: RenderOutput), RenderFailure>] = []

    /// Throws what is wrong with the call and not with a song: options that no song could be rendered with, and two songs
    /// that would become one file.
    init(_ list: SongList, _ choice: OutputChoice, sampleRate: Int) throws(Fault) {
        let songs = list.songs.compactMap { if case .success(let song) = $0 { song } else { nil } }
        let inputs = Set(songs.compactMap(FileKind.init))
        // By name, and by what the name leads to.
        var names: [String: String] = [:], files: [FileKind: String] = [:]
        for entry in list.songs {
            let song: String
            switch entry {
            case .success(let name): song = name
            case .failure(let failure):
                targets.append(.failure(failure))
                continue
            }
            if Journal.isJournal(path: song) {
                let reason = "\(song): is a journal; render it alone, it says itself what plays it"
                targets.append(.failure(RenderFailure(song: song, reason: reason, exitCode: 64)))
                continue
            }
            do throws(Fault) {
                let target = try RenderOutput(of: song, choice, sampleRate: sampleRate, others: inputs)
                let kind = FileKind(target.path)
                if let other = names[target.path] ?? kind.flatMap({ files[$0] }) {
                    throw Fault.option(
                        name: "output-dir", value: target.path,
                        remedy: other == song
                            ? "\(song) is given twice; name it once"
                            : "\(other) and \(song) would both become this file; render them in two calls")
                }
                names[target.path] = song
                if let kind { files[kind] = song }
                try target.requireFree()
                targets.append(.success((song, target)))
            } catch  where error.exitCode == 64 {
                throw error
            } catch {
                targets.append(.failure(RenderFailure(song, error, existing: choice.existing)))
            }
        }
    }
}
