import Signals

extension GroupComparisons {
    /// Names of levels that others are compared with, where there are such.
    private static let references = ["rest", "baseline", "control", "pre"]

    /// The levels of a factor within people that are compared, the reference first. Every task has conditions of its own,
    /// and a reference among them; a condition that its task has alone is compared with those of other tasks.
    func pairs(of factor: String, _ observations: [GroupSummary.Observation]) -> [(Side, Side)] {
        let all = pairs(of: factor, Set(observations.map(\.label)))
        guard factor == "condition" else { return all }
        let tasks = conditions(observations).filter { $0.value.count > 1 }
        let within = tasks.sorted { NaturalOrder.precedes($0.key, $1.key) }.flatMap { task, labels in
            pairs(of: factor, labels, ofTask: task)
        }
        let told = Set(tasks.values.joined())
        let across = all.filter { !told.contains($0.0.label) || !told.contains($0.1.label) }
        // Tasks may have conditions in common.
        var seen: Set<Set<String>> = []
        let kept = (within + across).filter { seen.insert([$0.0.label, $0.1.label]).inserted }
        // Those of one reference stand together, in the order of what is compared with it.
        let references = kept.map { $0.0.label }
        return kept.sorted { one, other in
            let (first, second) = (references.firstIndex(of: one.0.label), references.firstIndex(of: other.0.label))
            if let first, let second, first != second { return first < second }
            return NaturalOrder.precedes(one.1.label, other.1.label)
        }
    }

    private func pairs(of factor: String, _ labels: Set<String>, ofTask task: String? = nil) -> [(Side, Side)] {
        let labels = labels.sorted(by: NaturalOrder.precedes)
        guard let first = reference(among: labels, ofTask: task) else { return [] }
        return labels.filter { $0 != first }.map {
            (Side(factor: factor, label: first), Side(factor: factor, label: $0))
        }
    }

    /// The conditions of each task; of recordings without a task those of an empty one.
    private func conditions(_ observations: [GroupSummary.Observation]) -> [String: Set<String>] {
        Dictionary(grouping: observations) { $0.circumstances[.task] ?? "" }.mapValues { Set($0.map(\.label)) }
    }

    /// The label that others are compared with: the one that was named, or is usual, or else the first.
    /// - Parameter meanings: what labels mean, where they are codes.
    func reference(among labels: [String], ofTask task: String? = nil, meanings: [String: String] = [:]) -> String? {
        let named = [task.flatMap { design.taskReference($0) }, design.reference].compactMap { $0?.lowercased() }
        return (named + Self.references).lazy.compactMap { name -> String? in
            labels.first { $0.lowercased() == name } ?? labels.first { meanings[$0]?.lowercased() == name }
        }.first ?? labels.first
    }

    /// References that nothing is called.
    var referenceWarnings: [String] {
        let observations = summary.factors.flatMap { summary.observations(of: $0) }
        let warnings = taskReferenceWarnings
        guard let reference = design.reference?.lowercased() else { return warnings }
        let labels = observations.map(\.label) + groups.flatMap { $0.levels + $0.meanings.values }
        guard !labels.contains(where: { $0.lowercased() == reference }) else { return warnings }
        return warnings + [
            "comparisons: reference: no condition, task, session or group is called \(design.reference ?? ""); there are "
                + (labels.isEmpty ? "none" : Listing.text(Set(labels).sorted()))
        ]
    }

    private var taskReferenceWarnings: [String] {
        guard !design.taskReferences.isEmpty else { return [] }
        let tasks = conditions(summary.observations(of: "condition"))
        return design.taskReferences.sorted { $0.key < $1.key }.compactMap { name, reference -> String? in
            guard let task = tasks.keys.first(where: { GroupDesign.isTask($0, called: name) }) else {
                let known = tasks.keys.filter { !$0.isEmpty }.sorted()
                return "comparisons: reference: no task called \(name) has conditions; "
                    + (known.isEmpty ? "none has" : "those that have are \(Listing.text(known))")
            }
            let labels = tasks[task] ?? []
            guard !labels.contains(where: { $0.lowercased() == reference.lowercased() }) else { return nil }
            return "comparisons: reference: no condition of task \(task) is called \(reference); there are "
                + Listing.text(labels.sorted())
        }
    }
}
