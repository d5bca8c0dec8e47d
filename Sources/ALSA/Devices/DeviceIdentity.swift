/// A MIDI port's identity, in terms that stay the same when the device is unplugged and plugged in again, and after a restart:
/// never a client number.
///
/// The same type describes what a rule looks for: a nil value then matches any. As text: `usb:0499:1617`,
/// `usb:0499:1617,path:pci-0000:00:14.0-usb-0:2,port:0`, `client:Virtual Keyboard`.
public struct DeviceIdentity: Hashable, Sendable, CustomStringConvertible {
    /// A USB device's maker and model.
    public struct USBModel: Hashable, Sendable, CustomStringConvertible {
        public var vendor: UInt16
        public var product: UInt16

        public init(vendor: UInt16, product: UInt16) {
            self.vendor = vendor
            self.product = product
        }

        public var description: String { "\(Self.hexadecimal(vendor)):\(Self.hexadecimal(product))" }

        static func hexadecimal(_ number: UInt16) -> String {
            let digits = String(number, radix: 16)
            return String(repeating: "0", count: 4 - digits.count) + digits
        }
    }

    /// Maker and model of a USB device.
    public var usb: USBModel?
    /// The USB serial number. Many makers give all their keyboards the same one.
    public var serial: String?
    /// Where it is plugged in, as udev's ID_PATH writes it: `pci-0000:00:14.0-usb-0:2.1`, `platform-snd_virmidi.0`.
    public var path: String?
    /// The card's long name; on USB it contains the place, so it is not compared there.
    public var cardName: String?
    /// The sequencer client's name, without the card's number where the kernel writes one into it.
    public var client: String?
    /// The port's index within its client.
    public var port: Int?

    public init(
        usb: USBModel? = nil, serial: String? = nil, path: String? = nil, cardName: String? = nil, client: String? = nil,
        port: Int? = nil
    ) {
        (self.usb, self.serial, self.path, self.cardName) = (usb, serial, path, cardName)
        (self.client, self.port) = (client, port)
    }

    /// A measure of how sure it is that a device is the one looked for.
    public struct Rank: Comparable, Hashable, Sendable {
        /// The serial number is the one asked for.
        public var isSameSerial: Bool
        /// True if the device is plugged in where it was.
        public var isSamePlace: Bool

        public static func < (a: Rank, b: Rank) -> Bool { a.weight < b.weight }

        private var weight: Int { (isSameSerial ? 2 : 0) + (isSamePlace ? 1 : 0) }
    }

    /// True if this identity names one device, and not a kind of device.
    public var isOfOneDevice: Bool { serial != nil || path != nil }

    /// Rates how well `device` fits what is looked for here; nil when it is something else.
    ///
    /// Model, serial number, names and port must be as asked. The place only has to be the same when nothing else is
    /// asked for: a keyboard moved to another socket is still found, if less surely than one that is in its place.
    public func rank(of device: DeviceIdentity) -> Rank? {
        func differs<T: Equatable>(_ wanted: T?, _ found: T?) -> Bool { wanted != nil && wanted != found }
        if differs(usb, device.usb) || differs(serial, device.serial) || differs(client, device.client)
            || differs(port, device.port) || (device.usb == nil && differs(cardName, device.cardName))
        {
            return nil
        }
        let isSamePlace = path != nil && path == device.path
        if path != nil && !isSamePlace && usb == nil && serial == nil && client == nil { return nil }
        return Rank(isSameSerial: serial != nil, isSamePlace: isSamePlace)
    }

    /// The identity as a rule's text: what is known, separated by commas. A comma, `%` or `@` inside a name is written as
    /// `%2C`, `%25`, `%40`.
    public var description: String {
        var fields: [String] = []
        func add(_ key: String, _ value: String?) {
            if let value { fields.append("\(key):\(Self.escaped(value))") }
        }
        add("usb", usb?.description)
        add("serial", serial)
        add("path", path)
        // On USB the model says more, and the name contains the place.
        if usb == nil { add("card", cardName) }
        add("client", client)
        add("port", port.map { String($0) })
        return fields.joined(separator: ",")
    }

    private static func escaped(_ text: String) -> String {
        var result = ""
        for character in text {
            switch character {
            case ",": result += "%2C"
            case "%": result += "%25"
            case "@": result += "%40"
            default: result.append(character)
            }
        }
        return result
    }
}
