import Carillon

/// A description of what `carillon-gateway` offers over HTTP, in the words of OpenAPI 3.1, made from the declarations.
enum OpenAPI {
    /// One line of JSON.
    static let text = JSONText.object([
        ("openapi", .string("3.1.0")),
        (
            "info",
            .object([
                ("title", .string("Carillon")), ("version", .string("\(StatusJSON.version)")),
                ("description", .string("What a session of Carillon tells, and what it may be asked, over HTTP.")),
            ])
        ),
        (
            "paths",
            .object(
                questions.map { path, help, parameters in
                    (path, .object([("get", operation(help, parameters: parameters))]))
                } + [
                    ("/metrics", .object([("get", operation("The metrics, for a Prometheus server.", type: "text/plain"))])),
                    ("/health", .object([("get", operation("Whether all is well; 503 where it is not."))])),
                    ("/api/command", .object([("post", command)])),
                    ("/login", .object([("post", login)])),
                ])
        ),
        (
            "components",
            .object([
                (
                    "securitySchemes",
                    .object([
                        ("token", .object([("type", .string("http")), ("scheme", .string("bearer"))])),
                        (
                            "cookie",
                            .object([
                                ("type", .string("apiKey")), ("in", .string("cookie")), ("name", .string("carillon")),
                            ])
                        ),
                    ])
                )
            ])
        ),
        ("security", .array([.object([]), .object([("token", .array([]))]), .object([("cookie", .array([]))])])),
    ]).text

    /// Questions that are answered under `/api/`: the verbs that only ask, in their own words.
    private static var questions: [(String, String, [String])] {
        let paths = [
            ("status", []), ("metrics", []), ("song", []), ("notes", ["from", "to"]), ("sounds", []), ("parameters", []),
            ("log", []), ("help", []),
        ]
        return paths.compactMap { word, parameters in
            AskingVerb.all.first { $0.verb.words == [word] }.map { ("/api/\(word)", $0.verb.help, parameters) }
        }
    }

    private static func operation(
        _ help: String, parameters: [String] = [], type: String = "application/json"
    ) -> JSONText {
        .object([
            ("summary", .string(help)),
            (
                "parameters",
                .array(
                    parameters.map { name in
                        .object([
                            ("name", .string(name)), ("in", .string("query")), ("required", .flag(true)),
                            ("schema", .object([("type", .string("number"))])),
                        ])
                    })
            ),
            ("responses", responses([("200", help, type)])),
        ])
    }

    private static func responses(_ responses: [(String, String, String?)]) -> JSONText {
        .object(
            responses.map { code, help, type in
                (
                    code,
                    .object(
                        [("description", .string(help))]
                            + (type.map { [("content", .object([($0, .object([]))]))] } ?? []))
                )
            })
    }

    private static var command: JSONText {
        let verbs = Verb.ofSessions
        let lines = verbs.map { "`\($0.text)`: \($0.help)" }.joined(separator: "\n")
        return .object([
            ("summary", .string("Steers the session: a request of one line.")), ("description", .string(lines)),
            (
                "requestBody",
                .object([
                    ("required", .flag(true)),
                    (
                        "content",
                        .object([
                            (
                                "text/plain",
                                .object([
                                    (
                                        "schema",
                                        .object([
                                            ("type", .string("string")), ("maxLength", .whole(ControlGrammar.longestLine)),
                                        ])
                                    ),
                                    (
                                        "examples",
                                        .object(
                                            verbs.map { verb in
                                                (verb.text, .object([("value", .string(verb.example))]))
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

    private static var login: JSONText {
        .object([
            ("summary", .string("Exchanges a token for a cookie.")),
            (
                "requestBody",
                .object([
                    ("required", .flag(true)), ("content", .object([("text/plain", .object([]))])),
                ])
            ),
            ("responses", responses([("204", "The cookie is set.", nil), ("403", "The token is wrong.", nil)])),
        ])
    }
}
