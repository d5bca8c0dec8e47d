import UnitAPI

extension Arpeggiator {
    /// Tempo, start and hold are up to the player.
    static let factoryPresets = FactoryPreset.list([
        "climbing": ["mode": "up", "octaves": 3, "division": "sixteenth", "gate": 60],
        "rolling": ["mode": "up-down", "octaves": 2, "division": "sixteenth", "gate": 85],
        "gated-chords": ["mode": "chord", "octaves": 1, "division": "eighth", "gate": 30],
        "dance-bass": ["mode": "as-played", "octaves": 2, "division": "eighth", "gate": 55],
        "swinging": ["mode": "as-played", "octaves": 1, "division": "sixteenth", "gate": 70, "swing": 64],
        "sparkle": ["mode": "random", "octaves": 4, "division": "thirty-second", "gate": 40],
    ])
}

extension NoteEcho {
    /// Tempo is up to the player.
    static let factoryPresets = FactoryPreset.list([
        "canyon": ["sync": "off", "time": 0.6, "repeats": 5, "decay": 65, "transpose": 0],
        "stutter": ["sync": "on", "division": "sixteenth", "repeats": 4, "decay": 85, "transpose": 0],
        "octave-ladder": ["sync": "on", "division": "eighth", "repeats": 3, "decay": 75, "transpose": 12],
        "fifths": ["sync": "on", "division": "dotted-eighth", "repeats": 4, "decay": 70, "transpose": 7],
        "falling": ["sync": "on", "division": "sixteenth", "repeats": 8, "decay": 88, "transpose": -2],
    ])
}
