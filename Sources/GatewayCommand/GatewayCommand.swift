import ArgumentParser
import Gateway
import Glibc

/// `carillon-gateway`: a session's page, HTTP, WebSocket and OSC.
@main
struct GatewayCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "carillon-gateway",
        abstract: "Connect a session to browsers, phones, a Prometheus server or a lighting desk.",
        discussion: """
            The session must have been started with --control PATH; carillon play, live and serve start a gateway themselves \
            with --http and --osc. It serves the page, /api, /metrics, /health, /openapi.json and a WebSocket at /ws; with \
            --osc it receives OSC over UDP, where /carillon/seek/bar 12 means seek bar 12. Only this machine \
            can reach it unless --listen and --osc say otherwise; then a file of tokens is needed: lines like full TOKEN, \
            which may control, and reader TOKEN, which may look. In OSC a token is the first argument.

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
            Where to listen: a port, or an address with a port. Can be given more than once. (default: 8642; with --osc alone, \
            nowhere)
            """, valueName: "address"))
    var listen: [String] = []

    @Option(help: ArgumentHelp("Where to receive OSC over UDP: a port, or an address with a port.", valueName: "address"))
    var osc: String?

    @Option(
        help: ArgumentHelp("Who may connect: a file of tokens that only its owner can read.", valueName: "path"),
        completion: .file())
    var tokenFile: String?

    @Option(
        help: ArgumentHelp(
            "Another web origin that may control the session, like https://museum.example. Can be given more than once.",
            valueName: "origin"))
    var origin: [String] = []

    @Option(
        help: ArgumentHelp(
            """
            A proxy whose X-Forwarded-For is trusted, so that limits count by the clients behind it. Can be given more than \
            once.
            """, valueName: "address"))
    var trustedProxy: [String] = []

    @Flag(help: "Check addresses, tokens and proxies without listening.")
    var check = false

    @Flag(help: "End when standard input ends, for programs that start it beside a session.")
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
        if code != 0 { return say("standard input cannot be watched: \(String(cString: strerror(code)))") }
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
