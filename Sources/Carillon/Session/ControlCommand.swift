/// What a surface can ask of a running session: the terminal, and whatever comes beside it, speak this and nothing else.
public enum ControlCommand: Sendable, Hashable {
    // MARK: The song
    /// Plays on from where the song stands.
    case play
    /// Releases the song's notes and stays where it is.
    case pause
    /// `play` when it is paused or stopped, else `pause`.
    case togglePlay
    /// Releases the song's notes and goes to its beginning.
    case stop
    /// The next song of the list.
    case next
    /// The song before, or the beginning of this one when more than three seconds of it have been played.
    case previous
    /// Goes there, with programs, controllers and all else as if the song had been played up to there.
    case seek(SongPosition)
    /// Tempo as a factor of the song's own, 0.1...10.
    case tempo(Double)
    /// Semitones, -48...48; drums stay.
    case transpose(Int)
    /// Whether the list begins anew at its end; a single song without a gap.
    case loop(Bool)

    /// Lets a layer of the session lie over the songs, or ends it; on the next bar.
    case layer(String, Bool)

    // MARK: The sound
    /// Mutes a channel, or lets it be heard again; channels count from 1, those of the second port from 17.
    case mute(channel: Int, Bool)
    /// Lets only the channels that are soloed be heard.
    case solo(channel: Int, Bool)
    /// Ends notes that hang.
    case panic(PanicScope)
    /// Sets a parameter, as text such as `reverb.decay=2.5s`.
    case set(String)
    /// Sets a unit by one of its presets, or by one that the person keeps (`$XDG_CONFIG_HOME/carillon/presets`).
    case preset(unit: String, name: String)
    /// Volume of all that sounds in decibels, -120...40: that of the mixer.
    case volume(Double)
    /// Volume of the sound card itself, behind all that sounds: every program's, and it stays.
    case hardwareVolume(HardwareVolumeChange)

    // MARK: The player
    /// Gives a channel a sound, as a program change from a keyboard would; it lasts until the next one. Bank 0...127, or 128
    /// for drum kits; program 0...127.
    case program(channel: Int, bank: Int, program: Int)
    /// Semitones by which all that keyboards play is moved, -48...48; drums stay. What sounds ends by its own key.
    case transposeKeys(Int)
    /// Plays a note as a keyboard would, for so many seconds; nil: until the next such note on the channel, or
    /// `releaseNotes`. Key 0...127, 60 is middle C; velocity
    /// 1...127.
    case note(channel: Int, key: Int, velocity: Int, seconds: Double?)
    /// Presses a key as a finger does: it sounds until `liftKey`, whatever else is played; for surfaces that know when a key
    /// goes up. Pressed again it is struck anew.
    case pressKey(channel: Int, key: Int, velocity: Int)
    /// Lifts a key that was pressed.
    case liftKey(channel: Int, key: Int)
    /// Ends the notes that `note` and `pressKey` have begun.
    case releaseNotes
    /// Lets a metronome click, or be quiet; it begins with the first beat of a bar. Quarter notes a minute, 20...400; nil:
    /// as it was, at first 120.
    case metronome(Bool, tempo: Double?)

    /// Calls a scene of the patch: its values, and the zones that are heard.
    case scene(SceneChoice)
    /// The next control that a keyboard moves, a knob or a wheel, moves this parameter from then on (`reverb.decay`), and no
    /// other does; nil: waits for none any more.
    case learn(String?)
    /// No control moves this parameter any more.
    case forget(String)
    // MARK: The set list
    /// Goes to another patch of the set list, as soon as it is ready: new keys play it, what sounds rings on.
    case patch(PatchPlace)

    // MARK: The installation
    /// Asks for a cue of an installation, by its name.
    case cue(String)
    /// Lets go of a cue that is held.
    case releaseCue(String)

    // MARK: The session
    /// Writes the patch as it is played into its file, or into this one, or into one with a name by the calendar: values that
    /// were moved, sounds that were chosen, controllers that were learned; a file's comments and order stay.
    case savePatch(path: String?)
    /// Writes how a unit is set now as a preset of the person's own, for `preset` in this and other sessions; `replaces`: in
    /// the place of one that is called so.
    case savePreset(unit: String, name: String, replaces: Bool = false)
    /// Writes what was played in the last minutes as a .mid and as a journal beside it; nil chooses a name by the
    /// calendar in the current folder.
    case saveRecording(path: String?)
    /// Ends the session: notes are released, files and devices closed.
    case quit
}

/// A place in a song to go to.
public enum SongPosition: Sendable, Hashable {
    /// So many seconds after the beginning, at the song's own tempo.
    case seconds(Double)
    /// So many seconds from here; negative goes back.
    case bySeconds(Double)
    /// The beginning of a bar; the first is 1.
    case bar(Int)
    /// So many bars from here; 0 is the beginning of this one.
    case byBars(Int)
    /// So many markers from here; negative goes back.
    case byMarkers(Int)
}

/// Which scene is called.
public enum SceneChoice: Sendable, Hashable {
    case named(String)
    /// The one after that which was called last, or before it, round the list's end.
    case next, previous

    /// What a person calls it.
    public var name: String {
        switch self {
        case .named(let name): name
        case .next: "the next one"
        case .previous: "the one before"
        }
    }
}

/// How much a panic ends.
public enum PanicScope: Sendable, Hashable {
    /// What one MIDI source holds, by its name.
    case source(String)
    /// Everything that one unit of the graph sounds, by its name there.
    case unit(String)
    /// Everything that sounds on a channel, counted from 1.
    case channel(Int)
    /// Everything.
    case all
}
