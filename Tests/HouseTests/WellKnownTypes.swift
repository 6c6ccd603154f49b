/// Public top-level types of modules that an application or a test imports beside TouchstoneKit.
///
/// Names with an underscore and most of those that begin with `NS` are left out. The names of the
/// modules that Linux has are those of Swift 6.3.
enum WellKnownTypes {
  /// Swift, with concurrency and regular expressions.
  static let standardLibrary = words(
    """
    Actor AdditiveArithmetic AnyActor AnyBidirectionalCollection AnyClass AnyCollection
    AnyHashable AnyIndex AnyIterator AnyKeyPath AnyObject AnyRandomAccessCollection
    AnyRegexOutput AnySequence Array ArraySlice AsyncCompactMapSequence
    AsyncDropFirstSequence AsyncDropWhileSequence AsyncFilterSequence AsyncFlatMapSequence
    AsyncIteratorProtocol AsyncMapSequence AsyncPrefixSequence AsyncPrefixWhileSequence
    AsyncSequence AsyncStream AsyncThrowingCompactMapSequence AsyncThrowingDropWhileSequence
    AsyncThrowingFilterSequence AsyncThrowingFlatMapSequence AsyncThrowingMapSequence
    AsyncThrowingPrefixWhileSequence AsyncThrowingStream Atomic BidirectionalCollection
    BinaryFloatingPoint BinaryInteger BitwiseCopyable Bool BooleanLiteralType CVaListPointer
    CVarArg CancellationError CaseIterable Character CheckedContinuation Clock ClosedRange
    Codable CodingKey CodingKeyRepresentable CodingUserInfoKey Collection
    CollectionDifference CollectionOfOne CommandLine Comparable ContiguousArray
    ContinuousClock Copyable CountableClosedRange CountablePartialRangeFrom CountableRange
    CustomConsumingRegexComponent CustomDebugStringConvertible CustomLeafReflectable
    CustomPlaygroundDisplayConvertible CustomReflectable CustomStringConvertible Decodable
    Decoder DecodingError DefaultIndices DefaultStringInterpolation Dictionary
    DictionaryIndex DictionaryIterator DictionaryLiteral DiscardingTaskGroup
    DiscontiguousSlice Double DropFirstSequence DropWhileSequence Duration DurationProtocol
    EmptyCollection Encodable Encoder EncodingError EnumeratedIterator EnumeratedSequence
    Equatable Error Escapable Executor ExecutorJob ExpressibleByArrayLiteral
    ExpressibleByBooleanLiteral ExpressibleByDictionaryLiteral
    ExpressibleByExtendedGraphemeClusterLiteral ExpressibleByFloatLiteral
    ExpressibleByIntegerLiteral ExpressibleByNilLiteral ExpressibleByStringInterpolation
    ExpressibleByStringLiteral ExpressibleByUnicodeScalarLiteral ExtendedGraphemeClusterType
    FixedWidthInteger FlattenCollection FlattenSequence Float Float16 Float32 Float64
    Float80 FloatLiteralType FloatingPoint FloatingPointClassification
    FloatingPointRoundingRule FloatingPointSign GlobalActor Hashable Hasher Identifiable
    IndexingIterator InlineArray InstantProtocol Int Int128 Int16 Int32 Int64 Int8
    IntegerLiteralType IteratorProtocol IteratorSequence Job JobPriority JoinedSequence
    KeyPath KeyValuePairs KeyedDecodingContainer KeyedDecodingContainerProtocol
    KeyedEncodingContainer KeyedEncodingContainerProtocol LazyCollection
    LazyCollectionProtocol LazyDropWhileSequence LazyFilterSequence LazyMapSequence
    LazyPrefixWhileSequence LazySequence LazySequenceProtocol LosslessStringConvertible
    MainActor ManagedBuffer ManagedBufferPointer MemoryLayout Mirror MirrorPath
    MutableCollection MutableRawSpan MutableSpan Mutex Never Numeric ObjectIdentifier
    OpaquePointer OptionSet Optional OutputRawSpan OutputSpan PartialKeyPath
    PartialRangeFrom PartialRangeThrough PartialRangeUpTo PlaygroundQuickLook PrefixSequence
    RandomAccessCollection RandomNumberGenerator Range RangeExpression
    RangeReplaceableCollection RangeSet RawRepresentable RawSpan ReferenceWritableKeyPath
    Regex RegexComponent RegexRepetitionBehavior RegexSemanticLevel RegexWordBoundaryKind
    Repeated Result ReversedCollection SIMD SIMDMask SIMDScalar SIMDStorage Sendable
    SendableMetatype Sequence SerialExecutor Set SetAlgebra SetIndex SetIterator
    SignedInteger SignedNumeric SingleValueDecodingContainer SingleValueEncodingContainer
    Slice Span StaticBigInt StaticString StrideThrough StrideThroughIterator StrideTo
    StrideToIterator Strideable String StringInterpolationProtocol StringLiteralType
    StringProtocol Substring SuspendingClock SystemRandomNumberGenerator Task TaskExecutor
    TaskGroup TaskLocal TaskPriority TextOutputStream TextOutputStreamable
    ThrowingDiscardingTaskGroup ThrowingTaskGroup UInt UInt128 UInt16 UInt32 UInt64 UInt8
    UTF16 UTF32 UTF8 UTF8Span UnboundedRange UnfoldFirstSequence UnfoldSequence Unicode
    UnicodeCodec UnicodeDecodingResult UnicodeScalar UnicodeScalarType
    UnkeyedDecodingContainer UnkeyedEncodingContainer Unmanaged UnownedJob
    UnownedSerialExecutor UnownedTaskExecutor UnsafeBufferPointer UnsafeContinuation
    UnsafeCurrentTask UnsafeMutableBufferPointer UnsafeMutablePointer
    UnsafeMutableRawBufferPointer UnsafeMutableRawPointer UnsafePointer
    UnsafeRawBufferPointer UnsafeRawPointer UnsignedInteger Void WritableKeyPath
    Zip2Sequence
    """)

  /// Foundation with networking, and Selector of Objective-C.
  static let foundation = words(
    """
    AffineTransform AlignmentOptions AttributeContainer AttributeDynamicLookup
    AttributeScope AttributeScopeCodableConfiguration AttributeScopes AttributedString
    AttributedStringAttributeMutation AttributedStringKey AttributedStringProtocol
    AttributedSubstring BlockOperation Bundle ByteCountFormatStyle ByteCountFormatter
    CGFloat CGPoint CGRect CGRectEdge CGSize CachedURLResponse Calendar CharacterSet
    CocoaError CodableAttributedStringKey CodableConfiguration CodableWithConfiguration
    ComparableComparator Comparator ComparisonResult ContiguousBytes CustomNSError Data
    DataProtocol Date DateComponents DateComponentsFormatter DateFormatter DateInterval
    DateIntervalFormatter Decimal DecodableAttributedStringKey DecodableWithConfiguration
    DecodingConfigurationProviding Dimension DiscontiguousAttributedSubstring
    DiscreteFormatStyle DistributedNotificationCenter EncodableAttributedStringKey
    EncodableWithConfiguration EncodingConfigurationProviding EnergyFormatter ErrorPointer
    Expression FileAttributeKey FileAttributeType FileHandle FileManager FileManagerDelegate
    FileProtectionType FileWrapper FloatingPointFormatStyle FormatStyle Formatter HTTPCookie
    HTTPCookiePropertyKey HTTPCookieStorage HTTPURLResponse Host ISO8601DateFormatter
    IndexPath IndexSet InflectionConcept InflectionRule InputStream IntegerFormatStyle
    IntegerParseStrategy JSONDecoder JSONEncoder JSONSerialization KeyPathComparator
    LengthFormatter ListFormatStyle ListFormatter Locale LocalizedError
    LocalizedStringResource MarkdownDecodableAttributedStringKey MassFormatter Measurement
    MeasurementFormatter Method Morphology MutableDataProtocol NSComparisonPredicate
    NSCompoundPredicate NSData NSDate NSError NSExpression NSLock NSNumber NSObject
    NSPredicate NSRange NSSortDescriptor NSString NSValue NetService NetServiceBrowser
    Notification NotificationCenter NotificationQueue NumberFormatter ObjCBool
    OperatingSystemVersion Operation OperationQueue OutputStream POSIXError ParseStrategy
    ParseableFormatStyle PersonNameComponents Pipe Port PortDelegate PortMessage Predicate
    PredicateBindings PredicateCodableConfiguration PredicateCodableKeyPathProviding
    PredicateError PredicateExpression PredicateExpressions Process ProcessInfo Progress
    ProgressKind ProgressReporting ProgressUserInfoKey PropertyListDecoder
    PropertyListEncoder PropertyListSerialization Protocol QualityOfService RecoverableError
    ReferenceConvertible RelativeDateTimeFormatter RunLoop Scanner ScopedAttributeContainer
    Selector SocketPort SortComparator SortDescriptor SortOrder StandardPredicateExpression
    Stream StreamDelegate StreamNetworkServiceTypeValue StreamSOCKSProxyConfiguration
    StreamSOCKSProxyVersion StreamSocketSecurityLevel StringEncodingDetectionOptionsKey
    StringTransform Thread TimeInterval TimeZone Timer URL URLAuthenticationChallenge
    URLAuthenticationChallengeSender URLCache URLComponents URLCredential
    URLCredentialStorage URLError URLFileResourceType URLProtectionSpace URLProtocol
    URLProtocolClient URLQueryItem URLRequest URLResourceKey URLResourceValues URLResponse
    URLSession URLSessionConfiguration URLSessionDataDelegate URLSessionDataTask
    URLSessionDelegate URLSessionDownloadDelegate URLSessionDownloadTask
    URLSessionStreamDelegate URLSessionStreamTask URLSessionTask URLSessionTaskDelegate
    URLSessionTaskMetrics URLSessionTaskTransactionMetrics URLSessionUploadTask
    URLSessionWebSocketDelegate URLSessionWebSocketTask UUID UndoManager Unit
    UnitAcceleration UnitAngle UnitArea UnitConcentrationMass UnitConverter
    UnitConverterLinear UnitDispersion UnitDuration UnitElectricCharge UnitElectricCurrent
    UnitElectricPotentialDifference UnitElectricResistance UnitEnergy UnitFrequency
    UnitFuelEfficiency UnitIlluminance UnitInformationStorage UnitLength UnitMass UnitPower
    UnitPressure UnitSpeed UnitTemperature UnitVolume UserDefaults ValueTransformer XMLDTD
    XMLDocument XMLElement XMLNode XMLParser XMLParserDelegate
    """)

  /// Testing.
  static let testing = words(
    """
    Attachable AttachableWrapper Attachment Bug Comment ConditionTrait Confirmation
    CustomTestArgumentEncodable CustomTestStringConvertible ExitStatus ExitTest Expectation
    ExpectationFailedError Issue IssueHandlingTrait KnownIssueMatcher ParallelizationTrait
    SourceLocation SuiteTrait Tag Test TestScoping TestTrait TimeLimitTrait Trait
    """)

  /// SwiftUI.
  static let swiftUI = words(
    """
    AccessibilityTraits Alert Alignment AlignmentID AlignmentKey Anchor AngularGradient
    Animatable AnimatableModifier AnimatablePair Animation AnyGesture AnyLayout AnyShape
    AnyShapeStyle AnyTransition AnyView App AppStorage AsyncImage Axis BackgroundStyle
    Binding BlendMode Button ButtonBorderShape ButtonRole ButtonStyle Canvas Capsule Circle
    Color ColorPicker ColorRenderingMode ColorScheme CommandGroup CommandMenu Commands
    ContainerRelativeShape ContentMode ContentShapeKinds ContentTransition
    ContentUnavailableView ControlGroup ControlSize CoordinateSpace CustomAnimation
    DatePicker DisclosureGroup DismissAction Divider DocumentGroup DragGesture DropDelegate
    DropInfo DropProposal DynamicProperty DynamicTypeSize DynamicViewContent Edge EdgeInsets
    EditButton EditMode Ellipse EllipticalGradient EmptyView Environment EnvironmentKey
    EnvironmentObject EnvironmentValues EquatableView EventModifiers FetchRequest
    FetchedResults FileDocument FileDocumentConfiguration FillStyle FocusState
    FocusedBinding FocusedObject FocusedValue FocusedValueKey FocusedValues Font ForEach
    ForegroundStyle Form FormStyle Gauge GaugeStyle GeometryEffect GeometryProxy
    GeometryReader Gesture GestureState GlobalCoordinateSpace Gradient GraphicsContext Grid
    GridItem GridRow Group GroupBox GroupElementsOfContent HStack HStackLayout HelpLink
    HierarchicalShapeStyle HorizontalAlignment HorizontalEdge HoverEffect HoverPhase Image
    ImagePaint ImageRenderer InsettableShape InspectorCommands KeyEquivalent KeyPress
    KeyboardShortcut Label LabelStyle LabeledContent Layout LayoutDirection LayoutSubview
    LayoutSubviews LayoutValueKey LazyHGrid LazyHStack LazyVGrid LazyVStack LinearGradient
    Link List ListStyle LocalCoordinateSpace LocalizedStringKey LongPressGesture
    MagnificationGesture MagnifyGesture Material Menu MenuStyle MeshGradient ModifiedContent
    MoveCommandDirection NamedCoordinateSpace Namespace NavigationLink NavigationPath
    NavigationSplitView NavigationStack NavigationView ObservedObject OffsetShape
    OpenURLAction OpenWindowAction OutlineGroup PasteButton Path PhaseAnimator Picker
    PickerStyle PinnedScrollableViews PlainButtonStyle PopoverAttachmentAnchor PreferenceKey
    PresentationDetent PresentationMode PreviewProvider PrimitiveButtonStyle ProgressView
    ProgressViewStyle ProposedViewSize RadialGradient Rectangle RedactionReasons
    RefreshAction RenameButton RotateGesture RotatedShape RotationGesture RoundedCornerStyle
    RoundedRectangle SafeAreaRegions ScaledMetric ScaledShape Scene SceneBuilder ScenePhase
    SceneStorage ScrollAnchorRole ScrollView ScrollViewProxy ScrollViewReader
    SearchFieldPlacement SearchScopeActivation Section SectionedFetchRequest
    SectionedFetchResults SecureField SensoryFeedback Settings SettingsLink Shader
    ShadowStyle Shape ShapeRole ShapeStyle ShareLink SharePreview Slider Spacer
    SpatialTapGesture Spring State StateObject Stepper StrokeStyle SubmitLabel Subview
    SymbolRenderingMode SymbolVariants Tab TabView Table TableColumn TableRow TapGesture
    Text TextEditor TextField TextFieldStyle TextSelection TimelineSchedule TimelineView
    Toggle ToggleStyle Toolbar ToolbarContent ToolbarItem ToolbarItemGroup ToolbarRole
    Transaction TransactionKey Transition TruncationMode UIViewRepresentable
    UnevenRoundedRectangle UnitCurve UnitPoint VStack VStackLayout VectorArithmetic
    VerticalAlignment VerticalEdge View ViewBuilder ViewDimensions ViewModifier ViewThatFits
    Visibility VisualEffect Window WindowGroup WindowStyle ZStack ZStackLayout
    """)

  /// Combine.
  static let combine = words(
    """
    AnyCancellable AnyPublisher AnySubscriber Cancellable CombineIdentifier
    ConnectablePublisher CurrentValueSubject CustomCombineIdentifierConvertible Deferred
    Empty Fail Future ImmediateScheduler Just ObservableObject ObservableObjectPublisher
    PassthroughSubject Published Publisher Publishers Record Scheduler
    SchedulerTimeIntervalConvertible Subject Subscriber Subscribers Subscription
    Subscriptions TopLevelDecoder TopLevelEncoder
    """)

  /// Observation.
  static let observation = words(
    """
    Observable ObservationRegistrar Observations
    """)

  /// Core Data.
  static let coreData = words(
    """
    NSAtomicStore NSAttributeDescription NSAttributeType NSBatchDeleteRequest
    NSBatchInsertRequest NSBatchUpdateRequest NSConstraintConflict NSDeleteRule
    NSDerivedAttributeDescription NSEntityDescription NSEntityMapping
    NSExpressionDescription NSFetchIndexDescription NSFetchRequest NSFetchRequestExpression
    NSFetchRequestResult NSFetchedPropertyDescription NSFetchedResultsController
    NSFetchedResultsControllerDelegate NSFetchedResultsSectionInfo NSIncrementalStore
    NSIncrementalStoreNode NSManagedObject NSManagedObjectContext NSManagedObjectID
    NSManagedObjectModel NSMappingModel NSMergeConflict NSMergePolicy NSMigrationManager
    NSPersistentCloudKitContainer NSPersistentContainer NSPersistentHistoryChange
    NSPersistentHistoryToken NSPersistentStore NSPersistentStoreCoordinator
    NSPersistentStoreDescription NSPersistentStoreRequest NSPersistentStoreResult
    NSPropertyDescription NSPropertyMapping NSQueryGenerationToken NSRelationshipDescription
    NSSaveChangesRequest NSSnapshotEventType
    """)

  /// All modules with their types.
  static let modules: [(name: String, types: Set<String>)] = [
    ("Swift", standardLibrary), ("Foundation", foundation), ("Testing", testing),
    ("SwiftUI", swiftUI), ("Combine", combine), ("Observation", observation),
    ("CoreData", coreData),
  ]

  private static func words(_ text: String) -> Set<String> {
    Set(text.split { $0.isWhitespace }.map { String($0) })
  }
}
