import ALSA
import Reports

/// The report of `carillon devices`. As JSON its keys are those of the guide "Reports as JSON".
struct DeviceList: Encodable, Equatable {
    struct Range: Encodable, Equatable {
        let from: Int
        let to: Int
        init(_ range: ClosedRange<Int>) { (from, to) = (range.lowerBound, range.upperBound) }
        var text: String { from == to ? "\(from)" : "\(from)-\(to)" }
    }

    struct Audio: Encodable, Equatable {
        /// The name that `--device` takes.
        let name: String
        let direction: String
        let card: String
        let device: String
        let isFree: Bool
        let owner: String?
        /// The abilities of the device, from rates to formats; nil while another program holds it.
        let rates: [Int]?
        let rateRange: Range?
        let channels: Range?
        let period: Range?
        let formats: [String]?
        /// The volume of the card itself; nil if it has none.
        var volume: Volume?
    }

    struct Volume: Encodable, Equatable {
        let control: String
        let decibels: Double?
        let range: DecibelRange?
        let percent: Double
        let isMuted: Bool?
    }

    struct DecibelRange: Encodable, Equatable {
        let from: Double
        let to: Double
    }

    struct MIDI: Encodable, Equatable {
        let name: String
        /// The name that `--connect` takes, the same after every plug.
        let identity: String
        /// Where it is now, client:port.
        let address: String
        let canBePlayedFrom: Bool
        let canBePlayedTo: Bool
        /// `carillon live` with these rules connects the port; `reason` is why or why not.
        let isChosen: Bool
        let reason: String
        let listeners: [String]
    }

    var audio: [Audio] = []
    var midi: [MIDI] = []
    /// Reasons why there is no audio, or no MIDI: a sentence each.
    var faults: [String] = []

    func lines(columns: Int = .max) -> [String] {
        let outputs = audio.filter { $0.direction != "capture" }, inputs = audio.filter { $0.direction == "capture" }
        let sections: [(title: String, entries: [(name: String, lines: [String])])] = [
            ("Audio outputs, for --device (default and null are always there):", outputs.map { ($0.name, $0.lines) }),
            ("Audio inputs, for --input-device:", inputs.map { ($0.name, $0.lines) }),
            ("MIDI ports, for --connect by name or identity:", midi.map { ($0.name, $0.lines) }),
        ]
        return Array(
            sections.filter { !$0.entries.isEmpty }.map { section in
                TextColumns.lines(section.title, columns: columns) + Self.indented(section.entries, columns)
            }.joined(separator: [""]))
    }

    /// Names in a column of their own; if one is too long, on a line of its own.
    private static func indented(_ entries: [(name: String, lines: [String])], _ columns: Int) -> [String] {
        let width = min(entries.map { TextColumns.count($0.name) }.max() ?? 0, min(34, max(columns / 3, 4)))
        let blank = String(repeating: " ", count: width + 4)
        return entries.flatMap { name, lines in
            let lines = lines.flatMap { TextColumns.lines($0, columns: columns - width - 4) }
            if TextColumns.count(name) > width { return ["  " + name] + lines.map { blank + $0 } }
            return lines.enumerated().map { index, line in
                index == 0 ? "  " + TextColumns.padded(name, to: width) + "  " + line : blank + line
            }
        }
    }
}

extension DeviceList.Volume {
    /// Takes over the mixer's present values.
    init(_ volume: HardwareVolume, _ level: HardwareVolume.Level) {
        self.init(
            control: volume.control, decibels: level.decibels,
            range: volume.decibels.map { .init(from: $0.lowerBound, to: $0.upperBound) },
            percent: (level.share * 1000).rounded() / 10, isMuted: level.isMuted)
    }

    /// Reads the volume of a device's card from its mixer; nil if it has none, which is not a fault.
    init?(of device: String) {
        do throws(Fault) {
            let volume = try HardwareVolume(of: device)
            self.init(volume, try volume.level)
        } catch { return nil }
    }

    /// `Master -12.00 dB (-45 to 0 dB), 73%, muted`.
    var text: String {
        var text = control
        if let decibels { text += " \(RenderJob.fixed(decibels, 2)) dB" }
        if let range { text += " (\(RenderJob.fixed(range.from, 1)) to \(RenderJob.fixed(range.to, 1)) dB)" }
        text += "\(decibels == nil ? " " : ", ")\(RenderJob.fixed(percent, 0))%"
        if isMuted == true { text += ", muted" }
        return text
    }
}

extension DeviceList.Audio {
    fileprivate var lines: [String] {
        let place = device.isEmpty || device == card ? card : "\(card), \(device)"
        var lines = ["\(direction): \(place)"]
        if let owner { lines.append("in use by \(owner)") } else if !isFree { lines.append("in use") }
        var abilities: [String] = []
        if let rates, !rates.isEmpty {
            abilities.append(rates.map { "\($0)" }.joined(separator: " ") + " Hz")
        } else if let rateRange {
            abilities.append("\(rateRange.text) Hz")
        }
        if let channels { abilities.append("\(channels.text) channel\(channels.text == "1" ? "" : "s")") }
        if let period { abilities.append("period \(period.text)") }
        if let formats, !formats.isEmpty { abilities.append(formats.joined(separator: " ")) }
        if !abilities.isEmpty { lines.append(abilities.joined(separator: ", ")) }
        if let text = volume?.text { lines.append("volume: " + text) }
        return lines
    }
}

extension DeviceList.MIDI {
    fileprivate var lines: [String] {
        var lines = [reason, identity]
        if !listeners.isEmpty { lines.append("heard by " + listeners.joined(separator: ", ")) }
        return lines
    }
}
