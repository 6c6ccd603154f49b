// Expressions of `$regex`, in the dialect of Vectors/README.md. A `RegExp` will not do: it takes more than
// that, and it may need longer than anybody can wait.
//
// An expression becomes states, each of which takes one scalar or leads to others without taking any. All
// states that a text may have led to are followed at once, so a text costs its length times the states.

const largestCount = 255;
const largestSize = 1000;
const deepestGroup = 32;
/** Parts of the expression times bytes of the text. */
export const largestWork = 2 ** 26;

const blanks = [[0x09, 0x0d], [0x20, 0x20]];
const digits = [[0x30, 0x39]];
const letters = [[0x41, 0x5a], [0x61, 0x7a]];
const classes = new Map(Object.entries({ d: digits, s: blanks, w: [...digits, ...letters, [0x5f, 0x5f]] }));

/** An expression is none of the dialect. */
export class NotAPattern extends Error {}

// States

/** The states of an expression; each part adds its own in front of those that it leads to. */
class States {
  // The last state is reached by a match.
  conditions = ['match'];
  targets = [[]];

  add(condition, targets) {
    this.conditions.push(condition);
    return this.targets.push(targets) - 1;
  }

  /** Whether there is a match somewhere in a text of these scalars. */
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

  /** The states behind some others that take a scalar; null where one of them is a match. */
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

// Reading

const codePoints = (text) => Array.from(text, (scalar) => scalar.codePointAt(0));

/** Reads an expression from its beginning to its end. What it reads are makers of states with their sizes. */
class Reader {
  constructor(expression) {
    this.scalars = [...expression];
    this.place = 0;
  }

  get next() {
    return this.scalars[this.place];
  }

  take() {
    if (this.next === undefined) throw new NotAPattern('it ends too early');
    return this.scalars[this.place++];
  }

  /** Takes what comes next if it is this. */
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
        if ('*+?{}]'.includes(scalar)) throw new NotAPattern(`${scalar} stands alone`);
        return { matcher: one(isIn([span(scalar)])), size: 1 };
    }
  }

  group(depth) {
    if (depth > deepestGroup || this.next === '?') throw new NotAPattern('no such group');
    const inside = this.choice(depth);
    if (!this.skips(')')) throw new NotAPattern('a group has no end');
    return inside;
  }

  /** The ranges of what follows a backslash. */
  escape() {
    const scalar = this.take();
    if (/^[!-/:-@[-`{-~]$/.test(scalar)) return [span(scalar)];
    if (!classes.has(scalar)) throw new NotAPattern(`nobody knows \\${scalar}`);
    return classes.get(scalar);
  }

  set() {
    const isNegative = this.skips('^');
    const ranges = [];
    while (!this.skips(']')) {
      const ends = this.member();
      // A hyphen before the closing bracket stands for itself.
      if (this.next !== '-' || this.scalars[this.place + 1] === ']') {
        ranges.push(...ends);
        continue;
      }
      this.take();
      ends.push(...this.member());
      const [[first], [last]] = [ends[0], ends.at(-1)];
      if (ends.length !== 2 || ends.some(([low, high]) => low !== high)) throw new NotAPattern('no such range');
      if (first > last) throw new NotAPattern('a range runs backwards');
      ranges.push([first, last]);
    }
    if (ranges.length === 0) throw new NotAPattern('an empty set');
    const takes = isIn(ranges);
    return isNegative ? (scalar) => !takes(scalar) : takes;
  }

  /** What stands for itself or for a class in a set. */
  member() {
    const scalar = this.take();
    if (scalar === '[') throw new NotAPattern('a set in a set');
    return scalar === '\\' ? [...this.escape()] : [span(scalar)];
  }

  /** A part with its repetition, if there is one. */
  repeated(part) {
    const counts = this.counts();
    if (counts === undefined) return part;
    if (part.isAnchor) throw new NotAPattern('an end of the text is not repeated');
    if (this.counts() !== undefined) throw new NotAPattern('a repetition is not repeated');
    const [least, most] = counts;
    const times = most === Infinity ? least + 1 : most;
    return { matcher: repetition(part.matcher, least, most), size: part.size * Math.max(times, 1) };
  }

  /** The least and the largest count of a repetition. */
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

/** The range of one scalar. */
const span = (scalar) => [scalar.codePointAt(0), scalar.codePointAt(0)];

const isIn = (ranges) => (scalar) => ranges.some(([low, high]) => low <= scalar && scalar <= high);

/** Reads an expression: the answer is whether a text has a match somewhere, and how many parts it has. */
export function readPattern(expression) {
  const reader = new Reader(expression);
  const { matcher, size } = reader.choice(0);
  if (reader.next !== undefined) throw new NotAPattern('a group ends that nobody began');
  if (size > largestSize) throw new NotAPattern('it is too large');
  const states = new States();
  const first = matcher(states, 0);
  return { size, occurs: (text) => states.lead(first, codePoints(text)) };
}
