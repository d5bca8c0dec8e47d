import ArgumentParser

/// The ways on which others steer and watch a session: a Unix socket, and a gateway to the network before it.
struct NetworkArguments: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Allow this user to control the session through a Unix socket at this path, with carillon ctl.",
            valueName: "path"),
        completion: .file())
    var control: String?

    @Option(
        help: ArgumentHelp(
            """
            The permissions of that socket, as for chmod: 600, this user only; 660, also the group of this process, such as \
            a gateway with fewer rights; its users cannot end the session or name files. (default: 600)
            """, valueName: "mode"))
    var controlMode: ControlMode?

    @Option(
        help: ArgumentHelp(
            """
            Serve the page for browsers and phones over HTTP and a WebSocket: a port of this machine, or an address \
            with a port, which then needs tokens. Can be given more than once.
            """, valueName: "address"))
    var http: [String] = []

    @Option(
        help: ArgumentHelp(
            """
            Receive OSC over UDP: a port of this machine, or an address with a port, which then needs tokens; \
            /carillon/seek/bar 12 goes to bar 12.
            """, valueName: "address"))
    var osc: String?

    @Option(
        help: ArgumentHelp(
            "Who may connect over the network: a file with lines like full TOKEN or reader TOKEN, readable only by you.",
            valueName: "path"),
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
            A proxy in front of the page, like 127.0.0.1, whose X-Forwarded-For is trusted. Can be \
            given more than once.
            """, valueName: "address"))
    var trustedProxy: [String] = []

    func validate() throws {
        if control == "" { throw ValidationError("--control: the path is empty") }
        if http.contains("") { throw ValidationError("--http: the address is empty; write a port like 8642") }
        if osc == "" { throw ValidationError("--osc: the address is empty; write a port like 9000") }
        if tokenFile == "" { throw ValidationError("--token-file: the path is empty") }
    }

    var access: NetworkAccess {
        NetworkAccess(
            socket: control, isForGroup: controlMode == .group, http: http, osc: osc, tokenFile: tokenFile, origins: origin,
            proxies: trustedProxy)
    }
}
