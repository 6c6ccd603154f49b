// The lines of the protocol: requests of the runner, and requests of the adapter to it.

/**
 * Yields the lines of a stream. `node:readline` also ends lines at U+2028 and U+2029, which a JSON string may
 * contain.
 */
async function* lines(stream) {
  let parts = [];
  for await (const chunk of stream) {
    let begin = 0;
    for (let end; (end = chunk.indexOf('\n', begin)) >= 0; begin = end + 1) {
      yield Buffer.concat([...parts, chunk.subarray(begin, end)]).toString();
      parts = [];
    }
    parts.push(chunk.subarray(begin));
  }
}

/**
 * Returns a value as JSON. JavaScript prints 2^64 as 18446744073709552000, which differs from 2^64 for a reader
 * of exact integers. An exponent marks it as a double.
 */
function toJSON(value) {
  const textsAndLongIntegers = /"(?:[^"\\]|\\.)*"|(?<![\d.])\d{17,}/g;
  return JSON.stringify(value).replace(textsAndLongIntegers, (part) =>
    part.startsWith('"') ? part : Number(part).toExponential(),
  );
}

/** The runner at the other end of the lines. */
export class Runner {
  /** True if the runner lets operations wait with `pass`. */
  servesPass = false;
  #input;
  #output;
  #asks = new Map();
  #lastAsk = 0;
  #isReleased = false;

  constructor(input, output) {
    this.#input = input;
    this.#output = output;
  }

  /** Yields the requests of the runner. Its responses to requests of the adapter resume those. */
  async *requests() {
    for await (const line of lines(this.#input)) {
      const message = this.#parse(line);
      if (message.ask === undefined) {
        yield message;
      } else {
        this.#asks.get(message.ask)?.(message);
        this.#asks.delete(message.ask);
      }
    }
  }

  respond(id, outcome) {
    this.#write({ id, ...outcome });
  }

  /** Ends the adapter at a malformed or unknown request. */
  reject(request) {
    console.error(`adapter: malformed request: ${JSON.stringify(request).slice(0, 200)}`);
    process.exit(1);
  }

  /**
   * Returns a function that sends a request during the operation `id`, such as
   * `ask({ sleep: { nanoseconds: 1 } })`, and returns the response of the runner.
   */
  caller(id) {
    return (request) => {
      if (this.#isReleased) return Promise.resolve({ lost: {} });
      const ask = ++this.#lastAsk;
      this.#write({ ask, id, ...request });
      return new Promise((resolve) => this.#asks.set(ask, resolve));
    };
  }

  /** Forgets the requests of the adapter: after a reset the runner responds to none of them. */
  forget() {
    this.#asks.clear();
  }

  /** Ends the waiting of operations when the connection has ended. */
  release() {
    this.#isReleased = true;
    for (const resolve of this.#asks.values()) resolve({ lost: {} });
    this.#asks.clear();
  }

  #write(message) {
    this.#output.write(`${toJSON(message)}\n`);
  }

  #parse(line) {
    try {
      const message = JSON.parse(line);
      if (Number.isInteger(message?.id) || Number.isInteger(message?.ask)) return message;
    } catch {
      // The line is rejected below.
    }
    return this.reject(line);
  }
}
