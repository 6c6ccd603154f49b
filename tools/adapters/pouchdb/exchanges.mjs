// The requests of one session to the runner: one at a time, in the order in which PouchDB makes them.

/** The pause of a continuous session that waits for changes, and between two polls. */
const pauseNanoseconds = 1_000_000_000;

/** The error of a request whose response is lost, or whose session was cancelled. */
const lost = (what) => Object.assign(new TypeError(`network: ${what}`), { code: 'ECONNRESET' });

const never = new Promise(() => {});

export class Exchanges {
  /** Called when the user stops the session. */
  onCancel = () => {};
  #ask;
  #tail = Promise.resolve();
  #inFlight;
  #waiting = 0;
  #isClosed = false;
  #isCancelled = false;
  #isResting = false;
  #latest = Date.now();
  #timer;

  /** `ask` sends a request to the runner and returns the response. */
  constructor(ask) {
    this.#ask = ask;
  }

  /** Sends an HTTP request and returns the response. Throws if it is lost. */
  async exchange(request) {
    const isPoll = /(^|&)feed=(longpoll|continuous)/.test(request.query ?? '');
    for (;;) {
      const answer = await this.#enqueue({ exchange: request });
      if (answer.ok === undefined) throw lost(answer.cancelled ? 'the session was cancelled' : 'no response');
      // A server delays the response to a long poll until there are changes; a peer of the runner does not.
      if (!isPoll || answer.ok.status !== 200 || answer.ok.body?.results?.length !== 0) return answer.ok;
      const pause = await this.#enqueue({ sleep: { nanoseconds: pauseNanoseconds } });
      if (pause.ok === undefined) throw lost('the session was cancelled');
    }
  }

  /** Sleeps until there is a request: the replication waits for changes of its own database. */
  async rest() {
    this.#isResting = true;
    while (this.#isResting && !this.#isClosed && this.#waiting === 0) {
      await this.#enqueue({ sleep: { nanoseconds: pauseNanoseconds } });
    }
  }

  /** Ends the rest: the replication has something to do. */
  work() {
    this.#isResting = false;
  }

  /**
   * Ends the session, when the runner has responded to the request in flight. Requests that PouchDB still makes are
   * never answered.
   */
  async close() {
    this.#isClosed = true;
    clearInterval(this.#timer);
    await this.#inFlight;
  }

  /** Resolves when no request was waiting for the runner for this time. */
  whenIdle(milliseconds) {
    return new Promise((resolve) => {
      this.#timer = setInterval(() => {
        if (this.#waiting === 0 && Date.now() - this.#latest > milliseconds) resolve();
      }, 100);
    });
  }

  /** Sends a request when those before it have been answered. */
  #enqueue(request) {
    this.#waiting++;
    const answered = this.#tail.then(() => this.#send(request));
    this.#tail = answered.catch(() => {});
    return answered.then((answer) => {
      this.#waiting--;
      this.#latest = Date.now();
      return answer;
    });
  }

  async #send(request) {
    if (this.#isClosed) return never;
    // The runner expects no further requests of a session that the user stopped.
    if (this.#isCancelled) return { cancelled: {} };
    this.#inFlight = this.#ask(request);
    const answer = await this.#inFlight;
    if (answer.cancelled !== undefined && !this.#isCancelled) {
      this.#isCancelled = true;
      this.onCancel();
    }
    return answer;
  }
}
