/// What brings each program to the same loudness.
enum Loudness {
    /// Decibels for programs 0...127, eight to a line, one line per family. Measured: notes of velocity 100 in three places of
    /// the instrument's register, played by FluidSynth, the loudest 400 ms of each after the weighting of ITU-R BS.1770.
    static let trims: [Double] = [
        1, 1, 1.5, 1, 2, 1.5, 7, 14,
        6, 6, 5, 2.5, 8, 13, 2.5, 4,
        1, 1.5, 3, 0.5, 0, -0.5, 1.5, 0.5,
        3, 3, 3.5, 3, 16, 2.5, 2.5, 4,
        3, 2.5, 3, 3, 4, 9, 6.5, -1,
        1, 1, 1, 1, 1, 12, 3, 5,
        -1, -1, -1.5, -0.5, -0.5, -1, 4, 7,
        2, 3.5, 2, 1.5, 1.5, -1.5, 2, 4,
        1.5, 1.5, 2, 3.5, 1.5, 1.5, 3, 1,
        1.5, 1, 1, 1, 0.5, 1, 1.5, 1,
        1, 0, 2, 4, 1.5, 3.5, 1.5, 4,
        -1, -1, 1, 0.5, 0, 1, -0.5, -1,
        4.5, 0, 2.5, 3.5, 4, 3, 12.5, 2,
        3, 15, 16, 13.5, 6, 1.5, 1, 2.5,
        7, 12, 6, 16, 7, 10, 12, 2,
        1.5, 16, 16, -1, -1.5, 9.5, 0.5, 1.5,
    ]
}
