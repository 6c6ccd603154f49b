// Expressions of `$regex`, in the dialect of Vectors/README.md. `RegExp` accepts a larger dialect and may take
// exponential time.
//
// An expression becomes a nondeterministic automaton: each state consumes one scalar, or leads to other states
// without one. All reachable states advance together, so a text takes its length times the number of states.

const largestCount = 255;
const largestSize = 1000;
const deepestGroup = 32;
/** Parts of the expression times bytes of the text. */
export const largestWork = 2 ** 26;

const blanks = [[0x09, 0x0d], [0x20, 0x20]];
const digits = [[0x30, 0x39]];
const letters = [[0x41, 0x5a], [0x61, 0x7a]];
const classes = new Map(Object.entries({ d: digits, s: blanks, w: [...digits, ...letters, [0x5f, 0x5f]] }));

/** The error of an expression outside the dialect. */
export class NotAPattern extends Error {}

// States

/** The states of an expression. Each part adds its states before those that they lead to. */
class States {
  // State 0 is a match.
  conditions = ['match'];
  targets = [[]];

  add(condition, targets) {
    this.conditions.push(condition);
    return this.targets.push(targets) - 1;
  }

  /** True if a text of these scalars has a match at any position. */
  lead(first, scalars) {
    let begun = [first];
    for (let place = 0; ; place++) {
      const isEnd = place === scalars.length;
      const reached = this.reached(begun, place === 0, isEnd);
      if (reached === null) return true;
      if (isEnd) return false;
      begun = [first];
      for (const state of reached) if (this.conditions[state](scalars[place])) begun.push(...this.targets[state]);
    }
  }

  /** Returns the states that consume a scalar and follow some others; null if one of them is a match. */
  reached(begun, isStart, isEnd) {
    const [seen, waiting, reached] = [new Set(), begun, []];
    while (waiting.length > 0) {
      const state = waiting.pop();
      if (seen.has(state)) continue;
      seen.add(state);
      const condition = this.conditions[state];
      if (condition === 'match') return null;
      if (typeof condition === 'function') reached.push(state);
      else if (condition === 'free' || (condition === 'start' ? isStart : isEnd)) waiting.push(...this.targets[state]);
    }
    return reached;
  }
}

const one = (takes) => (states, then) => states.add(takes, [then]);

const anchor = (name) => (states, then) => states.add(name, [then]);

const sequence = (parts) => (states, then) => parts.reduceRight((next, part) => part(states, next), then);

const choice = (parts) => (states, then) => states.add('free', parts.map((part) => part(states, then)));

const repetition = (part, least, most) => (states, then) => {
  let next = then;
  if (most === Infinity) {
    next = states.add('free', [then]);
    states.targets[next].push(part(states, next));
  } else {
    for (let count = least; count < most; count++) next = states.add('free', [part(states, next), then]);
  }
  for (let count = 0; count < least; count++) next = part(states, next);
  return next;
};

// Parsing

const codePoints = (text) => Array.from(text, (scalar) => scalar.codePointAt(0));

/** Parses an expression. Each part becomes a function that adds its states, with their number. */
class Reader {
  constructor(expression) {
    this.scalars = [...expression];
    this.place = 0;
  }

  get next() {
    return this.scalars[this.place];
  }

  take() {
    if (this.next === undefined) throw new NotAPattern('unexpected end');
    return this.scalars[this.place++];
  }

  /** Skips the given scalar if it follows. Returns whether it did. */
  skips(scalar) {
    const is = this.next === scalar;
    if (is) this.place++;
    return is;
  }

  choice(depth) {
    const parts = [this.sequence(depth)];
    while (this.skips('|')) parts.push(this.sequence(depth));
    const size = parts.reduce((sum, part) => sum + part.size, 0);
    return { matcher: choice(parts.map(({ matcher }) => matcher)), size };
  }

  sequence(depth) {
    const matchers = [];
    let size = 0;
    while (this.next !== undefined && this.next !== '|' && this.next !== ')') {
      const part = this.repeated(this.part(depth));
      matchers.push(part.matcher);
      size += part.size;
    }
    return { matcher: sequence(matchers), size: Math.max(size, 1) };
  }

  part(depth) {
    const scalar = this.take();
    switch (scalar) {
      case '(':
        return this.group(depth + 1);
      case '[':
        return { matcher: one(this.set()), size: 1 };
      case '.':
        return { matcher: one((scalar) => scalar !== 0x0a), size: 1 };
      case '^':
        return { matcher: anchor('start'), size: 1, isAnchor: true };
      case '$':
        return { matcher: anchor('end'), size: 1, isAnchor: true };
      case '\\':
        return { matcher: one(isIn(this.escape())), size: 1 };
      default:
        if ('*+?{}]'.includes(scalar)) throw new NotAPattern(`unexpected ${scalar}`);
        return { matcher: one(isIn([span(scalar)])), size: 1 };
    }
  }

  group(depth) {
    if (depth > deepestGroup || this.next === '?') throw new NotAPattern('unsupported group, or too many levels');
    const inside = this.choice(depth);
    if (!this.skips(')')) throw new NotAPattern('a group without an end');
    return inside;
  }

  /** Returns the ranges of an escape. */
  escape() {
    const scalar = this.take();
    if (/^[!-/:-@[-`{-~]$/.test(scalar)) return [span(scalar)];
    if (!classes.has(scalar)) throw new NotAPattern(`unknown escape \\${scalar}`);
    return classes.get(scalar);
  }

  set() {
    const isNegative = this.skips('^');
    const ranges = [];
    while (!this.skips(']')) {
      const ends = this.member();
      // A hyphen before the closing bracket is literal.
      if (this.next !== '-' || this.scalars[this.place + 1] === ']') {
        ranges.push(...ends);
        continue;
      }
      this.take();
      ends.push(...this.member());
      const [[first], [last]] = [ends[0], ends.at(-1)];
      if (ends.length !== 2 || ends.some(([low, high]) => low !== high)) throw new NotAPattern('invalid range');
      if (first > last) throw new NotAPattern('a range in descending order');
      ranges.push([first, last]);
    }
    if (ranges.length === 0) throw new NotAPattern('an empty set');
    const takes = isIn(ranges);
    return isNegative ? (scalar) => !takes(scalar) : takes;
  }

  /** Returns the ranges of a literal or of a class in a set. */
  member() {
    const scalar = this.take();
    if (scalar === '[') throw new NotAPattern('a set within a set');
    return scalar === '\\' ? [...this.escape()] : [span(scalar)];
  }

  /** Returns a part with its optional repetition. */
  repeated(part) {
    const counts = this.counts();
    if (counts === undefined) return part;
    if (part.isAnchor) throw new NotAPattern('a repeated anchor');
    if (this.counts() !== undefined) throw new NotAPattern('a repeated repetition');
    const [least, most] = counts;
    const times = most === Infinity ? least + 1 : most;
    return { matcher: repetition(part.matcher, least, most), size: part.size * Math.max(times, 1) };
  }

  /** Returns the least and the largest count of a repetition. */
  counts() {
    if (this.skips('*')) return [0, Infinity];
    if (this.skips('+')) return [1, Infinity];
    if (this.skips('?')) return [0, 1];
    if (!this.skips('{')) return undefined;
    const least = this.number();
    let most = least;
    if (this.skips(',')) most = this.next === '}' ? Infinity : this.number();
    if (!this.skips('}') || most < least) throw new NotAPattern('no such count');
    return [least, most];
  }

  number() {
    let digits = '';
    while (/^[0-9]$/.test(this.next)) digits += this.take();
    if (digits === '' || Number(digits) > largestCount) throw new NotAPattern('no such count');
    return Number(digits);
  }
}

/** Returns the range of one scalar. */
const span = (scalar) => [scalar.codePointAt(0), scalar.codePointAt(0)];

const isIn = (ranges) => (scalar) => ranges.some(([low, high]) => low <= scalar && scalar <= high);

/** Parses an expression. Returns a function that tests a text, and the number of parts. */
export function readPattern(expression) {
  const reader = new Reader(expression);
  const { matcher, size } = reader.choice(0);
  if (reader.next !== undefined) throw new NotAPattern('the end of a group without its beginning');
  if (size > largestSize) throw new NotAPattern('too large');
  const states = new States();
  const first = matcher(states, 0);
  return { size, occurs: (text) => states.lead(first, codePoints(text)) };
}
