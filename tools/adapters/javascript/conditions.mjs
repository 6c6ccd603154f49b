// The conditions of selectors. `undefined` stands for an absent value.

import { Decimal } from './decimals.mjs';
import { NotAPattern, largestWork, readPattern } from './patterns.mjs';
import { Refusal, compareTexts, isObject, sameValue } from './values.mjs';

/** The error of an operator at an invalid place or with an invalid operand. */
export const badSelector = (operator, path) => new Refusal('badSelector', { operator, path });

export const kindOf = (value) => {
  if (value === null || value === undefined) return value === null ? 'null' : undefined;
  return Array.isArray(value) ? 'array' : typeof value;
};

// Orders

const comparable = ['boolean', 'number', 'string'];
const kinds = [undefined, 'null', ...comparable, 'array', 'object'];

/** Compares two values of one kind. */
const compareAlike = (a, b) => (typeof a === 'string' ? compareTexts(a, b) : Number(a) - Number(b));

/** Compares two values for a sort: all arrays are equal, and so are all objects. */
export function compareForSort(a, b) {
  const kind = kindOf(a);
  const difference = kinds.indexOf(kind) - kinds.indexOf(kindOf(b));
  return difference === 0 && comparable.includes(kind) ? compareAlike(a, b) : difference;
}

/** Compares a value with an operand; NaN, for which no condition holds, if they are not comparable. */
function compare(value, operand) {
  if (operand instanceof Decimal) return Decimal.read(value)?.compare(operand) ?? NaN;
  const rank = comparable.indexOf(kindOf(value));
  if (rank < 0) return NaN;
  return rank - comparable.indexOf(kindOf(operand)) || compareAlike(value, operand);
}

// Operands

/** Returns an operand as a value, or as the decimal that it encodes. */
function readValue(operand, where) {
  const isDecimal = isObject(operand) && Object.hasOwn(operand, '$decimal') && Object.keys(operand).length === 1;
  if (!isDecimal) return operand;
  const decimal = Decimal.read(operand.$decimal);
  if (decimal === undefined) throw badSelector('$decimal', `${where}.$decimal`);
  return decimal;
}

/** Returns a list of operands. Other values are returned unchanged and refused later. */
const readValues = (operands, where) =>
  Array.isArray(operands) ? operands.map((operand, place) => readValue(operand, `${where}[${place}]`)) : operands;

function readExpression(expression, where) {
  if (typeof expression !== 'string') throw badSelector('$regex', where);
  try {
    return readPattern(expression);
  } catch (error) {
    throw error instanceof NotAPattern ? badSelector('$regex', where) : error;
  }
}

/** The work of expressions on the current document. */
const tally = { work: 0 };

export function startTally() {
  tally.work = 0;
}

/** True if a text has a match. Throws if the expressions exceed the work allowed for one document. */
function matchesText(text, { size, occurs }) {
  tally.work += size * Buffer.byteLength(text);
  if (tally.work > largestWork) throw new Refusal('tooLarge', { limit: largestWork });
  return occurs(text);
}

const isCount = (value) => Number.isInteger(value) && value >= 0;
// 2^63 - 1 is read as 2^63, because a number cannot represent it.
const isInteger64 = (value) => Number.isInteger(value) && Math.abs(value) <= 2 ** 63;

// Operators

const isEqual = (value, operand) =>
  operand instanceof Decimal ? compare(value, operand) === 0 : value !== undefined && sameValue(value, operand);

/** A condition that holds for an array if it holds for the array itself or for one of its elements. */
const ofElements = (holds) => (value, operand) =>
  holds(value, operand) || (Array.isArray(value) && value.some((element) => holds(element, operand)));

const denied = ({ holds, ...others }) => ({ ...others, holds: (value, operand) => !holds(value, operand) });

const equality = { read: readValue, holds: ofElements(isEqual) };

const membership = {
  takes: Array.isArray,
  read: readValues,
  holds: ofElements((value, operands) => operands.some((operand) => isEqual(value, operand))),
};

const comparison = (isGood) => ({
  takes: (operand) => operand instanceof Decimal || comparable.includes(kindOf(operand)),
  read: readValue,
  holds: ofElements((value, operand) => isGood(compare(value, operand))),
});

/**
 * The operators: `read` converts an operand, `takes` validates it, and `holds` tests a value. `$not` and
 * `$elemMatch` are in selectors.mjs, because their operands contain operators.
 */
const operators = new Map(
  Object.entries({
    $eq: equality,
    $ne: denied(equality),
    $in: membership,
    $nin: denied(membership),
    $lt: comparison((order) => order < 0),
    $lte: comparison((order) => order <= 0),
    $gt: comparison((order) => order > 0),
    $gte: comparison((order) => order >= 0),
    $exists: {
      takes: (operand) => typeof operand === 'boolean',
      holds: (value, operand) => (value !== undefined) === operand,
    },
    $type: {
      takes: (operand) => operand !== undefined && kinds.includes(operand),
      holds: (value, operand) => kindOf(value) === operand,
    },
    $all: {
      takes: Array.isArray,
      holds: (value, operands) =>
        Array.isArray(value) && operands.every((operand) => value.some((element) => sameValue(element, operand))),
    },
    $size: { takes: isCount, holds: (value, operand) => Array.isArray(value) && value.length === operand },
    $mod: {
      takes: (operand) =>
        Array.isArray(operand) && operand.length === 2 && operand.every(isInteger64) && operand[0] !== 0,
      holds: ofElements(
        (value, [divisor, remainder]) => Number.isInteger(value) && value % divisor === remainder,
      ),
    },
    $regex: {
      read: readExpression,
      holds: ofElements((value, expression) => typeof value === 'string' && matchesText(value, expression)),
    },
  }),
);

export const isCondition = (name) => operators.has(name);

/** Reads an operator with its operand, and returns a function that tests a value. */
export function readCondition(name, operand, where) {
  const { read = (same) => same, takes = () => true, holds } = operators.get(name);
  const known = read(operand, where);
  if (!takes(known)) throw badSelector(name, where);
  return (value) => holds(value, known);
}
