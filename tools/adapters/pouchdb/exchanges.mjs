// The requests of one session to the runner: one at a time, in the order in which PouchDB makes them.

/** The pause of a continuous session that waits for changes, and between two polls. */
const pauseNanoseconds = 1_000_000_000;

/** After so many pauses without a change a continuous session ends: the runner resumes earlier sessions only then. */
const largestPauseCount = 3;

const never = new Promise(() => {});

export class Exchanges {
  /** Called when the user stops the session. */
  onCancel = () => {};
  /** Called when a continuous session has waited for changes long enough. */
  onQuiet = () => {};
  #ask;
  #tail = Promise.resolve();
  #inFlight;
  #isAsking = false;
  #waiting = 0;
  #pauses = 0;
  #isClosed = false;
  #isCancelled = false;
  #isResting = false;
  #latest = Date.now();
  #timer;
  #fail;
  /** Rejects if PouchDB did not handle the error of a request. */
  failed = new Promise((_, reject) => (this.#fail = reject));

  /** `ask` sends a request to the runner and returns the response. */
  constructor(ask) {
    this.#ask = ask;
    this.failed.catch(() => {});
  }

  /** True while the runner has not responded to a request. */
  get isWaiting() {
    return this.#isAsking;
  }

  /** Sends an HTTP request and returns the response. Throws if it is lost. */
  async exchange(request) {
    const isPoll = /(^|&)feed=(longpoll|continuous)/.test(request.query ?? '');
    for (;;) {
      const answer = await this.#enqueue({ exchange: request });
      if (answer.ok === undefined) throw this.#lost(answer.cancelled ? 'the session was cancelled' : 'no response');
      // A server delays the response to a long poll until there are changes; a peer of the runner does not.
      if (!isPoll || answer.ok.status !== 200 || answer.ok.body?.results?.length !== 0) {
        this.#pauses = 0;
        return answer.ok;
      }
      await this.#pause();
      if (this.#isCancelled || this.#pauses >= largestPauseCount) throw this.#lost('the session ended');
    }
  }

  /** Sleeps until there is a request: the replication waits for changes of its own database. */
  async rest() {
    this.#isResting = true;
    while (this.#isResting && !this.#isClosed && this.#waiting === 0) {
      await this.#pause();
    }
  }

  async #pause() {
    await this.#enqueue({ sleep: { nanoseconds: pauseNanoseconds } });
    this.#pauses++;
    if (this.#pauses < largestPauseCount) return;
    this.#isResting = false;
    this.onQuiet();
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

  /** The error of a request without a response. It names its session, in case PouchDB does not handle it. */
  #lost(what) {
    return Object.assign(new TypeError(`network: ${what}`), { code: 'ECONNRESET', fail: (error) => this.#fail(error) });
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
    this.#isAsking = true;
    this.#inFlight = this.#ask(request);
    const answer = await this.#inFlight;
    this.#isAsking = false;
    if (answer.cancelled !== undefined && !this.#isCancelled) {
      this.#isCancelled = true;
      this.onCancel();
    }
    return answer;
  }
}
