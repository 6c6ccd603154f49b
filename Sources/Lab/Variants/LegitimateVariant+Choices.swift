internal import ReferenceDatastore

extension LegitimateVariant {
  /// Other choices where the rules permit alternatives.
  static let choices: [LegitimateVariant] = [
    LegitimateVariant(
      "tombstone-edits-conflict", "An edit of a deleted leaf is a conflict.",
      telling: "edit-update-tombstone"
    ) { $0.choices[.tombstoneEdit] = 1 },
    LegitimateVariant(
      "tombstone-edits-deleted", "An edit of a deleted leaf is notFound (deleted).",
      telling: "edit-update-tombstone"
    ) { $0.choices[.tombstoneEdit] = 2 },
    LegitimateVariant(
      "repeated-edits-conflict", "An edit that the document already has is a conflict.",
      telling: "cdt-digest-edit-already-held"
    ) { $0.choices[.heldEdit] = 1 },
    LegitimateVariant(
      "late-bodies-ignored", "The body of a revision that was known without one is not kept.",
      telling: "tree-name-only-filled"
    ) { $0.choices[.lateBody] = 1 },
    LegitimateVariant(
      "longer-histories-ignored", "Older ancestors of a known revision are not adopted.",
      telling: "tree-longer-history-adopted"
    ) { $0.choices[.longerHistory] = 1 },
    LegitimateVariant(
      "stub-claims-ignored", "A stub of an attachment is accepted whatever else it claims.",
      telling: "attachment-stub-of-other-length"
    ) { $0.choices[.stubClaim] = 1 },
    LegitimateVariant(
      "empty-attachment-names", "An attachment may have an empty name.",
      telling: "attachment-empty-name"
    ) { $0.choices[.emptyName] = 1 },
    LegitimateVariant(
      "unused-content-kept", "Content that no revision uses stays after a compaction.",
      telling: "attachment-compact-drops-content",
      waived: ["ATT-041"]
    ) { $0.choices[.unusedContent] = 1 },
    LegitimateVariant(
      "uploads-forgotten", "Partial uploads are removed when a store is closed.",
      telling: "attachment-bring-then-reopen",
      waived: ["ATT-033"]
    ) { $0.choices[.uploadsAfterOpening] = 1 },
    LegitimateVariant(
      "last-error-first", "Of several errors of an operation, the last one is returned.",
      telling: "edit-update-unknown-document"
    ) { $0.choices[.fault] = .max },
    LegitimateVariant(
      "second-error-first", "Of several errors of an operation, the second one is returned.",
      telling: "edit-update-unknown-document"
    ) { $0.choices[.fault] = 1 },
    LegitimateVariant(
      "all-choices", "Every choice is another one than that of the model.",
      telling: "attachment-bring-then-reopen", waived: ["ATT-033", "ATT-041"]
    ) {
      for point in [
        ChoicePoint.fault, .tombstoneEdit, .heldEdit, .lateBody, .longerHistory, .stubClaim,
        .emptyName, .unusedContent, .uploadsAfterOpening,
      ] { $0.choices[point] = 1 }
    },
  ]

  /// Other names of new things.
  static let names: [LegitimateVariant] = [
    LegitimateVariant(
      "revisions-random", "Equal edits have different revision ids.",
      telling: "batch-resolve"
    ) {
      $0.revisions = .random
    },
    LegitimateVariant(
      "revisions-short", "Revision ids have 8 hexadecimal digits.",
      telling: "batch-resolve"
    ) {
      $0.revisions = .short
    },
    LegitimateVariant(
      "revisions-unicode", "Revision ids have characters outside of ASCII.",
      telling: "batch-resolve"
    ) {
      $0.revisions = .unicode
    },
    LegitimateVariant(
      "revisions-long", "Revision ids have 150 characters.",
      telling: "batch-resolve"
    ) {
      $0.revisions = .long
    },
    LegitimateVariant(
      "documents-unicode", "Ids of documents that are created without one are not hexadecimal.",
      telling: "edit-create-without-id"
    ) { $0.documents = .unicode },
    LegitimateVariant(
      "incarnations-short", "Incarnations have 8 hexadecimal digits.",
      telling: "store-incarnation-kept"
    ) {
      $0.incarnations = .short
    },
    LegitimateVariant(
      "incarnations-unicode", "Incarnations have characters outside of ASCII.",
      telling: "store-incarnation-kept"
    ) {
      $0.incarnations = .unicode
    },
  ]
}
