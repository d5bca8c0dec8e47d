import UnitAPI

extension Reverb {
    /// Halls by their times and sizes. Mix and level are up to the patch.
    static let factoryPresets = FactoryPreset.list([
        "room": ["decay": 0.5, "size": 75, "pre-delay": 0.002, "damping": 55, "low-cut": 120, "width": 80],
        "chamber": ["decay": 1.1, "size": 90, "pre-delay": 0.008, "damping": 40, "low-cut": 100, "width": 90],
        "concert-hall": ["decay": 2.2, "size": 120, "pre-delay": 0.025, "damping": 45, "low-cut": 80, "width": 100],
        "cathedral": ["decay": 6.5, "size": 170, "pre-delay": 0.045, "damping": 60, "low-cut": 60, "width": 100],
        "plate": ["decay": 1.6, "size": 100, "pre-delay": 0, "damping": 12, "low-cut": 180, "width": 100],
        "tunnel": ["decay": 4, "size": 140, "pre-delay": 0.02, "damping": 80, "low-cut": 60, "width": 40],
        "endless": ["decay": 20, "size": 200, "pre-delay": 0.06, "damping": 30, "low-cut": 150, "width": 100],
    ])
}

extension Delay {
    /// Echoes by their times; mix is up to the patch.
    static let factoryPresets = FactoryPreset.list([
        "slap-back": ["sync": "off", "time": 0.11, "feedback": 8, "high-cut": 4_500, "ping-pong": "off"],
        "tape-echo": ["sync": "off", "time": 0.38, "feedback": 52, "high-cut": 2_800, "low-cut": 180, "ping-pong": "off"],
        "ping-pong": ["sync": "off", "time": 0.3, "feedback": 48, "high-cut": 7_000, "low-cut": 150, "ping-pong": "on"],
        "doubling": ["sync": "off", "time": 0.028, "feedback": 0, "high-cut": 12_000, "ping-pong": "off"],
        "dotted-eighth": ["sync": "on", "division": "dotted-eighth", "feedback": 42, "high-cut": 6_000, "ping-pong": "off"],
        "quarter": ["sync": "on", "division": "quarter", "feedback": 35, "high-cut": 5_000, "ping-pong": "off"],
        "dub": [
            "sync": "on", "division": "dotted-quarter", "feedback": 74, "high-cut": 1_800, "low-cut": 250, "ping-pong": "on",
        ],
    ])
}
