import Foundation
import Testing

@testable import ALSA

@Suite struct DeviceIdentityTests {
    static let model = DeviceIdentity.USBModel(vendor: 0x0499, product: 0x1617)

    static func keyboard(_ path: String, serial: String? = nil, port: Int = 0) -> DeviceIdentity {
        DeviceIdentity(
            usb: model, serial: serial, path: path, cardName: "P-45 at \(path)", client: "Digital Piano", port: port)
    }

    @Test func thePlaceDecidesBetweenTwoKeyboardsOfOneModel() throws {
        let wanted = DeviceIdentity(usb: Self.model, path: "usb-0:1")
        let there = try #require(wanted.rank(of: Self.keyboard("usb-0:1")))
        let elsewhere = try #require(wanted.rank(of: Self.keyboard("usb-0:2")))
        #expect(there > elsewhere)
    }

    @Test func aSerialNumberCountsMoreThanThePlace() throws {
        let wanted = DeviceIdentity(usb: Self.model, serial: "7", path: "usb-0:1")
        #expect(wanted.rank(of: Self.keyboard("usb-0:1", serial: "8")) == nil)
        let moved = try #require(wanted.rank(of: Self.keyboard("usb-0:9", serial: "7")))
        #expect(moved > DeviceIdentity.Rank(isSameSerial: false, isSamePlace: true))
    }

    @Test func whatIsAskedForMustBeThere() {
        #expect(DeviceIdentity(client: "Digital Piano").rank(of: Self.keyboard("usb-0:1")) != nil)
        #expect(DeviceIdentity(client: "Synth").rank(of: Self.keyboard("usb-0:1")) == nil)
        #expect(DeviceIdentity(usb: Self.model, port: 1).rank(of: Self.keyboard("usb-0:1")) == nil)
        #expect(DeviceIdentity(path: "usb-0:2").rank(of: Self.keyboard("usb-0:1")) == nil)
        #expect(DeviceIdentity(path: "usb-0:1").rank(of: Self.keyboard("usb-0:1")) != nil)
        #expect(DeviceIdentity(usb: Self.model).rank(of: DeviceIdentity(client: "a program")) == nil)
    }

    @Test func theCardsNumberIsNoPartOfAName() {
        #expect(ALSASequencerCalls.lastingName("Virtual Raw MIDI 1-0", card: 1) == "Virtual Raw MIDI 0")
        #expect(ALSASequencerCalls.lastingName("Virtual Raw MIDI 1-0", card: 2) == "Virtual Raw MIDI 1-0")
        #expect(ALSASequencerCalls.lastingName("Keystation 1-x", card: 1) == "Keystation 1-x")
        #expect(ALSASequencerCalls.lastingName("Keystation", card: 1) == "Keystation")
    }

    // MARK: sysfs

    /// A tree as sysfs has it, in a folder of its own.
    private final class Sysfs {
        let root: String

        init() throws {
            let folder = FileManager.default.temporaryDirectory.appending(path: "sysfs-\(UUID().uuidString)")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            root = folder.path()
        }

        deinit { try? FileManager.default.removeItem(atPath: root) }

        func file(_ path: String, _ text: String) throws {
            try Data(text.utf8).write(to: URL(filePath: "\(root)/\(path)"))
        }

        /// A card of that number on a device, and the way to it through `class/sound`.
        func card(_ number: Int, on device: String) throws {
            let card = "\(root)/\(device)/sound/card\(number)"
            try FileManager.default.createDirectory(atPath: card, withIntermediateDirectories: true)
            try FileManager.default.createDirectory(atPath: root + "/class/sound", withIntermediateDirectories: true)
            try FileManager.default.createSymbolicLink(
                atPath: card + "/device", withDestinationPath: "\(root)/\(device)")
            try FileManager.default.createSymbolicLink(
                atPath: "\(root)/class/sound/card\(number)", withDestinationPath: card)
        }
    }

    @Test func aUSBKeyboardIsKnownByModelSerialNumberAndSocket() throws {
        let sysfs = try Sysfs()
        let unit = "devices/pci0000:00/0000:00:14.0/usb3/3-2/3-2.1"
        try sysfs.card(4, on: unit + "/3-2.1:1.1")
        try sysfs.file(unit + "/idVendor", "0499\n")
        try sysfs.file(unit + "/idProduct", "1617\n")
        try sysfs.file(unit + "/serial", "A 1\n")
        let cards = """
             0 [PCH            ]: HDA-Intel - HDA Intel PCH
                                  HDA Intel PCH at 0x4010000000 irq 125
             4 [Piano          ]: USB-Audio - Digital Piano
                                  Yamaha Digital Piano at usb-0000:00:14.0-2.1, full speed
            """
        let card = CardIdentity(number: 4, sysfs: sysfs.root, cards: cards)
        #expect(card.usb == Self.model)
        #expect(card.serial == "A 1")
        #expect(card.path == "pci-0000:00:14.0-usb-0:2.1")
        #expect(card.longName == "Yamaha Digital Piano at usb-0000:00:14.0-2.1, full speed")
    }

    @Test func otherCardsAreKnownByTheBusTheyAreOn() throws {
        let sysfs = try Sysfs()
        try sysfs.card(0, on: "devices/pci0000:00/0000:00:1f.3")
        try sysfs.card(1, on: "devices/platform/snd_virmidi.0")
        #expect(CardIdentity(number: 0, sysfs: sysfs.root, cards: nil).path == "pci-0000:00:1f.3")
        #expect(CardIdentity(number: 1, sysfs: sysfs.root, cards: nil).path == "platform-snd_virmidi.0")
        let missing = CardIdentity(number: 2, sysfs: sysfs.root, cards: "")
        #expect(missing.path == nil && missing.usb == nil && missing.longName == nil)
    }
}
