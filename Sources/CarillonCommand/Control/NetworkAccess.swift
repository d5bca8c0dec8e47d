import Carillon
import Control
import Glibc
import Installations

/// Where a session is reached from outside.
struct NetworkAccess: Hashable {
    /// The control socket's path; nil means none, or a place of its own if a gateway needs one.
    var socket: String?
    /// True if the session's group may open it too.
    var isForGroup = false
    var http: [String] = []
    var osc: String?
    var tokenFile: String?
    var origins: [String] = []
    var proxies: [String] = []

    var socketPath: String? {
        if let socket { return socket }
        return asksForGateway ? Self.folder + "/carillon-\(getpid()).sock" : nil
    }

    private var asksForGateway: Bool { !http.isEmpty || osc != nil }

    /// A folder for sockets that this user alone has, if the system has one.
    private static var folder: String {
        for name in ["XDG_RUNTIME_DIR", "TMPDIR"] {
            if let value = getenv(name).map({ String(cString: $0) }), !value.isEmpty { return value }
        }
        return "/tmp"
    }

    /// Opens the socket, before anything sounds; nil if no option asks for one.
    func socket(for inbox: CommandInbox) throws -> ControlSocket? {
        guard let socketPath else {
            if isForGroup {
                throw Failure.report("--control-mode: there is no socket; name its path with --control", exitCode: 64)
            }
            return nil
        }
        do throws(Fault) {
            return try ControlSocket(socketPath, inbox: inbox, grammar: .installation, isForGroup: isForGroup)
        } catch {
            throw Failure.report("--control: \(error)", exitCode: error.exitCode)
        }
    }

    func gateway(isPatient: Bool = false) throws -> GatewayProcess? {
        if http.isEmpty, !origins.isEmpty || !proxies.isEmpty {
            let what = origins.isEmpty ? "proxies stand before the page" : "origins are for the page"
            throw Failure.report("\(what): name its address with --http", exitCode: 64)
        }
        guard asksForGateway, let socketPath else {
            if tokenFile != nil {
                throw Failure.report("tokens are for the network: name an address with --http or --osc", exitCode: 64)
            }
            return nil
        }
        return try GatewayProcess(
            arguments(socketPath), addresses: http.count + (osc == nil ? 0 : 1), option: http.isEmpty ? "--osc" : "--http",
            isPatient: isPatient)
    }

    private func arguments(_ socketPath: String) -> [String] {
        var arguments = ["--control", socketPath, "--until-input-ends"]
        for address in http { arguments += ["--listen", address] }
        if let osc { arguments += ["--osc", osc] }
        if let tokenFile { arguments += ["--token-file", tokenFile] }
        for origin in origins { arguments += ["--origin", origin] }
        for proxy in proxies { arguments += ["--trusted-proxy", proxy] }
        return arguments
    }

    /// Runs the gateway's own check of addresses, tokens and proxies. It does not listen. Any thread.
    var trial: InstallationTrial.NetworkAnswer {
        guard asksForGateway, let socketPath else { return .well }
        do throws(Fault) {
            return try GatewayProgram.run(arguments(socketPath) + ["--check"]).map { .fault($0) } ?? .well
        } catch {
            // The music does not wait for it, and it is begun when it is there.
            return .remark(error.sentence)
        }
    }

    func write(into network: inout Installation.Network) {
        (network.control, network.http, network.osc, network.tokenFile) = (socket, http, osc, tokenFile)
        (network.origins, network.proxies) = (origins, proxies)
    }

    /// A file's settings count where the command line leaves one open.
    func completed(by network: Installation.Network) -> NetworkAccess {
        NetworkAccess(
            socket: socket ?? network.control, isForGroup: isForGroup, http: http.isEmpty ? network.http : http,
            osc: osc ?? network.osc, tokenFile: tokenFile ?? network.tokenFile,
            origins: origins.isEmpty ? network.origins : origins, proxies: proxies.isEmpty ? network.proxies : proxies)
    }
}

extension NetworkAccess {
    init(_ network: Installation.Network) {
        (socket, http, osc, tokenFile) = (network.control, network.http, network.osc, network.tokenFile)
        (origins, proxies) = (network.origins, network.proxies)
    }
}
