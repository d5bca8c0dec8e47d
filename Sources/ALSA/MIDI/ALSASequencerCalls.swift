import CALSA
import Glibc
import MIDI
import RemoteIO

/// The calls of libasound's sequencer, made only here: a handle, with return codes as typed errors.
///
/// One thread at a time; `MIDIClient` prepares it and then leaves it to the MIDI thread.
final class ALSASequencerCalls {
    enum Reading {
        case event(MIDIPortEvent)
        case empty
        /// Our memory for them in the kernel was full.
        case overrun
    }

    let handle: OpaquePointer
    let client: UInt8
    private var queue: Int32 = -1

    /// Throws `noSequencer`, `notPermitted`, `noRoom` or `failed`.
    init(name: String) throws(MIDIInletError) {
        // libasound writes to standard error when it fails to open a device: so look first.
        let probe = open("/dev/snd/seq", O_RDWR | O_NONBLOCK | O_CLOEXEC)
        if probe < 0 {
            switch errno {
            case EACCES, EPERM: throw .notPermitted
            case EBUSY, ENFILE, EMFILE, ENOMEM: throw .noRoom
            default: throw .noSequencer
            }
        }
        close(probe)
        var opened: OpaquePointer?
        let result = snd_seq_open(&opened, "hw", SND_SEQ_OPEN_DUPLEX, SND_SEQ_NONBLOCK)
        guard result >= 0, let opened else {
            switch -result {
            case ENOENT, ENODEV, ENXIO: throw .noSequencer
            case EBUSY, ENOMEM: throw .noRoom
            default: throw .failed("\(ALSAFault("snd_seq_open", result))")
            }
        }
        handle = opened
        client = UInt8(truncatingIfNeeded: snd_seq_client_id(opened))
        try check("snd_seq_set_client_name", snd_seq_set_client_name(handle, name))
    }

    deinit { snd_seq_close(handle) }

    func check(_ function: String, _ result: Int32) throws(MIDIInletError) {
        if result < 0 { throw .failed("\(ALSAFault(function, result))") }
    }

    /// Two thousand cells of 28 bytes, the most there is: a long System Exclusive message or a busy moment must not overrun it.
    func enlargePools() throws(MIDIInletError) {
        try check("snd_seq_set_client_pool_input", snd_seq_set_client_pool_input(handle, 2000))
        try check("snd_seq_set_client_pool_output", snd_seq_set_client_pool_output(handle, 1000))
        try check("snd_seq_set_input_buffer_size", snd_seq_set_input_buffer_size(handle, 65_536))
    }

    /// A queue that runs, for its clock only. Its time falls back by as much as each tick of its timer is late, and runs true
    /// between two ticks: so it ticks ten times a second, the least there is.
    func startQueue(name: String) throws(MIDIInletError) {
        queue = snd_seq_alloc_named_queue(handle, name)
        try check("snd_seq_alloc_named_queue", queue)
        var timer: OpaquePointer?
        try check("snd_seq_queue_timer_malloc", snd_seq_queue_timer_malloc(&timer))
        defer { snd_seq_queue_timer_free(timer) }
        try check("snd_seq_get_queue_timer", snd_seq_get_queue_timer(handle, queue, timer))
        snd_seq_queue_timer_set_resolution(timer, 10)
        try check("snd_seq_set_queue_timer", snd_seq_set_queue_timer(handle, queue, timer))
        try check(
            "snd_seq_control_queue",
            snd_seq_control_queue(handle, queue, Int32(SND_SEQ_EVENT_START.rawValue), 0, nil))
        try check("snd_seq_drain_output", snd_seq_drain_output(handle))
    }

    /// Events are stamped with the queue's real time. Returns the port's number.
    func createInput(name: String) throws(MIDIInletError) -> UInt8 {
        try createPort(name, SND_SEQ_PORT_CAP_WRITE | SND_SEQ_PORT_CAP_SUBS_WRITE, isStamped: true)
    }

    func createOutput(name: String) throws(MIDIInletError) -> UInt8 {
        try createPort(name, SND_SEQ_PORT_CAP_READ | SND_SEQ_PORT_CAP_SUBS_READ, isStamped: false)
    }

    /// Other programs may not connect it.
    func createAnnouncements(name: String) throws(MIDIInletError) -> UInt8 {
        try createPort(name, SND_SEQ_PORT_CAP_WRITE | SND_SEQ_PORT_CAP_NO_EXPORT, isStamped: false)
    }

    func createPort(_ name: String, _ capabilities: Int32, isStamped: Bool) throws(MIDIInletError) -> UInt8 {
        var created: OpaquePointer?
        try check("snd_seq_port_info_malloc", snd_seq_port_info_malloc(&created))
        defer { snd_seq_port_info_free(created) }
        snd_seq_port_info_set_name(created, name)
        snd_seq_port_info_set_capability(created, UInt32(capabilities))
        snd_seq_port_info_set_type(
            created,
            UInt32(SND_SEQ_PORT_TYPE_MIDI_GENERIC | SND_SEQ_PORT_TYPE_SOFTWARE | SND_SEQ_PORT_TYPE_APPLICATION))
        snd_seq_port_info_set_midi_channels(created, 16)
        if isStamped {
            snd_seq_port_info_set_timestamping(created, 1)
            snd_seq_port_info_set_timestamp_real(created, 1)
            snd_seq_port_info_set_timestamp_queue(created, queue)
        }
        try check("snd_seq_create_port", snd_seq_create_port(handle, created))
        return UInt8(truncatingIfNeeded: snd_seq_port_info_get_port(created))
    }

    /// The queue's real time in nanoseconds since it started; nil when the kernel does not report it.
    func queueNanoseconds() -> Int64? { queueNanoseconds(of: queue) }

    func queueNanoseconds(of queue: Int32) -> Int64? {
        var status: OpaquePointer?
        guard snd_seq_queue_status_malloc(&status) >= 0 else { return nil }
        defer { snd_seq_queue_status_free(status) }
        guard snd_seq_get_queue_status(handle, queue, status) >= 0,
            let time = snd_seq_queue_status_get_real_time(status)
        else { return nil }
        return Int64(time.pointee.tv_sec) * 1_000_000_000 + Int64(time.pointee.tv_nsec)
    }

    func inputDescriptor() throws(MIDIInletError) -> pollfd {
        var descriptor = pollfd()
        let count = snd_seq_poll_descriptors(handle, &descriptor, 1, Int16(POLLIN))
        if count != 1 { throw .failed("\(ALSAFault("snd_seq_poll_descriptors", count < 0 ? count : -EIO))") }
        return descriptor
    }

    /// Every port of every client, in the order of their addresses.
    func ports() -> [MIDIPort] {
        var client: OpaquePointer?
        guard snd_seq_client_info_malloc(&client) >= 0 else { return [] }
        defer { snd_seq_client_info_free(client) }
        var found: [MIDIPort] = []
        let cards = SysfsNode.text(of: "/proc/asound/cards")
        snd_seq_client_info_set_client(client, -1)
        while snd_seq_query_next_client(handle, client) >= 0 { found += ports(of: client, cards: cards) }
        return found.sorted { $0.address < $1.address }
    }

    func ports(ofClient number: UInt8) -> [MIDIPort] {
        var client: OpaquePointer?
        guard snd_seq_client_info_malloc(&client) >= 0 else { return [] }
        defer { snd_seq_client_info_free(client) }
        guard snd_seq_get_any_client_info(handle, Int32(number), client) >= 0 else { return [] }
        return ports(of: client, cards: SysfsNode.text(of: "/proc/asound/cards"))
    }

    private func ports(of client: OpaquePointer?, cards: String?) -> [MIDIPort] {
        var port: OpaquePointer?
        guard snd_seq_port_info_malloc(&port) >= 0 else { return [] }
        defer { snd_seq_port_info_free(port) }
        let number = snd_seq_client_info_get_client(client)
        let clientName = Self.name(snd_seq_client_info_get_name(client))
        let isKernel = snd_seq_client_info_get_type(client) == SND_SEQ_KERNEL_CLIENT
        let card = snd_seq_client_info_get_card(client)
        let device = card >= 0 ? CardIdentity(number: Int(card), cards: cards) : nil
        var found: [MIDIPort] = []
        snd_seq_port_info_set_client(port, number)
        snd_seq_port_info_set_port(port, -1)
        while snd_seq_query_next_port(handle, port) >= 0 {
            let capabilities = Int32(bitPattern: snd_seq_port_info_get_capability(port))
            let type = Int32(bitPattern: snd_seq_port_info_get_type(port))
            func may(_ needed: Int32) -> Bool {
                capabilities & needed == needed && capabilities & SND_SEQ_PORT_CAP_NO_EXPORT == 0
            }
            let address = MIDIPortAddress(
                client: UInt8(truncatingIfNeeded: number),
                port: UInt8(truncatingIfNeeded: snd_seq_port_info_get_port(port)))
            let kind: MIDIPort.Kind =
                if address.client == self.client {
                    .own
                } else if number == SND_SEQ_CLIENT_SYSTEM {
                    .system
                } else if isKernel && card < 0 && clientName.hasPrefix("Midi Through") {
                    .through
                } else if card >= 0 || isKernel || type & SND_SEQ_PORT_TYPE_HARDWARE != 0 {
                    .hardware
                } else {
                    .program
                }
            let identity = DeviceIdentity(
                usb: device?.usb, serial: device?.serial, path: device?.path, cardName: device?.longName,
                client: Self.lastingName(clientName, card: card), port: Int(address.port))
            found.append(
                MIDIPort(
                    address: address, clientName: clientName, portName: Self.name(snd_seq_port_info_get_name(port)),
                    kind: kind, identity: identity, isReadable: may(SND_SEQ_PORT_CAP_READ | SND_SEQ_PORT_CAP_SUBS_READ),
                    isWritable: may(SND_SEQ_PORT_CAP_WRITE | SND_SEQ_PORT_CAP_SUBS_WRITE),
                    awaitsCard: device != nil && cards != nil && device?.longName == nil))
        }
        return found
    }

    /// Any program may call itself anything: control characters become `?`, so that a name cannot rewrite a terminal.
    private static func name(_ text: UnsafePointer<CChar>?) -> String {
        guard let text else { return "" }
        var name = String.UnicodeScalarView()
        for scalar in String(cString: text).unicodeScalars {
            let isControl = scalar.value < 32 || (127..<160).contains(scalar.value)
            name.append(isControl ? "?" : scalar)
        }
        return String(name)
    }

    /// `Virtual Raw MIDI 1-0` of card 1 is `Virtual Raw MIDI 0`: the card's number is not the device's own.
    static func lastingName(_ name: String, card: Int32) -> String {
        guard card >= 0, let space = name.lastIndex(of: " ") else { return name }
        let last = name[name.index(after: space)...], prefix = "\(card)-"
        guard last.hasPrefix(prefix), Int(last.dropFirst(prefix.count)) != nil else { return name }
        return String(name[...space] + last.dropFirst(prefix.count))
    }

    func listeners(of address: MIDIPortAddress) -> [MIDIPortAddress] {
        var query: OpaquePointer?
        guard snd_seq_query_subscribe_malloc(&query) >= 0 else { return [] }
        defer { snd_seq_query_subscribe_free(query) }
        var root = Self.address(address), found: [MIDIPortAddress] = []
        snd_seq_query_subscribe_set_root(query, &root)
        snd_seq_query_subscribe_set_type(query, SND_SEQ_QUERY_SUBS_READ)
        var index: Int32 = 0
        while true {
            snd_seq_query_subscribe_set_index(query, index)
            guard snd_seq_query_port_subscribers(handle, query) >= 0,
                let listener = snd_seq_query_subscribe_get_addr(query)
            else { return found }
            found.append(Self.address(listener.pointee))
            index += 1
        }
    }

    /// Returns nil when it worked or was done already.
    func subscribe(from: MIDIPortAddress, to: MIDIPortAddress) -> ALSAFault? {
        change(from, to) { fault("snd_seq_subscribe_port", snd_seq_subscribe_port(handle, $0), unless: EBUSY) }
    }

    /// Returns nil when it worked or was done already.
    func unsubscribe(from: MIDIPortAddress, to: MIDIPortAddress) -> ALSAFault? {
        change(from, to) { fault("snd_seq_unsubscribe_port", snd_seq_unsubscribe_port(handle, $0), unless: ENOENT) }
    }

    private func change(
        _ from: MIDIPortAddress, _ to: MIDIPortAddress, _ call: (OpaquePointer?) -> ALSAFault?
    ) -> ALSAFault? {
        var subscription: OpaquePointer?
        let result = snd_seq_port_subscribe_malloc(&subscription)
        if result < 0 { return ALSAFault("snd_seq_port_subscribe_malloc", result) }
        defer { snd_seq_port_subscribe_free(subscription) }
        var sender = Self.address(from), receiver = Self.address(to)
        snd_seq_port_subscribe_set_sender(subscription, &sender)
        snd_seq_port_subscribe_set_dest(subscription, &receiver)
        return call(subscription)
    }

    private func fault(_ function: String, _ result: Int32, unless harmless: Int32) -> ALSAFault? {
        result >= 0 || result == -harmless ? nil : ALSAFault(function, result)
    }

    static func address(_ address: MIDIPortAddress) -> snd_seq_addr_t {
        snd_seq_addr_t(client: address.client, port: address.port)
    }

    static func address(_ address: snd_seq_addr_t) -> MIDIPortAddress {
        MIDIPortAddress(client: address.client, port: address.port)
    }

    /// Does not wait.
    func read() -> Reading {
        var event: UnsafeMutablePointer<snd_seq_event_t>?
        while true {
            let result = snd_seq_event_input(handle, &event)
            switch result {
            case -ENOSPC: return .overrun
            case -EINTR: continue
            case ..<0: return .empty
            default: break
            }
            guard let event else { return .empty }
            return .event(Self.event(event.pointee))
        }
    }

    private static func event(_ event: snd_seq_event_t) -> MIDIPortEvent {
        let isStamped = Int32(event.flags) & SND_SEQ_TIME_STAMP_MASK == SND_SEQ_TIME_STAMP_REAL
        let time = event.time.time
        return MIDIPortEvent(
            body: body(event), source: address(event.source), destination: event.dest.port,
            stamp: isStamped ? Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec) : nil)
    }

    private static func body(_ event: snd_seq_event_t) -> MIDIPortEvent.Body {
        let address = Self.address(event.data.addr), connection = event.data.connect
        switch snd_seq_event_type(UInt32(event.type)) {
        case SND_SEQ_EVENT_SYSEX:
            let length = Int(event.data.ext.len)
            guard length > 0, let bytes = event.data.ext.ptr else { return .other }
            return .systemExclusive(Array(UnsafeRawBufferPointer(start: bytes, count: length)))
        case SND_SEQ_EVENT_SENSING: return .activeSensing
        case SND_SEQ_EVENT_RESET: return .reset
        case SND_SEQ_EVENT_CLIENT_START, SND_SEQ_EVENT_CLIENT_CHANGE: return .clientChanged(client: address.client)
        case SND_SEQ_EVENT_CLIENT_EXIT: return .clientGone(client: address.client)
        case SND_SEQ_EVENT_PORT_START, SND_SEQ_EVENT_PORT_CHANGE: return .portChanged(address)
        case SND_SEQ_EVENT_PORT_EXIT: return .portGone(address)
        case SND_SEQ_EVENT_PORT_SUBSCRIBED:
            return .subscribed(from: Self.address(connection.sender), to: Self.address(connection.dest))
        case SND_SEQ_EVENT_PORT_UNSUBSCRIBED:
            return .unsubscribed(from: Self.address(connection.sender), to: Self.address(connection.dest))
        case SND_SEQ_EVENT_CLOCK: return .clock(.pulse)
        case SND_SEQ_EVENT_START: return .clock(.start)
        case SND_SEQ_EVENT_CONTINUE: return .clock(.continue)
        case SND_SEQ_EVENT_STOP: return .clock(.stop)
        case SND_SEQ_EVENT_SONGPOS: return .clock(.position(UInt16(clamping: event.data.control.value)))
        default:
            let messages = ChannelMessageCoding.messages(event)
            return messages.isEmpty ? .other : .messages(messages)
        }
    }

    /// To the subscribers of our port `port`, or straight to `destination`; nil when it was taken.
    func send(_ message: MIDIMessage, from port: UInt8, to destination: MIDIPortAddress? = nil) -> ALSAFault? {
        guard var event = ChannelMessageCoding.event(message) else { return nil }
        return send(&event, from: port, to: destination)
    }

    func send(_ bytes: [UInt8], from port: UInt8) -> ALSAFault? {
        var bytes = bytes
        return bytes.withUnsafeMutableBytes { bytes in
            var event = snd_seq_event_t()
            event.type = UInt8(SND_SEQ_EVENT_SYSEX.rawValue)
            event.flags = UInt8(SND_SEQ_EVENT_LENGTH_VARIABLE)
            event.data.ext.len = UInt32(truncatingIfNeeded: bytes.count)
            event.data.ext.ptr = bytes.baseAddress
            return send(&event, from: port)
        }
    }

    private func send(
        _ event: inout snd_seq_event_t, from port: UInt8, to destination: MIDIPortAddress? = nil
    ) -> ALSAFault? {
        event.source = snd_seq_addr_t(client: client, port: port)
        event.dest =
            destination.map(Self.address)
            ?? snd_seq_addr_t(client: UInt8(SND_SEQ_ADDRESS_SUBSCRIBERS), port: UInt8(SND_SEQ_ADDRESS_UNKNOWN))
        event.queue = UInt8(SND_SEQ_QUEUE_DIRECT)
        let result = snd_seq_event_output_direct(handle, &event)
        return result < 0 ? ALSAFault("snd_seq_event_output_direct", result) : nil
    }
}
