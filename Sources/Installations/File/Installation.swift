import Carillon
import Document
import Patches

/// The content of an installation's file: which sound, which songs, when, on which device. A value.
public struct Installation: Sendable {
    /// The sound that songs are played through: a patch file, or a General MIDI instrument.
    public struct Sound: Hashable, Sendable {
        /// The patch file; nil means every song's channels have their strips, as `play` has them.
        public var patch: String?
        /// SoundFonts in the order of search; none: those of the search.
        public var soundFonts: [String] = []
        /// Decibels on top of the mixer's volume; nil means those of a session (`LiveOptions.usualGain`).
        public var gain: Float?
        /// The loudness that songs are brought to; nil means -16 LUFS, or none if a gain is set.
        public var loudness: Loudness?
        /// `unit.parameter=value` settings.
        public var settings: [String] = []
        /// Where round robin, random and alternate regions of SFZ begin: as `LiveOptions.seed`.
        public var seed = LiveOptions().seed
    }

    /// A loudness of songs.
    public enum Loudness: Hashable, Sendable {
        /// Songs play as they are.
        case off
        /// LUFS, integrated.
        case level(Float)
    }

    /// The ways on which others steer and watch it.
    public struct Network: Hashable, Sendable {
        /// The control socket's path; nil means none is requested.
        public var control: String?
        /// Addresses of the page: a port, or an address with a port.
        public var http: [String] = []
        /// Where OSC is taken, written alike; nil means nowhere.
        public var osc: String?
        /// The file of the tokens that give access.
        public var tokenFile: String?
        /// Origins of pages that may send requests, besides its own.
        public var origins: [String] = []
        /// Addresses of proxies that are trusted to name the source of a request.
        public var proxies: [String] = []
    }

    /// Songs that a playlist names: a file, a folder, a list in M3U.
    public struct Source: Hashable, Sendable {
        public var path: String
        public var manner = SongManner()
        public var weight = 1
        public var then = InstallationSong.Successor.next
        /// The line in the file.
        public var line = 0
    }

    /// A playlist with what it names.
    public struct List: Hashable, Sendable {
        public var playlist: InstallationPlaylist
        /// The manner of its songs, unless they have their own.
        public var manner = SongManner()
        public var sources: [Source]
    }

    /// The sound that songs are played through, and the device on which they play.
    public var sound = Sound()
    /// The sound card; by default it is opened for two loudspeakers, since installations play stereo.
    public var device = LiveOptions.Device(period: 2048)
    /// Frames per second.
    public var sampleRate = LiveOptions().sampleRate
    /// The place in the file that names the device to capture from, with the fault there if no unit of the patch gets it.
    var unheardInput: PatchFileError?
    /// The ways on which others steer and watch it.
    public var network = Network()
    /// The time zone of the calendar; nil means the machine's.
    public var timeZone: String?
    /// The folder for the state; nil means systemd's, else `carillon-NAME` beside the file.
    public var stateFolder: String?
    /// Seconds in which the music comes and goes with the calendar.
    public var fade = Double(InstallationSetting.fade.spec.initial)
    /// Seconds between two saves of the position.
    public var savingInterval = Double(InstallationSetting.saving.spec.initial)
    /// The playlists in the order of the file.
    public var lists: [List] = []
    /// The calendar, which decides what applies when; without entries the first playlist always plays.
    public var calendar: [CalendarEntry] = []
    /// The cues, played when they are requested.
    public var cues: [Cue] = []
    /// The layers that can play over songs.
    public var layers: [InstallationLayer] = []
    /// MIDI ports that get MIDI clock.
    public var clock: [String] = []
    /// Channels of songs that something outside plays.
    public var sends: [SongSend] = []
    /// The MIDI sources that request cues: `any`, or parts of names; if empty, no keyboard is heard.
    public var buttons: [String] = []
    /// The MIDI port whose clock the songs follow: a part of its name, or an identity; nil means none.
    public var master: String?
    /// The folder into which files are dropped that ask for cues; nil means none.
    public var dropFolder: String?
    /// The file's path.
    public let path: String

    init(of path: String) { self.path = path }

    /// Returns the calendar as it is asked.
    public func calendar(in zone: WallZone) -> InstallationCalendar {
        if !calendar.isEmpty { return InstallationCalendar(calendar, in: zone) }
        var always = CalendarEntry("always")
        always.effect = lists.first.map { .playlist($0.playlist.name) }
        return InstallationCalendar([always], in: zone)
    }

    /// Returns the playlists with the songs that are there now, and what was left out, as sentences.
    public func playlists() -> (lists: [InstallationPlaylist], remarks: [String]) {
        var playlists: [InstallationPlaylist] = [], remarks: [String] = []
        for list in lists {
            var playlist = list.playlist
            for source in list.sources {
                let (songs, faults) = source.songs(in: names)
                playlist.songs += songs
                remarks += faults.map { "\(path):\(source.line): \($0)" }
            }
            playlists.append(playlist)
        }
        return (playlists, remarks)
    }

    /// The folder of the file, with its slash; empty for one in the current folder.
    public var folder: String { names.path }
    /// The folder in which names begin.
    var names: FileFolder { FileFolder(of: path) }

    /// The name of the installation: the file's name without its ending.
    public var name: String {
        let file = path.split(separator: "/").last.map(String.init) ?? path
        return file.lastIndex(of: ".").map { $0 == file.startIndex ? file : String(file[..<$0]) } ?? file
    }
}
