import Carillon
import Glibc

/// The thread of a control socket: waits for clients, requests, answers and snapshots, all at once.
struct SocketLoop {
    private let listener: ListeningSocket
    private let exchange: ControlExchange
    private let clock: @Sendable () -> Double
    private var links: [ControlLink] = []
    private var count = 0
    private var edition = 0
    /// Ends of notes whose clients have gone.
    private var lifts: [ControlCommand] = []
    /// The process can open no more files: the next client is accepted a while later.
    private var isFull = false

    init(listener: ListeningSocket, exchange: ControlExchange, clock: @escaping @Sendable () -> Double) {
        (self.listener, self.exchange, self.clock) = (listener, exchange, clock)
    }

    mutating func run() {
        while true {
            let isEnding = exchange.isEnding
            var waiting = [
                pollfd(fd: exchange.news.descriptor, events: Int16(POLLIN), revents: 0),
                pollfd(fd: isFull ? -1 : listener.descriptor, events: Int16(POLLIN), revents: 0),
            ]
            for link in links {
                let events = (link.wantsInput ? POLLIN : 0) | (link.wantsOutput ? POLLOUT : 0)
                waiting.append(pollfd(fd: link.descriptor, events: Int16(events), revents: 0))
            }
            let code = poll(&waiting, nfds_t(waiting.count), isEnding ? 0 : isFull ? 1000 : -1)
            if code < 0 && errno != EINTR { break }
            isFull = false
            exchange.news.take()
            deliver()
            let now = clock()
            for (index, polled) in waiting.dropFirst(2).enumerated() {
                let events = Int32(polled.revents)
                let hasInput = events & POLLIN != 0 && links[index].wantsInput
                if hasInput { links[index].read(exchange, now: now) }
                // Requests that the client sent before it went are read first, as far as there is room.
                if events & (POLLERR | POLLNVAL) != 0 || (events & POLLHUP != 0 && !hasInput) { links[index].cut() }
            }
            show(now)
            for index in links.indices { links[index].write(now: now) }
            for link in links where link.isDone {
                lifts += link.lifts
                close(link.descriptor)
            }
            links.removeAll(where: \.isDone)
            // Commands that find no room in the inbox are tried again in the next turn.
            while let lift = lifts.first, exchange.post(lift, client: 0, request: 0) { lifts.removeFirst() }
            if waiting[1].revents != 0 { accept() }
            if isEnding { break }
        }
        for link in links { close(link.descriptor) }
    }

    private mutating func deliver() {
        for answer in exchange.takeAnswers() {
            if let index = links.firstIndex(where: { $0.number == answer.client }) { links[index].take(answer) }
        }
    }

    /// Sends a new snapshot to the clients that watch; the text is made once for all of them.
    private mutating func show(_ now: Double) {
        let edition = exchange.edition
        if edition == self.edition { return }
        self.edition = edition
        var text: String?
        let exchange = exchange
        for index in links.indices {
            links[index].show(
                {
                    let made = text ?? exchange.status
                    text = made
                    return made
                }, now: now)
        }
    }

    private mutating func accept() {
        let descriptor = Glibc.accept(listener.descriptor, nil, nil)
        if descriptor < 0 {
            isFull = [EMFILE, ENFILE, ENOBUFS, ENOMEM].contains(errno)
            return
        }
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
        if links.count >= ControlSocket.mostClients {
            let text = "error \(ControlSocket.mostClients) clients are connected already; try again when one has disconnected\n"
            _ = send(descriptor, text, text.utf8.count, Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL))
            close(descriptor)
            return
        }
        count += 1
        let role = exchange.role.of(peer: Self.user(of: descriptor), besides: geteuid())
        links.append(ControlLink(descriptor, number: count, role: role, now: clock()))
    }

    /// The user whose process has connected; nil if the system does not report it.
    private static func user(of descriptor: Int32) -> uid_t? {
        // struct ucred, which only C programs of GNU see.
        var peer: (process: pid_t, user: uid_t, group: gid_t) = (0, 0, 0)
        var size = socklen_t(MemoryLayout.size(ofValue: peer))
        return getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 ? peer.user : nil
    }
}
