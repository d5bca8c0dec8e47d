/// The trims that bring each program to the same loudness.
enum Loudness {
    /// Decibels for programs 0...127, eight to a line, one line per family. Measured: notes of velocity 100 in three
    /// places of the instrument's register, played by FluidSynth, the loudest 400 ms of each after the weighting of
    /// ITU-R BS.1770.
    static let trims: [Double] = [
        1.5, 1, 2.5, 1, 2, 1.5, 3, 4,
        1, 1, -1.5, -0.5, 1, -5, -0.5, 1,
        1, 1.5, 1.5, 0.5, 0, -0.5, 1, 0.5,
        0.5, 0, 0.5, 0, 0.5, -0.5, -0.5, 2,
        3, 2.5, 3, 4, 4, 4, 4, -1,
        1, 1.5, 1, 1.5, 0.5, 2, 0, 4,
        -1.5, -1.5, -2, -0.5, -1, -1, 3, 2.5,
        1.5, 2, 1, 0.5, 0.5, -2, 2, 2,
        -2, -2, -2, -2, 0.5, -2, -2, -2,
        -1.5, -2, -2, -2, -2.5, -2, -1, -2,
        0.5, 0, -1, 2, -1, 2.5, 1.5, 4,
        -1, -2, 1, -0.5, 0, 3, 0.5, -0.5,
        3, -0.5, 0.5, 1.5, 4, 3, 2, 1,
        3.5, 2.5, 4, 4, 1, 2, 1, -1.5,
        1, -1, -0.5, 1, 1.5, -2, 3, 2,
        1.5, 4, 4, -1.5, -1.5, 2.5, -1, 1.5,
    ]
}
