extension UnitDescriptor {
    /// The music that a unit receives, always or depending on a property.
    public struct Hearing: Sendable, Hashable {
        /// A property whose words choose what is received.
        public struct Choice: Sendable, Hashable {
            /// The property, a text.
            public var property: String
            /// The word at which notes and controllers are heard, and the one at which the song's time is.
            public var notes: String, time: String

            /// `property` decides.
            public init(_ property: String, notes: String, time: String) {
                (self.property, self.notes, self.time) = (property, notes, time)
            }
        }

        /// True if notes and controllers reach `handle`.
        public var notes: Bool
        /// True if the song's time does.
        public var time: Bool
        /// The property that adds to it; nil for most.
        public var choice: Choice?

        /// Receives these kinds of music.
        public init(notes: Bool = false, time: Bool = false, choice: Choice? = nil) {
            (self.notes, self.time, self.choice) = (notes, time, choice)
        }

        /// Returns what a unit with these properties receives.
        public func chosen(by properties: [String: PropertyValue]) -> Hearing {
            guard let choice, case .text(let word)? = properties[choice.property] else { return self }
            return Hearing(notes: notes || word == choice.notes, time: time || word == choice.time, choice: choice)
        }
    }
}
