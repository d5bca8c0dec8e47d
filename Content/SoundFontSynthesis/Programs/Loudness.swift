/// The trims that bring each program to the same loudness.
enum Loudness {
    /// Decibels for programs 0...127, eight to a line, one line per family. Measured: notes of velocity 100 in three
    /// places of the instrument's register, played by FluidSynth, the loudest 400 ms of each after the weighting of
    /// ITU-R BS.1770.
    static let trims: [Double] = [
        1.5, 1, 2.5, 1, 2, 1.5, 13, 16,
        10, 10, 7, 2.5, 16, 16, 2.5, 9,
        1, 1.5, 3, 0.5, 0, -0.5, 1, 0.5,
        3.5, 3, 3.5, 3, 16, 2.5, 2.5, 4,
        3, 2.5, 3, 10, 4, 16, 10, -1,
        1, 1.5, 1, 1.5, 0.5, 16, 3, 7,
        -1.5, -1.5, -2, -0.5, -1, -1, 3, 5.5,
        1.5, 2, 1, 0.5, 1, -2, 2, 2,
        1, 1, 1, 1, 1, 1, 1, 1,
        1.5, 1, 1, 1, 0.5, 1, 1.5, 1,
        1, 0, 2, 4, 1, 2.5, 1.5, 4,
        -1, -2, 1, -0.5, 0, 3, 0.5, -0.5,
        6, -0.5, 1.5, 3.5, 4, 3, 16, 2,
        3.5, 16, 16, 16, 10, 2, 1, 1.5,
        12, 16, 10, 16, 13, 16, 16, 2,
        1.5, 16, 15, -1.5, -1.5, 16, -1, 1.5,
    ]
}
