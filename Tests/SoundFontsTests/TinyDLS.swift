/// Builds small DLS files for tests: one instrument for each that is named, one wave.
struct TinyDLS {
    /// A block of an articulation: source, control, destination, transform, and the amount before its sixteen bits behind the
    /// point; nil: no time at all.
    typealias Connection = (source: Int, control: Int, destination: Int, transform: Int, amount: Double?)

    /// Bank and program as the file numbers them.
    var instruments: [(bank: Int, program: Int)] = [(0, 0)]
    var keys = (0, 127), velocities = (0, 127)
    var keyGroup = 0
    /// `wsmp` of the region and of the wave: key, cents, gain in decibels, loop (start, length), kind of loop.
    typealias Tuning = (key: Int, cents: Int, gain: Double, loop: (Int, Int)?, kind: Int)
    var regionTuning: Tuning?
    var waveTuning: Tuning? = (69, 0, 0, (0, 1_000), 0)
    /// Blocks of the region (`art2`), and of the instrument.
    var regionConnections: [Connection] = [], instrumentConnections: [Connection] = []
    var name = "art2"
    var rate = 44_000, bits = 16, channels = 1, format = 1
    /// A triangle of 100 frames a period, 440 Hz, half as loud as can be.
    var frames = 1_000

    /// The content of a chunk `pgal`.
    var aliases: [UInt8]?

    var bytes: [UInt8] {
        let header = words([keys.0, keys.1, velocities.0, velocities.1, 0, keyGroup])
        var region = chunk("rgnh", header) + (regionTuning.map(wsmp) ?? [])
        region += chunk("wlnk", words([0, 0]) + longs([1, 0])) + articulation(regionConnections)
        let list = list("lrgn", self.list("rgn2", region)) + articulation(instrumentConnections)
        let all = instruments.enumerated().flatMap { index, place in
            self.list(
                "ins ",
                chunk("insh", longs([1, place.bank, place.program])) + list
                    + self.list("INFO", chunk("INAM", Array("Tone\(index)\0".utf8))))
        }
        let size = channels * bits / 8
        let wave =
            chunk("fmt ", words([format, channels]) + longs([rate, rate * size]) + words([size, bits]))
            + (waveTuning.map(wsmp) ?? []) + chunk("data", (0..<frames).flatMap(frame))
        return chunk(
            "RIFF",
            Array("DLS ".utf8) + chunk("colh", longs([instruments.count])) + (aliases.map { chunk("pgal", $0) } ?? [])
                + self.list("lins", all)
                + chunk("ptbl", longs([8, 1, 0])) + self.list("wvpl", self.list("wave", wave)))
    }

    /// Channels other than the first are silent.
    private func frame(_ frame: Int) -> [UInt8] {
        let place = frame % 100
        let value = (place < 25 ? place : place < 75 ? 50 - place : place - 100) * 640
        let first = bits == 8 ? [UInt8(128 + value / 256)] : words([value])
        return first + [UInt8](repeating: bits == 8 ? 128 : 0, count: (channels - 1) * bits / 8)
    }
    private func wsmp(_ tuning: Tuning) -> [UInt8] {
        let loop = tuning.loop.map { longs([16, tuning.kind, $0.0, $0.1]) } ?? []
        return chunk(
            "wsmp",
            longs([20]) + words([tuning.key, tuning.cents]) + longs([Int(tuning.gain * 655_360), 0])
                + longs([tuning.loop == nil ? 0 : 1]) + loop)
    }
    private func articulation(_ connections: [Connection]) -> [UInt8] {
        guard !connections.isEmpty else { return [] }
        let blocks = connections.flatMap {
            words([$0.source, $0.control, $0.destination, $0.transform])
                + longs([$0.amount.map { Int($0 * 65_536) } ?? 0x8000_0000])
        }
        return list(name == "art1" ? "lart" : "lar2", chunk(name, longs([8, connections.count]) + blocks))
    }
    private func words(_ words: [Int]) -> [UInt8] { words.flatMap { [UInt8($0 & 255), UInt8($0 >> 8 & 255)] } }
    private func longs(_ longs: [Int]) -> [UInt8] { longs.flatMap { words([$0 & 0xFFFF, $0 >> 16 & 0xFFFF]) } }
    private func chunk(_ name: String, _ body: [UInt8]) -> [UInt8] {
        Array(name.utf8) + longs([body.count]) + body + (body.count % 2 == 1 ? [0] : [])
    }
    private func list(_ form: String, _ body: [UInt8]) -> [UInt8] { chunk("LIST", Array(form.utf8) + body) }

    /// Writes the file under a name of its own and gives the path to `body`.
    func write<R>(_ body: (String) throws -> R) throws -> R { try TinySoundFont.write(bytes, body) }
}
