extension GraphReport {
    /// The graph in the language of Graphviz: `carillon graph show --dot SONG | dot -Tpdf`.
    public var dot: String {
        var lines = [
            "digraph carillon {", "  rankdir=LR;", "  node [shape=box, style=rounded, fontname=\"sans-serif\"];",
            "  edge [fontname=\"sans-serif\", fontsize=10];",
        ]
        for unit in units {
            let style = unit.isBypassed ? ", style=\"rounded,dashed\"" : ""
            lines.append("  \(Self.quoted(unit.name)) [label=\(Self.quoted(unit.name, unit.facts))\(style)];")
        }
        for edge in edges {
            let style = edge.carriesMusic ? ", style=dotted" : edge.isSend ? ", style=dashed" : ""
            lines.append(
                "  \(Self.quoted(edge.source)) -> \(Self.quoted(edge.destination)) "
                    + "[label=\(Self.quoted(edge.passage, [edge.format]))\(style)];")
        }
        if let output {
            // No unit can have an empty name of this kind: a space in front.
            lines.append("  \" output\" [label=\(Self.quoted("output", [outputFacts])), shape=plaintext];")
            lines.append("  \(Self.quoted(output.unit)) -> \" output\" [label=\(Self.quoted(Self.word(output.channels)))];")
        }
        return (lines + ["}"]).joined(separator: "\n")
    }

    private static func quoted(_ text: String, _ more: [String] = []) -> String {
        let lines = ([text] + more).map { line in
            line.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: " ")
        }
        return "\"\(lines.joined(separator: "\\n"))\""
    }
}
