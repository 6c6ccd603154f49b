public import Adapters

/// All benchmarks.
public enum BenchmarkSuite {
  /// The overhead of the runner for an operation behind an adapter; a fast operation shows it best.
  public static func adapter(at place: AdapterPlace, secret: AdapterSecret? = nil) -> Benchmark {
    Benchmark(
      "adapter", "Close a store behind an adapter; the baseline sends lines that are not parsed.",
      unit: "operations", count: 10_000, smallCount: 100
    ) { workbench, count throws(BenchmarkError) in
      try workbench.begin()
      return try AdapterContest(place, count: count, secret: secret)
    }
  }

  /// The benchmarks in the order of reports.
  public static let benchmarks: [Benchmark] =
    writes + reads + finding + attachments + values + trees + objects + replication + served

  private static let writes: [Benchmark] = [
    Benchmark(
      "write", "Create documents one by one: one transaction and one sync each.",
      unit: "writes", count: 50, smallCount: 20
    ) { workbench, count throws(BenchmarkError) in
      try CreateContest(workbench, count: count)
    },
    insertion(perCall: 1, calls: 50, smallCalls: 20),
    insertion(perCall: 10, calls: 50, smallCalls: 4),
    insertion(perCall: 1000, calls: 5, smallCalls: 1),
    Benchmark(
      "insert-deep",
      "Insert the next revision of a document that begins with 10,000, one per call.",
      unit: "records", count: 50, smallCount: 20
    ) { workbench, count throws(BenchmarkError) in
      try InsertContest(workbench, .generations(above: 10_000), count: count)
    },
    Benchmark(
      "insert-wide",
      "Insert children of leaves and new leaves where there are 1,000, one per call.",
      unit: "records", count: 50, smallCount: 20
    ) { workbench, count throws(BenchmarkError) in
      try InsertContest(workbench, .leaves(besides: 1000), count: count)
    },
    Benchmark(
      "insert-long",
      "Insert next revisions of documents with bodies of 3,000 bytes, one per call.",
      unit: "records", count: 50, smallCount: 20
    ) { workbench, count throws(BenchmarkError) in
      try InsertContest(workbench, .longBodies(documents: 1000), count: count)
    },
    Benchmark(
      "compact", "Drop the bodies of old revisions, ten of each document, in one call.",
      unit: "bodies", count: 50_000, smallCount: 100
    ) { workbench, count throws(BenchmarkError) in
      try CompactionContest(workbench, count: count)
    },
  ]

  /// New documents in calls of a given size.
  private static func insertion(perCall: Int, calls: Int, smallCalls: Int) -> Benchmark {
    Benchmark(
      "insert-\(perCall)",
      "Insert new documents with a path of two revisions, \(perCall) per call.",
      unit: "records", count: calls * perCall, smallCount: smallCalls * perCall
    ) { workbench, count throws(BenchmarkError) in
      try InsertContest(workbench, .newDocuments(perCall: perCall), count: count)
    }
  }

  private static let reads: [Benchmark] = [
    Benchmark(
      "read", "Read the live winner of a document by its id.",
      unit: "reads", count: 20_000, smallCount: 500
    ) { workbench, count throws(BenchmarkError) in
      try ReadContest(workbench, count: count, documents: max(count / 2, 500))
    },
    Benchmark(
      "read-wide", "List the leaves of a document with 1,000, and read its winner.",
      unit: "leaves", count: 100_000, smallCount: 1000
    ) { workbench, count throws(BenchmarkError) in
      try WideReadContest(workbench, count: count, leaves: 1000)
    },
    Benchmark(
      "get-revisions", "Get revisions with their history of two, 100 documents per call.",
      unit: "revisions", count: 20_000, smallCount: 500
    ) { workbench, count throws(BenchmarkError) in
      try RevisionsContest(
        workbench, count: count, perCall: 100, documents: max(count / 2, 500))
    },
    Benchmark(
      "changes", "Read the feed from its beginning in pages of 1,000 rows.",
      unit: "rows", count: 10_000, smallCount: 1000
    ) { workbench, count throws(BenchmarkError) in
      try ChangesContest(workbench, count: count, perPage: 1000)
    },
    Benchmark(
      "revs-diff", "Call revsDiff for 10,000 documents, half of them known.",
      unit: "ids", count: 10_000, smallCount: 1000
    ) { workbench, count throws(BenchmarkError) in
      try DifferenceContest(workbench, count: count)
    },
    Benchmark(
      "list", "List live documents by id in pages of 1,000 rows.",
      unit: "rows", count: 10_000, smallCount: 1000
    ) { workbench, count throws(BenchmarkError) in
      try ListContest(workbench, count: count, perPage: 1000)
    },
  ]

  private static let finding: [Benchmark] = [
    Benchmark(
      "find",
      "Find ten of 100,000 documents by a field with an index; the floor is plain SQL.",
      unit: "documents", count: 20_000, smallCount: 100
    ) { workbench, count throws(BenchmarkError) in
      try FindContest(
        workbench, documents: 5 * count, questions: count / FindContest.perGroup, hasIndex: true)
    },
    Benchmark(
      "find-scan", "Scan all documents for ten of them; the baseline is json_extract.",
      unit: "documents", count: 100_000, smallCount: 1000
    ) { workbench, count throws(BenchmarkError) in
      try FindContest(workbench, documents: count, questions: 1, hasIndex: false)
    },
  ]

  private static let attachments: [Benchmark] = [
    attaching(
      "attachments", "Insert documents with an attachment of 100 KiB, 100 per call.", perCall: 100),
    attaching(
      "attachments-1", "The same one per call: each has a sync of its folder and of its row.",
      perCall: 1),
    Benchmark(
      "attachments-shared",
      "Insert documents that share a content of 1 MB; those of the floor have none.",
      unit: "records", count: 10_000, smallCount: 100
    ) { workbench, count throws(BenchmarkError) in
      try SharedContentContest(workbench, bytes: 1_000_000, count: count)
    },
  ]

  private static func attaching(
    _ name: String, _ sentence: String, perCall: Int
  ) -> Benchmark {
    Benchmark(name, sentence, unit: "attachments", count: 1000, smallCount: 10) {
      workbench, count throws(BenchmarkError) in
      try AttachmentContest(workbench, bytes: 102_400, perCall: perCall, count: count)
    }
  }

  private static let values: [Benchmark] = [
    Benchmark(
      "json-parse", "Parse texts of about 160 bytes; the baseline is Jansson.",
      unit: "documents", count: 100_000, smallCount: 20
    ) { workbench, count throws(BenchmarkError) in
      try workbench.begin()
      return try JSONContest(.parse, count: count)
    },
    Benchmark(
      "json-print", "Print such texts; the baseline is Jansson.",
      unit: "documents", count: 100_000, smallCount: 20
    ) { workbench, count throws(BenchmarkError) in
      try workbench.begin()
      return try JSONContest(.print, count: count)
    },
  ]

  private static let trees: [Benchmark] = [
    Benchmark(
      "tree-merge", "Merge paths of ten revisions into a tree, in memory; one of ten is new.",
      unit: "paths", count: 10_000, smallCount: 200
    ) { workbench, count throws(BenchmarkError) in
      try workbench.begin()
      return try TreeContest(.merge, count: count)
    },
    Benchmark(
      "tree-winner", "Add a leaf to 1,000 and choose the winner; the baseline visits each leaf.",
      unit: "leaves", count: 1000, smallCount: 50
    ) { workbench, count throws(BenchmarkError) in
      try workbench.begin()
      return try TreeContest(.winner, count: count)
    },
  ]

  private static let objects: [Benchmark] = [
    Benchmark(
      "mapping",
      "Objects to documents and back; the floor is Jansson with the documents' texts.",
      unit: "attributes", count: 140_000, smallCount: 140
    ) { workbench, count throws(BenchmarkError) in
      try workbench.begin()
      return try MappingContest(count: count)
    }
  ]

  #if HTTP
    private static let served: [Benchmark] = [
      Benchmark(
        "replicate-http", "Replicate between two servers of this process over loopback.",
        unit: "documents", count: 100_000, smallCount: 500
      ) { workbench, count throws(BenchmarkError) in
        try ServedReplicationContest(workbench, count: count)
      }
    ]
  #else
    private static let served: [Benchmark] = []
  #endif

  private static let replication: [Benchmark] = [
    Benchmark(
      "replicate", "Replicate all documents of a store to an empty one, in pages of 5,000.",
      unit: "documents", count: 100_000, smallCount: 500
    ) { workbench, count throws(BenchmarkError) in
      try ReplicationContest(workbench, count: count)
    },
    Benchmark(
      "replicate-again", "Sessions between two stores of 100,000 documents without a change.",
      unit: "sessions", count: 1000, smallCount: 10
    ) { workbench, count throws(BenchmarkError) in
      try QuietSessionContest(workbench, count: count, documents: 100 * count)
    },
    Benchmark(
      "histories",
      "Check histories of 8 clients; the baseline performs them once on the model.",
      unit: "operations", count: 100, smallCount: 2
    ) { workbench, count throws(BenchmarkError) in
      try workbench.begin()
      return try HistoryContest(count: count)
    },
    Benchmark(
      "campaign",
      "Simulate 3 replicas of the model; the floor is their clients' operations alone.",
      unit: "runs", count: 100, smallCount: 2
    ) { workbench, count throws(BenchmarkError) in
      try workbench.begin()
      return CampaignContest(
        runs: count, replicas: 3, operations: 100, isModel: true, countsEvents: false,
        floor: .clients)
    },
    Benchmark(
      "campaign-sqlite",
      "The same with SQLite stores on files that never fail, checked by the model.",
      unit: "runs", count: 15, smallCount: 1
    ) { workbench, count throws(BenchmarkError) in
      try workbench.begin()
      return CampaignContest(
        runs: count, replicas: 3, operations: 100, isModel: false, countsEvents: false,
        floor: .clients)
    },
    Benchmark(
      "events", "The events of such runs on the model; the baseline is the clients' operations.",
      unit: "events", count: 100, smallCount: 2
    ) { workbench, count throws(BenchmarkError) in
      try workbench.begin()
      return CampaignContest(
        runs: count, replicas: 3, operations: 100, isModel: true, countsEvents: true,
        floor: .clients)
    },
    Benchmark(
      "events-16",
      "Events with 16 replicas; the floor is 2 replicas with as many operations.",
      unit: "events", count: 20, smallCount: 1
    ) { workbench, count throws(BenchmarkError) in
      try workbench.begin()
      return CampaignContest(
        runs: count, replicas: 16, operations: 15, isModel: true, countsEvents: true,
        floor: .twoReplicas)
    },
  ]
}
