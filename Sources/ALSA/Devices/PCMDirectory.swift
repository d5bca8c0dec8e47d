import Glibc
import RemoteIO

/// One direction of one PCM device of a card, for display.
public struct PCMDescription: Sendable, Equatable {
    /// The device's name for `--device`: `hw:USB,0`.
    public let name: String
    /// The card: its number, short and long name.
    public let cardIndex: Int
    public let card: String
    public let cardLongName: String
    /// The device's own name, and its number on the card.
    public let deviceName: String
    public let deviceIndex: Int
    /// True if the device captures instead of plays.
    public let isCapture: Bool
    /// Streams that it can run at once, and how many are free.
    public let streams: Int
    public let freeStreams: Int
    /// The program that holds the device, if that is known: `aplay (process 4711)`.
    public let owner: String?
    /// The device's abilities; nil while another program holds it.
    public let capabilities: PCMCapabilities?
}

/// The audio devices of the machine as they are now. Control side; it reads the kernel's tables and asks each free device
/// what it can do, without starting it.
public enum PCMDirectory {
    /// Returns every PCM device of every card, in the kernel's order; none if there is no sound card.
    public static func devices() -> [PCMDescription] {
        PCMCalls.silence()
        return CardCalls.devices().map { entry in
            let name = "hw:\(entry.card),\(entry.device)"
            var capabilities: PCMCapabilities?
            if let pcm = openQuietly(name, entry.isCapture) {
                capabilities = PCMCalls.capabilities(pcm)
                PCMCalls.close(pcm)
            }
            return PCMDescription(
                name: name, cardIndex: entry.cardIndex, card: entry.card, cardLongName: entry.cardLongName,
                deviceName: entry.deviceName, deviceIndex: entry.device, isCapture: entry.isCapture,
                streams: entry.streams, freeStreams: entry.freeStreams,
                owner: owner(card: entry.cardIndex, device: entry.device, isCapture: entry.isCapture),
                capabilities: capabilities)
        }
    }

    /// Returns true if there is a device of that name, even if it is held or lacks abilities.
    public static func isThere(_ name: String, isCapture: Bool) -> Bool {
        PCMCalls.silence()
        do throws(ALSAFault) {
            PCMCalls.close(try PCMCalls.open(name, isCapture: isCapture))
            return true
        } catch { return ![ENOENT, ENODEV, ENXIO].contains(error.code) }
    }

    static var cardNames: [String] { CardCalls.cards().map(\.name) }

    private static func openQuietly(_ name: String, _ isCapture: Bool) -> PCM? {
        do { return try PCMCalls.open(name, isCapture: isCapture) } catch { return nil }
    }

    /// Returns the program that holds the device of a name like `hw:USB,0`, `plughw:1` or `default`; nil if it is not known.
    static func owner(of name: String, isCapture: Bool) -> String? {
        let cards = CardCalls.cards()
        var card = cards.first?.index ?? 0
        var device = 0
        if let colon = name.firstIndex(of: ":") {
            let parts = name[name.index(after: colon)...].split(separator: ",").map { part in
                part.split(separator: "=").last.map(String.init) ?? String(part)
            }
            if let first = parts.first { card = Int(first) ?? cards.first { $0.name == first }?.index ?? card }
            if parts.count > 1 { device = Int(parts[1]) ?? 0 }
        }
        return owner(card: card, device: device, isCapture: isCapture)
    }

    static func owner(card: Int, device: Int, isCapture: Bool) -> String? {
        for stream in 0..<32 {
            let path = "/proc/asound/card\(card)/pcm\(device)\(isCapture ? "c" : "p")/sub\(stream)/status"
            guard let text = SystemText.read(path) else { return nil }
            guard let line = text.split(separator: "\n").first(where: { $0.hasPrefix("owner_pid") }),
                let number = line.split(separator: ":").last.map({ $0.filter { $0 != " " } }), let process = Int(number)
            else { continue }
            return program(of: process)
        }
        return nil
    }

    /// `aplay (process 4711)`.
    private static func program(of thread: Int) -> String {
        let lines = SystemText.read("/proc/\(thread)/status")?.split(separator: "\n") ?? []
        let group = lines.first { $0.hasPrefix("Tgid:") }?.split(whereSeparator: { $0 == "\t" || $0 == " " }).last
        let process = group.flatMap { Int($0) } ?? thread
        let name = SystemText.read("/proc/\(process)/comm").map { $0.filter { $0 != "\n" } } ?? "a program"
        return "\(name) (process \(process))"
    }
}
