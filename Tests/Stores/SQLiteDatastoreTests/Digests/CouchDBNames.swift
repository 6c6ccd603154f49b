/// Revision ids computed by CouchDB 3.4.3, without attachments.
enum CouchDBNames {
  struct Name: Sendable {
    let body: String
    let parent: String?
    let deleted: Bool
    let rev: String
  }

  static let all: [Name] = [
    Name(
      body: ###"{}"###,
      parent: "1-1a3ddde436e12b06a15131c3aea782da", deleted: false,
      rev: "2-48c09ba665ff4147106c00576605a79d"),
    Name(
      body: ###"{}"###,
      parent: nil, deleted: false,
      rev: "1-967a00dff5e02add41819138abb3284d"),
    Name(
      body: ###"{}"###,
      parent: "1-4ef33c54def2464f07927b55bc47ef30", deleted: true,
      rev: "2-2bdfef47243a40cd904630015ce9591b"),
    Name(
      body: ###"{}"###,
      parent: "1-ef618a62203a3cc1942536a8d22c1d9f", deleted: true,
      rev: "2-27e92ef4e8a34d5ae2a054d3d73df20e"),
    Name(
      body: ###"{"a":[]}"###,
      parent: nil, deleted: false,
      rev: "1-d49a64a623a0fcc15fb2a4e9edf20834"),
    Name(
      body: ###"{"b":[]}"###,
      parent: "1-d0f5fb8599ef4c0f4635f7dafafc79c8", deleted: true,
      rev: "2-df5bd86b9bf646d37dfefa038e667c78"),
    Name(
      body: ###"{"é":""}"###,
      parent: "1-52f76478512e72ef847b3b443ae5b66b", deleted: false,
      rev: "2-1cdfeae94ec1f5b8204de1595084edf9"),
    Name(
      body: ###"{"é":-1}"###,
      parent: "1-aa21bf974b3f1fa4f1dde93085e72720", deleted: true,
      rev: "2-76c070a0b702f11efe49fd73313dffa8"),
    Name(
      body: ###"{"0":256}"###,
      parent: nil, deleted: false,
      rev: "1-b5b9b4b3e8c5f7554c27dfcd689b8d98"),
    Name(
      body: ###"{"0":true}"###,
      parent: nil, deleted: false,
      rev: "1-84bb09c7e078b2d7dbd0875a216106f4"),
    Name(
      body: ###"{"A":-1.25}"###,
      parent: nil, deleted: false,
      rev: "1-d7f5f5e297d67a63405a204abaab8fbb"),
    Name(
      body: ###"{"a":[null]}"###,
      parent: "1-92ed7c627344ad9cd39a25e30874582a", deleted: true,
      rev: "2-5b068a13316bf55c667da6cba981a805"),
    Name(
      body: ###"{"b":"\u0001"}"###,
      parent: nil, deleted: false,
      rev: "1-fdd5e937d8921875690f4098767f82d2"),
    Name(
      body: ###"{"A":"\u0001"}"###,
      parent: "1-5dc383a9ef82cbc1b9ca1e4318ba60ee", deleted: false,
      rev: "2-b5688cb810e6a544a03f50f7d6341b03"),
    Name(
      body: ###"{"é":[-1,256]}"###,
      parent: "1-aba1f43a69fd738c563eb4801e7f5c5c", deleted: false,
      rev: "2-cbda50d6ae9faf8db066111b425d52c0"),
    Name(
      body: ###"{"é":255,"a":[]}"###,
      parent: nil, deleted: false,
      rev: "1-3d6beab86eb1aded5da3c76f3cd43ed2"),
    Name(
      body: ###"{"0":true,"a":{}}"###,
      parent: nil, deleted: false,
      rev: "1-e43f3004041d4a416a33f1c1e6455eaa"),
    Name(
      body: ###"{"zz":-2147483649}"###,
      parent: nil, deleted: false,
      rev: "1-07e53e393c59d810461778a6dbeeceda"),
    Name(
      body: ###"{"é":null,"A":"\\"}"###,
      parent: "1-967a00dff5e02add41819138abb3284d", deleted: false,
      rev: "2-da3c7a9578283555e3d3abaf2772947d"),
    Name(
      body: ###"{"c":"\"q\"","é":0.5}"###,
      parent: "1-724d0023bd7a5edb3a8a3d5a0987b483", deleted: false,
      rev: "2-8529af5af73ff77859a1113525b14055"),
    Name(
      body: ###"{"b":9223372036854775808}"###,
      parent: "1-48e4ac6da5dbf25aba43bd64c319a0af", deleted: true,
      rev: "2-02fe4521689e824c4c2aa445f084502e"),
    Name(
      body: ###"{"c":3.0,"b":0.5,"é":{"a":[]}}"###,
      parent: nil, deleted: false,
      rev: "1-a6423cb1c5ff81975d72c322b7c7df2c"),
    Name(
      body: ###"{"c":"😀","zz":"a\nb","a":"\\"}"###,
      parent: "1-cd95fa7ff49585fa511d48ba888761bc", deleted: false,
      rev: "2-c5dbe2e19a0a73cfb121ac1edd194c77"),
    Name(
      body: ###"{"key with space":false,"c":"😀"}"###,
      parent: nil, deleted: false,
      rev: "1-7c2d618b99ba19fb5948ea59c80f569d"),
    Name(
      body: ###"{"a":-2147483649,"zz":[],"é":true}"###,
      parent: nil, deleted: false,
      rev: "1-f243f48355f2022d3679b1d934a274a9"),
    Name(
      body: ###"{"é":2.5e+22,"0":[],"zz":"\u0001"}"###,
      parent: nil, deleted: false,
      rev: "1-a9618c0175b81b8a8650d9d5f6edd9e3"),
    Name(
      body: ###"{"zz":"a\nb","c":["a","",2147483648]}"###,
      parent: nil, deleted: false,
      rev: "1-724d0023bd7a5edb3a8a3d5a0987b483"),
    Name(
      body: ###"{"zz":3.0,"0":"\u0001","c":-2147483648}"###,
      parent: nil, deleted: false,
      rev: "1-aa21bf974b3f1fa4f1dde93085e72720"),
    Name(
      body: ###"{"zz":"\u65e5\u672c","c":false,"0":255}"###,
      parent: "1-53a78f93930652c0f78e469c63e4fe5b", deleted: true,
      rev: "2-5ae8411a01f3089e60404266bbab8504"),
    Name(
      body: ###"{"zz":2147483648,"A":9223372036854775808,"a":[],"0":""}"###,
      parent: nil, deleted: false,
      rev: "1-884dbab1d0ed8995b3a892dfa226566c"),
    Name(
      body: ###"{"0":[1],"zz":[2.5e+22,-989256],"b":10000000000.0,"é":true}"###,
      parent: nil, deleted: false,
      rev: "1-f074d37b4c4e429b264aaf5e55b6b046"),
  ]
}
