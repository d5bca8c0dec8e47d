/// An installation that explains itself: what a person changes into his own.
public enum InstallationExample {
    /// The text of the file.
    public static let text = """
        # An installation: what plays, and when, with nobody present. `carillon serve museum.yaml` runs it,
        # `carillon serve museum.yaml --check` looks at it, `--simulate 2026-12-01 2027-01-01` says what would play.
        version: 1

        # The sound: a patch file (carillon patch new), or SoundFonts; without either what `carillon play` sounds like.
        # patch: tower.yaml
        # soundfonts: [GeneralUser.sf2]
        # gain: 6 dB

        # The sound card, best first; left out: the system's. `carillon devices` lists them.
        # device: ["hw:USB,0", default]
        # Another one to capture from, for a patch with the unit input; left out: the one that plays.
        # input-device: "hw:Mic,0"
        # The loudspeakers that the card is opened for; left out: two. A house plays stereo, so of more the front ones sound.
        # layout: "5.1"

        # The page for browsers and phones: a port of this machine, or 0.0.0.0:8642 for all, which then needs a file of tokens.
        # http: 8642
        # OSC over UDP, for light desks and show control: written alike.
        # osc: 9000
        # token-file: tokens

        # The clock on the wall; left out: the machine's.
        # time-zone: Europe/Berlin

        # How long the music takes to come and go with the calendar.
        fade: 4 s

        playlists:
          day:
            order: shuffle           # or in-order; the same seed is the same order
            seed: 7
            pause: 5 s               # silence before each song; 0 s: without a gap
            songs:
              - songs                # a folder: every song in it; a .m3u list and a song's file are good too
              - {song: songs/pachelbel-canon.mid, weight: 2}
          evening:
            songs:
              # Twice its loop (its loop points, or all of it), softer, then out while it goes on.
              - {song: songs/gymnopedie-1.mid, loops: 2, fade: 10 s, level: -6 dB}
              - {song: songs/auld-lang-syne.mid, tempo: 90%, transpose: -2, then: day}

        # What plays when somebody asks for it: a time of day, a key or a foot switch of a MIDI keyboard (buttons: any), a file
        # of that name dropped into a folder (drop: inbox), or the end of another cue. A sound lies over the music, a song
        # takes its place, and the music goes on where it was.
        # buttons: any
        # drop: inbox
        # Layers are songs that lie over others, in their tempo, from bar to bar: with a song (layers: [beat]), or by a cue.
        layers:
          beat: {song: songs/drum-groove.mid, level: -10 dB}
        cues:
          beat: {layer: beat, mode: toggle}
          anthem: {song: songs/auld-lang-syne.mid, at: "11:00", cool-down: 1m, priority: 1}
          # bell: {sound: bell.wav, level: -6 dB, duck: -12 dB, at: ["12:00", "15:00"], key: C2}

        # Each entry holds on its days and dates, from one time to another, also over midnight. A later one has the last
        # word, so exceptions stand below what is usual; where none plays anything the house is closed and the card free.
        calendar:
          weekdays: {days: mon-fri, from: 9:00, to: 18:00, playlist: day}
          weekend: {days: [sat, sun], from: 10:00, to: 20:00, playlist: day}
          evening: {days: fri, from: 18:00, to: 22:00, playlist: evening}
          noon: {from: 12:00, to: 12:30, level: -12 dB}
          guided tour: {days: wed, from: 15:00, to: 15:20, paused: yes}
          christmas: {dates: [12-24..12-26, 01-01], closed: yes}
        """
}
