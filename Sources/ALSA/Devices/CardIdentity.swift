/// The details that sysfs has of a sound card's device, found by the card's present number.
struct CardIdentity: Hashable, Sendable {
    var usb: DeviceIdentity.USBModel?
    var serial: String?
    /// Where the device is plugged in, as udev's ID_PATH.
    var path: String?
    var longName: String?

    /// `sysfs` is `/sys` on a living machine, `cards` the text of `/proc/asound/cards`.
    init(number: Int, sysfs: String = "/sys", cards: String? = SysfsNode.text(of: "/proc/asound/cards")) {
        longName = cards.flatMap { Self.longName(ofCard: number, in: $0) }
        guard let device = SysfsNode("\(sysfs)/class/sound/card\(number)/device") else { return }
        let lineage = Array(device.lineage)
        if let unit = lineage.first(where: { $0.attribute("idVendor") != nil }),
            let vendor = unit.attribute("idVendor").flatMap({ UInt16($0, radix: 16) }),
            let product = unit.attribute("idProduct").flatMap({ UInt16($0, radix: 16) })
        {
            usb = DeviceIdentity.USBModel(vendor: vendor, product: product)
            serial = unit.attribute("serial").flatMap { $0.isEmpty ? nil : $0 }
            path = Self.path(usb: unit.name, lineage: lineage)
        } else {
            path = Self.path(lineage: lineage)
        }
    }

    /// `usb1/1-2.1` on the controller `0000:00:14.0` is `pci-0000:00:14.0-usb-0:2.1`: the bus number depends on the order in
    /// which controllers were found, the sockets do not.
    private static func path(usb device: String, lineage: [SysfsNode]) -> String {
        let sockets = device.split(separator: "-").dropFirst().joined(separator: "-")
        return (controller(lineage).map { $0 + "-" } ?? "") + "usb-0:" + sockets
    }

    private static func path(lineage: [SysfsNode]) -> String? { controller(lineage) }

    /// The nearest device on a built-in bus: PCI, else a platform device.
    private static func controller(_ lineage: [SysfsNode]) -> String? {
        if let pci = lineage.first(where: { isPCI($0.name) }) { return "pci-" + pci.name }
        let names = lineage.map(\.path)
        for (index, path) in names.enumerated() where path.hasSuffix("/platform") && index > 0 {
            return "platform-" + lineage[index - 1].name
        }
        return nil
    }

    private static func isPCI(_ name: String) -> Bool {
        let fields = name.split(separator: ":")
        return fields.count == 3 && fields[2].contains(".") && fields[0].allSatisfy(\.isHexDigit)
            && fields[1].allSatisfy(\.isHexDigit)
    }

    /// The second line of a card's entry.
    static func longName(ofCard number: Int, in cards: String) -> String? {
        let lines = cards.split(separator: "\n", omittingEmptySubsequences: false)
        for (index, line) in lines.enumerated() where index + 1 < lines.count {
            let words = line.split(separator: " ")
            guard let first = words.first, Int(first) == number, line.contains("[") else { continue }
            let name = lines[index + 1].drop { $0 == " " }
            return name.isEmpty ? nil : String(name)
        }
        return nil
    }
}
