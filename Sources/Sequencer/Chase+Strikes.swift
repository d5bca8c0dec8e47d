import MIDI

extension Chase {
    /// How often each key was struck by the events before `index`, the key struck last the last of its part: from it an
    /// instrument that takes turns, or has switches among its keys, goes on as in the whole song. Nothing at the beginning.
    func strikes(before index: Int) -> [MusicEvent] {
        var counts: [Int: (count: Int, last: Int)] = [:]
        for (order, timed) in events[..<min(max(index, 0), events.count)].enumerated() {
            guard case .message(let message) = timed.event, message.kind == .noteOn, message.data2 > 0 else { continue }
            let place = (message.part & 255) * 128 + Int(message.data1 & 127)
            counts[place] = ((counts[place]?.count ?? 0) + 1, order)
        }
        var result: [MusicEvent] = [], begun: Set<Int> = []
        for (place, strikes) in counts.sorted(by: { $0.value.last < $1.value.last }) {
            let part = UInt8(place / 128), key = UInt8(place % 128)
            if begun.insert(place / 128).inserted {
                result.append(.part(.restoring, 1, key: 0, part: part))
            }
            let upper = UInt8(strikes.count >> 7 & 127)
            if upper > 0 { result.append(.part(.manyStrikes, upper, key: key, part: part)) }
            result.append(.part(.strikes, UInt8(strikes.count & 127), key: key, part: part))
        }
        return result + begun.sorted().map { .part(.restoring, 0, key: 0, part: UInt8($0)) }
    }
}
