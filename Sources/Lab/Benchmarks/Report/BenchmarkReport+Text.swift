extension BenchmarkReport {
  /// The report for people: lines of at most `width` columns, if that is at least 60.
  ///
  /// With an earlier report a second table shows the change of each benchmark.
  public func text(width: Int = 100, comparedWith earlier: BenchmarkReport? = nil) -> String {
    var blocks = [heading(width: width), table(width: width)]
    if let earlier { blocks.append(comparison(with: earlier, width: width)) }
    return blocks.map { $0.joined(separator: "\n") + "\n" }.joined(separator: "\n")
  }

  private func heading(width: Int) -> [String] {
    let runCount = measurements.first?.store.nanoseconds.count ?? 0
    let runs = runCount == 1 ? "1 run" : "\(runCount) runs"
    var lines = Self.joined(machine.phrases, width: width)
    lines += Self.joined(
      ["stores \(storage == .disk ? "on disk" : "in memory")", "\(scale.rawValue) scale", runs],
      width: width)
    if machine.build == "debug" { lines.append("A debug build: these figures are meaningless.") }
    return lines
  }

  /// The figures of a measurement are those of its median run, but the ratio is taken pair by pair.
  private func table(width: Int) -> [String] {
    let ratios = measurements.map { $0.ratio }
    return TextTable(
      [
        .init(title: "benchmark", isFigure: false, cells: measurements.map { $0.name }),
        .init(title: "ratio", cells: ratios.map { Figures.ratio($0.median) }),
        .init(
          title: "min … max", isOptional: true,
          cells: ratios.map { "\(Figures.ratio($0.min)) … \(Figures.ratio($0.max))" }),
        .init(
          title: "store",
          cells: measurements.map { Figures.time(nanoseconds: $0.storeNanosecondsEach) }),
        .init(
          title: "baseline",
          cells: measurements.map { Figures.time(nanoseconds: $0.floorNanosecondsEach) }),
        .init(
          title: "store per second",
          cells: measurements.map { Figures.rate(nanosecondsEach: $0.storeNanosecondsEach) }),
        .init(
          title: "unit", isFigure: false, isOptional: true, cells: measurements.map { $0.unit }),
        .init(
          title: "per run", isOptional: true,
          cells: measurements.map { Figures.grouped($0.count) }),
      ] + memory, width: width
    ).lines
  }

  /// The column of a figure that only some systems report.
  private var memory: [TextTable.Column] {
    guard measurements.contains(where: { $0.memory != nil }) else { return [] }
    return [
      .init(
        title: "memory", isOptional: true,
        cells: measurements.map { $0.memory.map(Figures.megabytes) ?? "" })
    ]
  }

  private func comparison(with earlier: BenchmarkReport, width: Int) -> [String] {
    var lines = ["Since the earlier report; below 1 is faster:"]
    if earlier.machine != machine || earlier.storage != storage || earlier.scale != scale {
      lines.append("It is of another machine or build, storage or scale: compare only the ratios.")
    }
    let changes = changes(since: earlier)
    let table = TextTable(
      [
        .init(title: "benchmark", isFigure: false, cells: changes.map { $0.now.name }),
        .init(title: "store", cells: changes.map { Figures.ratio($0.store) }),
        .init(title: "baseline", cells: changes.map { Figures.ratio($0.floor) }),
        .init(title: "ratio now", cells: changes.map { Figures.ratio($0.now.ratio.median) }),
        .init(title: "then", cells: changes.map { Figures.ratio($0.then.ratio.median) }),
      ], width: width)
    return lines + (changes.isEmpty ? ["No benchmark is in both."] : table.lines)
  }

  /// Phrases on as many lines as needed.
  private static func joined(_ phrases: [String], width: Int) -> [String] {
    var lines: [String] = []
    for phrase in phrases {
      let longer = lines.last.map { "\($0) · \(phrase)" }
      if let longer, longer.unicodeScalars.count <= width {
        lines[lines.count - 1] = longer
      } else {
        lines.append(phrase)
      }
    }
    return lines
  }
}
