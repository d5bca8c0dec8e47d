import ArgumentParser
import Gateway
import Glibc

/// `carillon-gateway`: a session's page, HTTP, WebSocket and OSC.
@main
struct GatewayCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "carillon-gateway",
        abstract: "Open a session to a browser, a phone, a Prometheus server, a light desk.",
        discussion: """
            The session is one that was started with --control PATH; carillon play, live and serve start a gateway themselves \
            with --http and --osc. It serves the page, /api, /metrics, /health, /openapi.json and a WebSocket at /ws; with \
            --osc it takes OSC over UDP, where /carillon/seek/bar 12 is what seek bar 12 is elsewhere. Only this machine \
            reaches it unless --listen and --osc say otherwise, and then a file of tokens is needed: lines like full TOKEN, \
            which may steer, and reader TOKEN, which may look. In OSC a token is the first argument.

            Examples:
              carillon-gateway --control /run/user/1000/carillon.sock
              carillon-gateway --control carillon.sock --listen 8080
              carillon-gateway --control carillon.sock --listen 8080 --osc 9000
              carillon-gateway --listen 0.0.0.0:8080 --token-file tokens
              carillon-gateway --listen 0.0.0.0:8080 --token-file tokens --check
            """)

    @Option(
        name: [.customLong("control"), .customLong("socket")],
        help: ArgumentHelp(
            "The session's socket. (default: $CARILLON_CONTROL, else carillon.sock in $XDG_RUNTIME_DIR)", valueName: "path"),
        completion: .file())
    var control: String?

    @Option(
        help: ArgumentHelp(
            """
            Where it listens: a port, or an address with a port; give it again for more. (default: 8642; with --osc alone, \
            nowhere)
            """, valueName: "address"))
    var listen: [String] = []

    @Option(help: ArgumentHelp("Where it takes OSC over UDP: a port, or an address with a port.", valueName: "address"))
    var osc: String?

    @Option(
        help: ArgumentHelp("Who may come: a file of tokens that only its owner can read.", valueName: "path"),
        completion: .file())
    var tokenFile: String?

    @Option(
        help: ArgumentHelp(
            "A page of another address that may ask too, like https://museum.example; give it again for more.",
            valueName: "origin"))
    var origin: [String] = []

    @Option(
        help: ArgumentHelp(
            """
            A proxy whose word (X-Forwarded-For) on where a request comes from is taken, so that limits count by those behind it; \
            give it again for more.
            """, valueName: "address"))
    var trustedProxy: [String] = []

    @Flag(help: "Look whether it could begin: addresses, tokens, proxies. It listens nowhere.")
    var check = false

    @Flag(help: "End when standard input ends: for whoever starts it beside a session.")
    var untilInputEnds = false

    func run() throws {
        if untilInputEnds {
            // Descriptors of the session must not stay open here: a sound card is free once the session has closed it.
            for descriptor in 3..<1024 { close(Int32(descriptor)) }
            // Sound comes first if a processor is busy.
            setpriority(Int32(PRIO_PROCESS.rawValue), 0, 5)
        }
        var signals = Self.holdSignals()
        let gateway: Gateway
        do throws(GatewayError) {
            let options = try options()
            if check { return try options.check() }
            gateway = try Gateway(options)
        } catch { throw Self.failure(error) }
        for address in gateway.addresses { Self.say("http://\(address)/") }
        if let address = gateway.osc { Self.say("osc.udp://\(address)/") }
        if untilInputEnds { Self.followInput() }
        var number: Int32 = 0
        sigwait(&signals, &number)
        gateway.end()
    }

    /// Blocks signals until `sigwait` takes them: in this thread, and so in all that it begins.
    private static func holdSignals() -> sigset_t {
        var signals = sigset_t()
        sigemptyset(&signals)
        for number in [SIGINT, SIGTERM, SIGHUP] { sigaddset(&signals, number) }
        pthread_sigmask(SIG_BLOCK, &signals, nil)
        signal(SIGPIPE, SIG_IGN)
        return signals
    }

    /// Sends this process a signal when the standard input ends.
    private static func followInput() {
        var thread = pthread_t()
        let code = pthread_create(
            &thread, nil,
            { _ in
                var byte: UInt8 = 0
                var count: Int
                repeat { count = read(STDIN_FILENO, &byte, 1) } while count > 0 || (count < 0 && errno == EINTR)
                kill(getpid(), SIGTERM)
                return nil
            }, nil)
        if code != 0 { return say("standard input is not followed: \(String(cString: strerror(code)))") }
        pthread_detach(thread)
    }

    private func options() throws(GatewayError) -> Gateway.Options {
        var addresses: [ListenAddress] = []
        for text in listen.isEmpty && osc == nil ? ["8642"] : listen { addresses.append(try ListenAddress(text)) }
        let tokens: Tokens? = if let tokenFile { try Tokens(path: tokenFile) } else { nil }
        // A check begins nothing and needs no session.
        let socket = check ? control ?? "carillon.sock" : try path()
        var options = Gateway.Options(socket: socket, addresses: addresses, tokens: tokens)
        (options.origins, options.proxies) = (origin, trustedProxy)
        if let osc { options.osc = try ListenAddress(osc) }
        return options
    }

    private func path() throws(GatewayError) -> String {
        if let control { return control }
        for (name, file) in [("CARILLON_CONTROL", ""), ("XDG_RUNTIME_DIR", "/carillon.sock")] {
            if let value = getenv(name).map({ String(cString: $0) }), !value.isEmpty { return value + file }
        }
        throw .socketPath("")
    }

    private static func failure(_ error: GatewayError) -> ExitCode {
        say("\(error)")
        return switch error {
        case .address, .needsToken, .socketPath, .proxy: ExitCode(64)
        case .tokenFile: ExitCode(66)
        case .cannotListen: ExitCode(73)
        }
    }

    private static func say(_ text: String) {
        let line = Array("carillon-gateway: \(text)\n".utf8)
        // If standard error is closed, the line is lost.
        _ = write(STDERR_FILENO, line, line.count)
    }
}
