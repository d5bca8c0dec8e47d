import Carillon
import Reports

/// A description of what `carillon-gateway` offers over HTTP, in the words of OpenAPI 3.1, made from the declarations.
struct OpenAPI {
    let grammar: ControlGrammar

    /// One line of JSON.
    var text: String {
        FieldValue.group([
            ("openapi", .text("3.1.0")),
            (
                "info",
                .group([
                    ("title", .text("Carillon")), ("version", .text("\(SessionSnapshot.statusVersion)")),
                    ("description", .text("The status and the requests of a Carillon session, over HTTP.")),
                ])
            ),
            ("paths", .group(paths)),
            (
                "components",
                .group([
                    ("schemas", .group(answers.map { ($0.name, .group(JSONSchema.members($0.shape))) })),
                    (
                        "securitySchemes",
                        .group([
                            ("token", .group([("type", .text("http")), ("scheme", .text("bearer"))])),
                            (
                                "cookie",
                                .group([
                                    ("type", .text("apiKey")), ("in", .text("cookie")), ("name", .text("carillon")),
                                ])
                            ),
                        ])
                    ),
                ])
            ),
            ("security", .list([.group([]), .group([("token", .list([]))]), .group([("cookie", .list([]))])])),
        ]).json
    }

    private var paths: [(String, FieldValue)] {
        let reports = questions.map { verb -> (String, FieldValue) in
            ("/api/\(verb.words[0])", .group([("get", operation(verb.help, name(verb), parameters: verb.arguments))]))
        }
        let health = "Whether all is well; 503 where it is not, or the session is not there."
        return reports + [
            ("/api/role", .group([("get", operation("What this client may do.", "Role"))])),
            ("/api/command", .group([("post", command)])),
            (
                "/health",
                .group([
                    (
                        "get",
                        .group([
                            ("summary", .text(health)), ("security", .list([])),
                            (
                                "responses",
                                .group([
                                    response("200", "All is well.", schema: "Health"),
                                    response("503", "Something is wrong.", schema: "Health"),
                                    response("429", "Too many requests.", schema: "Error"),
                                ])
                            ),
                        ])
                    )
                ])
            ),
            (
                "/metrics",
                .group([
                    (
                        "get",
                        operation("The metrics, for a Prometheus server.", type: "text/plain")
                    )
                ])
            ),
            ("/login", .group([("post", login)])),
            (
                "/logout",
                .group([
                    (
                        "post",
                        .group([
                            ("summary", .text("Removes the cookie.")), ("security", .list([])),
                            ("responses", .group([response("204", "The cookie is removed.", type: nil)])),
                        ])
                    )
                ])
            ),
        ]
    }

    /// Questions that are answered under `/api/`: the verbs that only ask, in their own words.
    private var questions: [Verb] {
        grammar.allVerbs.filter { verb in
            verb.role == .look && verb.words.count == 1 && !Self.unasked.contains(verb.words[0])
        }
    }

    /// Questions that have another way over HTTP, or none.
    private static let unasked: Set<String> = ["watch", "health", "openapi", "role", "presets"]

    /// The shape of each answer, with its name: a question's is that of its verb.
    private var answers: [(name: String, shape: FieldShape)] {
        let reports = questions.compactMap { verb in
            (verb.shape ?? AskingVerb.all.first { $0.verb == verb }?.shape(grammar.vocabulary)).map { (name(verb), $0) }
        }
        return reports + [
            ("Role", .group([("role", "What this client may do.", .choice(["full", "reader"]))])),
            (
                "Health",
                .group([
                    ("isHealthy", "Whether all is well.", .flag),
                    ("fault", "What is wrong, and since when; null without a token.", .optional(.text)),
                ])
            ),
            ("Done", .group([("answer", "ok, or ok with the path of what was saved.", .text)])),
            ("Error", .group([("error", "A sentence that says what is wrong.", .text)])),
        ]
    }

    private func name(_ verb: Verb) -> String {
        verb.words[0].prefix(1).uppercased() + verb.words[0].dropFirst()
    }

    private func operation(
        _ help: String, _ schema: String? = nil, parameters: [VerbArgument] = [], type: String = "application/json"
    ) -> FieldValue {
        .group([
            ("summary", .text(help)),
            (
                "parameters",
                .list(
                    parameters.map { argument in
                        .group([
                            ("name", .text(argument.name.lowercased())), ("in", .text("query")),
                            ("required", .flag(!argument.isOptional)),
                            ("schema", .group([("type", .text(argument.isText ? "string" : "number"))])),
                        ])
                    })
            ),
            ("responses", .group([response("200", help, schema: schema, type: type)] + refusals)),
        ])
    }

    private var refusals: [(String, FieldValue)] {
        [
            response("401", "A token is needed.", schema: "Error"),
            response("404", "Not available: no song plays, or no installation runs.", schema: "Error"),
            response("429", "Too many requests.", schema: "Error"),
            response("503", "The session is not there.", schema: "Error"),
        ]
    }

    /// A response by its code; a text alone where it has no schema, nothing where it has no type.
    private func response(
        _ code: String, _ help: String, schema: String? = nil, type: String? = "application/json"
    ) -> (String, FieldValue) {
        let shape: (String, FieldValue) =
            schema.map { ("$ref", .text("#/components/schemas/\($0)")) } ?? ("type", .text("string"))
        let content = type.map { [("content", FieldValue.group([($0, .group([("schema", .group([shape]))]))]))] } ?? []
        return (code, .group([("description", .text(help))] + content))
    }

    private var command: FieldValue {
        let verbs = grammar.vocabulary.verbs.filter { $0.role != .look }
        let lines = verbs.map { "`\($0.text)`: \($0.help)" }.joined(separator: "\n")
        let examples = verbs.map { verb in (verb.text, FieldValue.group([("value", .text(verb.example))])) }
        return .group([
            ("summary", .text("Controls the session: a request of one line.")), ("description", .text(lines)),
            ("requestBody", body([("maxLength", .whole(ControlGrammar.longestLine))], [("examples", .group(examples))])),
            (
                "responses",
                .group([
                    response("200", "It was done.", schema: "Done"),
                    response("400", "It was refused.", schema: "Error"),
                    response("401", "A token is needed.", schema: "Error"),
                    response("403", "This token is read-only.", schema: "Error"),
                    response("429", "Too many requests.", schema: "Error"),
                    response("503", "The session is not there.", schema: "Error"),
                ])
            ),
        ])
    }

    private var login: FieldValue {
        .group([
            ("summary", .text("Exchanges a token, the body, for a cookie.")), ("security", .list([])),
            ("requestBody", body()),
            (
                "responses",
                .group([
                    response("204", "The cookie is set.", type: nil),
                    response("403", "The token is wrong.", schema: "Error"),
                    response("429", "Too many wrong tokens.", schema: "Error"),
                ])
            ),
        ])
    }

    private func body(
        _ schema: [(String, FieldValue)] = [], _ more: [(String, FieldValue)] = []
    ) -> FieldValue {
        let text = FieldValue.group([("schema", .group([("type", .text("string"))] + schema))] + more)
        return .group([("required", .flag(true)), ("content", .group([("text/plain", text)]))])
    }
}

extension VerbArgument {
    fileprivate var isText: Bool {
        switch kind {
        case .name, .choice, .setting, .toggle, .meter, .tempo, .request: true
        case .number, .whole, .shift, .labelled: false
        }
    }
}
