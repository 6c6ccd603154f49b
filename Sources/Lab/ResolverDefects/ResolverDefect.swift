public import ResolverChecking

/// A conflict resolver with a defect that occurs in applications.
public enum ResolverDefect: String, CaseIterable, Hashable, Sendable {
  // The answer depends on more than the conflict.
  case firstLeaf = "first-leaf"
  case parentAsGiven = "parent-as-given"
  case leafOrderConcatenation = "leaf-order-concatenation"
  case deviceName = "device-name"
  case clock
  case random
  case hashSeed = "hash-seed"
  case memory
  case memberOrder = "member-order"

  // The answer changes what it has resolved.
  case laterTimestamp = "later-timestamp"
  case appendsEntry = "appends-entry"
  case arraysAppended = "arrays-appended"
  case counterSum = "counter-sum"
  case counterDelta = "counter-delta"

  // The answer loses what one side did.
  case dropsLoser = "drops-loser"
  case unionOfMembers = "union-of-members"
  case ignoresTombstones = "ignores-tombstones"
  case revivesDocument = "revives-document"
  case tombstoneAsEmpty = "tombstone-as-empty"
  case nullAsRemoved = "null-as-removed"
  case wholeNumbers = "whole-numbers"
  case deletesOnConflict = "deletes-on-conflict"

  // The answer cannot be used.
  case reservedMember = "reserved-member"
  case keepsAncestor = "keeps-ancestor"
  case leavesConflict = "leaves-conflict"
  case throwsError = "throws-error"
  case hangs
  case traps

  /// What the resolver does, as a sentence.
  public var sentence: String {
    switch self {
    case .firstLeaf: "Keeps the first leaf as it is given."
    case .parentAsGiven: "Merges, and writes the result below the first leaf as it is given."
    case .leafOrderConcatenation: "Joins contradicting values in the order of the leaves."
    case .deviceName: "Keeps the winner on the phone and the other leaf elsewhere."
    case .clock: "Writes the time of the resolution into the document."
    case .random: "Keeps a random leaf."
    case .hashSeed: "Keeps the leaf with the greater hash, which differs in each process."
    case .memory: "Keeps the same side as last time, and then the other one."
    case .memberOrder: "Writes the members in another order each time."
    case .laterTimestamp: "Sets the member a to a greater number than all sides."
    case .appendsEntry: "Appends an entry to a log in the document."
    case .arraysAppended: "Appends the arrays and texts of all sides to each other."
    case .counterSum: "Adds the numbers of all sides."
    case .counterDelta: "Adds what each side added to the ancestor's number."
    case .dropsLoser: "Keeps the winner, and drops what the other sides changed."
    case .unionOfMembers: "Takes the members of all sides, also those that one side removed."
    case .ignoresTombstones: "Merges the live leaves, and never deletes."
    case .revivesDocument: "Writes the ancestor if all sides deleted the document."
    case .tombstoneAsEmpty: "Treats a tombstone as a document without members."
    case .nullAsRemoved: "Drops members with the value null."
    case .wholeNumbers: "Reads all numbers as integers."
    case .deletesOnConflict: "Deletes the document if two sides contradict each other."
    case .reservedMember: "Writes the ids of the merged leaves into a member _conflicts."
    case .keepsAncestor: "Answers with the ancestor if the sides contradict each other."
    case .leavesConflict: "Leaves the conflict if two sides contradict each other."
    case .throwsError: "Throws an error if a member was removed on all sides."
    case .hangs: "Never answers if a member was removed on one side."
    case .traps: "Ends its process if a member was removed on one side."
    }
  }

  /// The guarantee that it breaks.
  public var broken: ResolverGuarantee {
    switch self {
    case .firstLeaf, .parentAsGiven, .leafOrderConcatenation: .orderIndependent
    case .deviceName: .deviceIndependent
    case .clock, .random, .hashSeed, .memory: .deterministic
    case .memberOrder: .sameBytes
    case .laterTimestamp, .appendsEntry, .arraysAppended, .counterSum, .counterDelta: .idempotent
    case .dropsLoser, .nullAsRemoved, .wholeNumbers, .tombstoneAsEmpty, .deletesOnConflict:
      .keepsChanges
    case .unionOfMembers: .keepsRemovals
    case .ignoresTombstones, .revivesDocument: .keepsDeletions
    case .reservedMember, .keepsAncestor: .valid
    case .leavesConflict: .resolves
    case .throwsError, .hangs, .traps: .answers
    }
  }

  /// Whether one process shows the defect, and survives it.
  public var isVisibleInOneProcess: Bool { self != .hashSeed && self != .traps }
}
