// Selectors. Parsing validates a whole selector and returns a tree of conditions: `all`, `any` or `none` of
// some parts, a condition `at` a path, or `words` at some paths.

import { badSelector, isCondition, readCondition, startTally } from './conditions.mjs';
import { Refusal, isObject } from './values.mjs';

/** The largest number of selectors that may contain each other. */
const deepest = 100;

const combinations = new Map([['$and', 'all'], ['$or', 'any'], ['$nor', 'none']]);
const placed = new Set([...combinations.keys(), '$not', '$elemMatch', '$text', '$decimal']);

// Paths

/** Returns the names on a path; `undefined` for an invalid path. */
export function readPath(text) {
  if (typeof text !== 'string' || !/^(?:[^\\]|\\[.\\$])*$/.test(text)) return undefined;
  // A point, or a name up to the next point.
  const parts = text.match(/\.|(?:[^\\.]|\\.)+/g) ?? [];
  const names = [''];
  for (const part of parts) {
    if (part === '.') names.push('');
    else names[names.length - 1] = part.replace(/\\(.)/g, '$1');
  }
  return names;
}

/** Returns the value at a path through objects; `undefined` if there is none. */
export const valueAt = (value, path) =>
  path.reduce((inside, name) => (isObject(inside) && Object.hasOwn(inside, name) ? inside[name] : undefined), value);

// Parsing

/**
 * Parses a selector. `place` is its position: `where` for messages, `depth` for the number of selectors around
 * it, and `isOfElements` for a selector of array elements.
 */
export function readSelector(said, place = { where: 'selector', depth: 0, isOfElements: false }) {
  const parts = Object.entries(said).map(([name, asked]) => readMember(name, asked, below(place, `.${name}`)));
  return { all: parts };
}

function below(place, step) {
  if (place.depth === deepest) throw new Refusal('tooLarge', { limit: deepest });
  return { ...place, where: place.where + step, depth: place.depth + 1 };
}

function readMember(name, asked, place) {
  const { where, isOfElements } = place;
  if (combinations.has(name)) return readCombination(name, asked, place);
  if (name === '$not') return { none: [readSelector(checkObject(name, asked, where), place)] };
  if (name === '$text' && !isOfElements) return readText(asked, where);
  if (name.startsWith('$')) throw misplaced(name, where);
  return readField([], name, asked, place);
}

function readCombination(name, asked, place) {
  if (!Array.isArray(asked)) throw badSelector(name, place.where);
  const parts = asked.map((said, number) => {
    const inside = below(place, `[${number}]`);
    return readSelector(checkObject(name, said, inside.where), inside);
  });
  return { [combinations.get(name)]: parts };
}

/** Returns the error of an operator that is unknown or at an invalid place. */
function misplaced(operator, where) {
  const isKnown = placed.has(operator) || isCondition(operator);
  return isKnown ? badSelector(operator, where) : new Refusal('unsupported', { what: operator });
}

function checkObject(operator, operand, where) {
  if (!isObject(operand)) throw badSelector(operator, where);
  return operand;
}

/** Parses the conditions of the value at a path, or of the values below it. */
function readField(above, name, asked, place) {
  const names = readPath(name);
  if (names === undefined) throw badSelector(name, place.where);
  const path = [...above, ...names];
  const members = isObject(asked) ? Object.entries(asked) : [];
  if (members.length === 0) return { at: path, holds: readCondition('$eq', asked, place.where) };
  if (members.some(([each]) => each.startsWith('$'))) return { at: path, holds: readOperators(asked, place) };
  return { all: members.map(([each, further]) => readField(path, each, further, below(place, `.${each}`))) };
}

/** Parses the operators of one value. All of them must hold. */
function readOperators(asked, place) {
  const read = ([name, operand]) => readOperator(name, operand, below(place, `.${name}`));
  const conditions = Object.entries(asked).map(read);
  return (value) => conditions.every((holds) => holds(value));
}

function readOperator(name, operand, place) {
  const { where } = place;
  if (isCondition(name)) return readCondition(name, operand, where);
  if (name === '$not') {
    // {} is a value without operators.
    if (Object.keys(checkObject(name, operand, where)).length === 0) throw badSelector(name, where);
    const holds = readOperators(operand, place);
    return (value) => !holds(value);
  }
  if (name === '$elemMatch') {
    const holds = readElement(checkObject(name, operand, where), place);
    return (value) => Array.isArray(value) && value.some(holds);
  }
  throw name.startsWith('$') ? misplaced(name, where) : badSelector(name, where);
}

/** Parses the conditions of an element: operators, or a selector of objects. */
function readElement(asked, place) {
  if (asksOfValues(asked)) return readOperators(asked, place);
  const selector = readSelector(asked, { ...place, isOfElements: true });
  return (element) => isObject(element) && passes(selector, element);
}

/** True for operators, false for a selector. Both may have `$not`; then its operand decides. */
function asksOfValues(said) {
  return Object.entries(said).some(([name, asked]) => {
    if (name === '$not') return isObject(asked) && asksOfValues(asked);
    return name.startsWith('$') && name !== '$text' && !combinations.has(name);
  });
}

function readText(asked, where) {
  const { $search: search, $fields: fields, ...others } = checkObject('$text', asked, where);
  const paths = Array.isArray(fields) ? fields.map(readPath) : [];
  const isGood = typeof search === 'string' && paths.length > 0;
  if (!isGood || Object.keys(others).length > 0) throw badSelector('$text', where);
  const bad = paths.indexOf(undefined);
  if (bad >= 0) throw badSelector('$text', `${where}.$fields[${bad}]`);
  return { words: wordsOf(search), paths };
}

// Evaluation

/** True if a selector selects a document. */
export function selects(selector, document) {
  startTally();
  return passes(selector, document);
}

/** True if an object passes a selector or a part of one. */
function passes(question, object) {
  const isSelected = (part) => passes(part, object);
  if (question.at !== undefined) return question.holds(valueAt(object, question.at));
  if (question.all !== undefined) return question.all.every(isSelected);
  if (question.any !== undefined) return question.any.some(isSelected);
  if (question.none !== undefined) return !question.none.some(isSelected);
  const values = question.paths.flatMap((path) => valueAt(object, path));
  const found = new Set(values.filter((value) => typeof value === 'string').flatMap(wordsOf));
  return question.words.length > 0 && question.words.every((word) => found.has(word));
}

/** Returns the words of a text. Only ASCII letters are folded to lower case. */
const wordsOf = (text) =>
  text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase()).match(/[a-z0-9\u0080-\u{10ffff}]+/gu) ?? [];
