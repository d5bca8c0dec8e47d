import Carillon
import Glibc
import Reports

/// A check of everything in an installation that can be wrong before it plays: `--check` prints it, and it decides whether
/// another file is taken over. A value; it may be made on any thread, plays nothing and holds no device.
public struct InstallationTrial: Sendable {
    /// The answer to the question whether a device of that name is there now, even if another program holds it. Any thread.
    public typealias DeviceQuestion = @Sendable (_ name: String, _ captures: Bool) -> Bool

    /// The answer to the question whether others could reach it on the ways that a file names.
    public enum NetworkAnswer: Sendable, Hashable {
        case well
        /// Good to know, and no reason not to run it.
        case remark(String)
        /// A reason why it does not begin.
        case fault(String)
    }
    /// The check of the network settings by the program that uses them; called if the file alone shows no fault. Any thread.
    public typealias NetworkQuestion = @Sendable (Installation.Network) -> NetworkAnswer

    /// The file that was looked at.
    public let installation: Installation
    /// All messages, in order: faults that refuse the file, and other remarks.
    public private(set) var sentences: [String] = []
    /// The reason why no session can be made from it; nil if one can.
    public private(set) var soundFault: Fault?
    /// The number of songs that can be played, and of those that cannot.
    public private(set) var songs = 0, badSongs = 0
    /// The number of cues, layers, devices and settings that are invalid.
    public private(set) var faults = 0
    /// The playlists with the songs that are there now.
    let playlists: [InstallationPlaylist]
    /// nil if no session can be.
    private(set) var options: LiveOptions?

    /// Checks everything: reads songs, sounds and SoundFonts, and builds a session that no device plays. It takes seconds if
    /// there are many songs.
    /// `isThere` is asked about the devices that the file names, `network` about the network; nil means these are not looked
    /// at.
    public init(_ installation: Installation, isThere: DeviceQuestion? = nil, network: NetworkQuestion? = nil) {
        self.installation = installation
        (playlists, sentences) = installation.playlists()
        do throws(Fault) { try trySound() } catch { soundFault = error }
        look(at: installation.network, network)
        if let isThere { look(for: installation.device, isThere) }
        trySongs()
        sentences += installation.advice.map { "\(installation.path): \($0)" }
        for list in playlists where list.songs.isEmpty {
            sentences.append("\(installation.path): \(list.name): has no song; nothing is heard while it plays")
        }
    }

    /// True if the file cannot be run unchanged.
    public var isRefused: Bool {
        soundFault != nil || badSongs + faults > 0 || songs == 0 || playlists.contains { $0.songs.isEmpty }
    }

    /// The last word on a file without a song that can be played; nil if one can.
    public var silence: String? { songs == 0 ? "\(installation.path): no song of it can be played" : nil }

    /// The number of its playlists.
    public var playlistCount: Int { playlists.count }

    /// Builds the session of an installation without a device, and collects its faults.
    ///
    /// - Throws: the faults of patch, SoundFonts and settings.
    public static func session(of installation: Installation) throws(Fault) -> Session {
        try session(try LiveOptions(installation))
    }

    private static func session(_ given: LiveOptions) throws(Fault) -> Session {
        var options = given
        options.device.names = ["null"]
        return try Session(options, on: SimulatedPort())
    }

    private mutating func trySound() throws(Fault) {
        let options = try LiveOptions(installation), session = try Self.session(options)
        self.options = options
        sentences += session.takeRemarks().map { "\(installation.path): \($0)" }
        refuse(installation.faultsOfCues(in: session))
    }

    private mutating func refuse(_ texts: [String]) {
        sentences += texts
        faults += texts.count
    }

    /// First in the file, then with `ask`.
    private mutating func look(at network: Installation.Network, _ ask: NetworkQuestion?) {
        let found = installation.faultsOfNetwork { path in
            var status = stat()
            return stat(path, &status) == 0 ? status.st_mode & 0o777 : nil
        }
        refuse(found.map { "\(installation.path): \($0)" })
        switch found.isEmpty ? ask?(network) : nil {
        case .well?, nil: break
        case .remark(let text)?: sentences.append("\(installation.path): \(text)")
        case .fault(let text)?: refuse(["\(installation.path): \(text)"])
        }
    }

    /// One of the devices that can play is to be there. The system's own comes and goes with the machine.
    private mutating func look(for device: LiveOptions.Device, _ isThere: DeviceQuestion) {
        func isMissing(_ name: String, captures: Bool) -> Bool {
            !["null", "default"].contains(name) && !isThere(name, captures)
        }
        func deviceSentence(_ key: String, _ name: String, _ end: String) -> String {
            "\(installation.path): \(key): \(name) is not there; \(end)"
        }
        let missing = device.names.filter { isMissing($0, captures: false) }
        if missing.count == device.names.count {
            let remedy = "connect it, or name another: carillon devices lists them, and null plays on none"
            refuse(missing.map { deviceSentence("device", $0, remedy) })
        } else if !missing.isEmpty {
            let isSilent = !device.names.contains("null") && !device.names.contains { isThere($0, false) }
            let end =
                isSilent
                ? "no device of the list is, and nothing is heard until one is" : "until it is, another of the list plays"
            sentences += missing.map { deviceSentence("device", $0, end) }
        }
        if let input = device.input, !device.names.contains(input), isMissing(input, captures: true) {
            sentences.append(deviceSentence("input-device", input, "until it is, nothing is captured"))
        }
    }

    private mutating func trySongs() {
        var read: Set<String> = []
        for list in playlists {
            for song in list.songs where read.insert(song.path).inserted {
                // A missing file has been reported with its line.
                if song.missing != nil {
                    badSongs += 1
                    continue
                }
                let listed = SongFeed.song(song)
                do throws(Fault) { _ = try listed.length(sampleRate: installation.sampleRate) } catch {
                    badSongs += 1
                    sentences.append("\(list.name): \(error)")
                }
            }
        }
        songs = read.count - badSongs
    }
}
