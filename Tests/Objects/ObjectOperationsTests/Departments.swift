import JSON

/// A model of departments with their people, and of things with two numbers.
enum Departments {
  static let model: JSONValue = [
    "entities": [
      "Thing": [
        "attributes": [
          "a": ["type": "int64"], "b": ["type": "int64"], "name": ["type": "utf8"],
        ]
      ],
      "Dept": [
        "attributes": ["name": ["type": "utf8"]],
        "relationships": ["emps": ["destination": "Emp", "inverse": "dept", "many": true]],
      ],
      "Emp": [
        "attributes": ["name": ["type": "utf8"], "age": ["type": "int64"]],
        "relationships": ["dept": ["destination": "Dept", "inverse": "emps"]],
      ],
    ]
  ]
}
