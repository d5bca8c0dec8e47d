/// The patterns that the drum machine brings along. They are ours: the plainest form of what every drummer plays.
enum DrumPatterns {
    /// A pattern by name, and the least that it swings: the place of the second of two steps, as a part of both.
    static let all: [(name: String, swing: Double, text: String)] = [
        (
            "rock", 0.5,
            """
            kick:       X... .... x.x. ....
            snare:      .... X... .... X...
            closed-hat: X.x. X.x. X.x. X.x.
            """
        ),
        (
            "four-on-the-floor", 0.5,
            """
            kick:       X... X... X... X...
            clap:       .... x... .... x...
            closed-hat: x.x. x.x. x.x. x.xx
            open-hat:   ..x. ..x. ..x. ..x.
            """
        ),
        (
            "bossa-nova", 0.5,
            """
            kick:       X..x x..x X..x x..x
            rim:        x..x ..x. ...x ..x.
            closed-hat: x.x. x.x. x.x. x.x.
            shaker:     xxxx xxxx xxxx xxxx
            """
        ),
        (
            "shuffle", 2.0 / 3,
            """
            kick:       X... .... X..x ....
            snare:      .... X... .... X...
            closed-hat: x.xx x.xx x.xx x.xx
            """
        ),
        (
            "funk", 0.5,
            """
            kick:       X.x. ..x. ..x. .x..
            snare:      .... X..x .x.. X..x
            closed-hat: Xxxx Xxxx Xx.x Xxxx
            open-hat:   .... .... ..x. ....
            """
        ),
        (
            "half-time", 0.5,
            """
            kick:       X... ...x ..x. ....
            snare:      .... .... X... ....
            closed-hat: x.x. x.x. x.x. xxxx
            """
        ),
        (
            "electro", 0.5,
            """
            kick:       X... ..x. ..x. ....
            snare:      .... X... .... X...
            closed-hat: x.x. x.x. x.x. x.x.
            cowbell:    x..x ..x. x..x ..x.
            clap:       .... x... .... x..x
            """
        ),
        (
            "samba", 0.5,
            """
            low-kick:   x..x X..x x..x X..x
            tambourine: X.xX X.xX X.xX X.xX
            high-agogo: x.x. .x.x .... ....
            low-agogo:  .... .... x.x. .x..
            rim:        x.x. .x.x .x.x x.x.
            """
        ),
    ]
}
