import Carillon

/// A description of what `carillon-gateway` offers over HTTP, in the words of OpenAPI 3.1, made from the declarations.
enum OpenAPI {
    /// One line of JSON.
    static let text = FieldValue.group([
        ("openapi", .text("3.1.0")),
        (
            "info",
            .group([
                ("title", .text("Carillon")), ("version", .text("\(SessionSnapshot.statusVersion)")),
                ("description", .text("What a session of Carillon tells, and what it may be asked, over HTTP.")),
            ])
        ),
        (
            "paths",
            .group(
                questions.map { ($0.path, .group([("get", $0.operation)])) } + [
                    ("/metrics", .group([("get", operation("The metrics, for a Prometheus server.", type: "text/plain"))])),
                    ("/health", .group([("get", operation("Whether all is well; 503 where it is not."))])),
                    ("/api/command", .group([("post", command)])),
                    ("/login", .group([("post", login)])),
                ])
        ),
        (
            "components",
            .group([
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
                )
            ])
        ),
        ("security", .list([.group([]), .group([("token", .list([]))]), .group([("cookie", .list([]))])])),
    ]).json

    /// Questions that are answered under `/api/`: the verbs that only ask, in their own words.
    private static var questions: [(path: String, operation: FieldValue)] {
        let shapes = ["status": SessionSnapshot.shape, "week": [SessionSnapshot.House.Change].shape]
        return ControlGrammar.allVerbs.filter { $0.role == .look && $0.words.count == 1 && !unasked.contains($0.words[0]) }
            .map { verb in
                let shape = verb.shape ?? shapes[verb.words[0]]
                return ("/api/\(verb.words[0])", operation(verb.help, parameters: verb.arguments, shape: shape))
            }
    }

    /// Questions that have another way over HTTP, or none.
    private static let unasked: Set<String> = ["watch", "health", "openapi", "role", "presets"]

    private static func operation(
        _ help: String, parameters: [VerbArgument] = [], type: String = "application/json", shape: FieldShape? = nil
    ) -> FieldValue {
        .group([
            ("summary", .text(help)),
            (
                "parameters",
                .list(
                    parameters.map { argument in
                        .group([
                            ("name", .text(argument.name.lowercased())), ("in", .text("query")),
                            ("required", .flag(!argument.isOptional)), ("schema", .group([("type", .text("number"))])),
                        ])
                    })
            ),
            ("responses", responses([("200", help, type)], shape)),
        ])
    }

    /// A shape in the words of JSON Schema.
    private static func schema(_ shape: FieldShape) -> [(String, FieldValue)] {
        func type(_ name: String) -> (String, FieldValue) { ("type", .text(name)) }
        return switch shape {
        case .text: [type("string")]
        case .whole: [type("integer")]
        // JSON has no word for what is not finite.
        case .number: [("type", .list([.text("number"), .text("null")]))]
        case .flag: [type("boolean")]
        case .choice(let words): [type("string"), ("enum", .list(words.map { .text($0) }))]
        case .list(let item): [type("array"), ("items", .group(schema(item)))]
        case .group(let members):
            [
                type("object"),
                (
                    "properties",
                    .group(members.map { ($0.name, .group([("description", .text($0.help))] + schema($0.shape))) })
                ),
                ("required", .list(members.map { .text($0.name) })),
            ]
        case .optional(let shape): [("anyOf", .list([.group(schema(shape)), .group([type("null")])]))]
        }
    }

    private static func responses(
        _ responses: [(String, String, String?)], _ shape: FieldShape? = nil
    ) -> FieldValue {
        .group(
            responses.map { code, help, type in
                (
                    code,
                    .group(
                        [("description", .text(help))]
                            + (type.map {
                                [("content", .group([($0, .group(shape.map { [("schema", .group(schema($0)))] } ?? []))]))]
                            } ?? []))
                )
            })
    }

    private static var command: FieldValue {
        let verbs = Verb.ofSessions.filter { $0.role != .look }
        let lines = verbs.map { "`\($0.text)`: \($0.help)" }.joined(separator: "\n")
        return .group([
            ("summary", .text("Steers the session: a request of one line.")), ("description", .text(lines)),
            (
                "requestBody",
                .group([
                    ("required", .flag(true)),
                    (
                        "content",
                        .group([
                            (
                                "text/plain",
                                .group([
                                    (
                                        "schema",
                                        .group([
                                            ("type", .text("string")), ("maxLength", .whole(ControlGrammar.longestLine)),
                                        ])
                                    ),
                                    (
                                        "examples",
                                        .group(
                                            verbs.map { verb in
                                                (verb.text, .group([("value", .text(verb.example))]))
                                            })
                                    ),
                                ])
                            )
                        ])
                    ),
                ])
            ),
            (
                "responses",
                responses([
                    ("200", "It was done: {\"answer\": \"ok\"}.", "application/json"),
                    ("400", "It was refused: {\"error\": \"a sentence\"}.", "application/json"),
                    ("401", "A token is needed.", nil), ("403", "This token may only look.", nil),
                    ("429", "Too many requests.", nil),
                ])
            ),
        ])
    }

    private static var login: FieldValue {
        .group([
            ("summary", .text("Exchanges a token for a cookie.")),
            (
                "requestBody",
                .group([
                    ("required", .flag(true)), ("content", .group([("text/plain", .group([]))])),
                ])
            ),
            ("responses", responses([("204", "The cookie is set.", nil), ("403", "The token is wrong.", nil)])),
        ])
    }
}
