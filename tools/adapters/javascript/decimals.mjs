const numeral = /^([+-]?)(?=\.?[0-9])([0-9]*)\.?([0-9]*)(?:[eE]([+-]?[0-9]{1,6}))?$/;
const longest = 1000;

/**
 * A decimal number in a text, for exact comparison: its sign, its digits without leading and trailing zeros,
 * and the number of digits before the point, which is negative if zeros follow the point.
 */
export class Decimal {
  constructor(sign, point, digits) {
    Object.assign(this, { sign, point, digits });
  }

  /** Returns the number in a text; `undefined` for any other value. */
  static read(text) {
    const match = typeof text === 'string' && text.length <= longest ? numeral.exec(text) : null;
    if (match === null) return undefined;
    const [, sign, whole, fraction, power = '0'] = match;
    const significant = (whole + fraction).replace(/^0+/, '');
    const point = significant.length - fraction.length + Number(power);
    const digits = significant.replace(/0+$/, '');
    return digits === '' ? new Decimal(0, 0, '') : new Decimal(sign === '-' ? -1 : 1, point, digits);
  }

  /** Compares this number with another one: less than, equal to or greater than 0. */
  compare(other) {
    if (this.sign !== other.sign) return this.sign - other.sign;
    const digits = Number(this.digits > other.digits) - Number(this.digits < other.digits);
    return this.sign * (this.point - other.point || digits);
  }
}
