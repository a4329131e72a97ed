/**
 * Makes a connection. It leaves nothing behind when it fails, and fails when `signal` is aborted. `ended` is to be called when the connection
 * has ended by itself.
 */
type Connect<Client> = (signal: AbortSignal, ended: () => void) => Promise<Client>;

/** One connection, made when it is needed and again after it has ended. */
export class KeptConnection<Client> {
  readonly #connect: Connect<Client>;
  readonly #end: (client: Client) => void;
  readonly #isAnswer: (error: unknown) => boolean;
  #current: { client: Promise<Client>; ending: AbortController } | null = null;

  /**
   * @param end ends a connection at once
   * @param isAnswer whether the server itself has answered with this error, so that the connection is as good as before
   */
  constructor(
    connect: Connect<Client>,
    end: (client: Client) => void,
    isAnswer: (error: unknown) => boolean = () => false,
  ) {
    this.#connect = connect;
    this.#end = end;
    this.#isAnswer = isAnswer;
  }

  /** Does `work` on the connection. A failure ends the connection, unless the server has answered, and so does `signal`. */
  async use<T>(signal: AbortSignal, work: (client: Client) => Promise<T>): Promise<T> {
    signal.throwIfAborted();
    const aborted = Promise.withResolvers<never>();
    aborted.promise.catch(() => {});
    const abort = () => {
      this.close();
      aborted.reject(signal.reason as Error);
    };
    signal.addEventListener('abort', abort, { once: true });
    const current = (this.#current ??= this.#begin());
    try {
      const done = current.client.then(work);
      done.catch(() => {});
      return await Promise.race([done, aborted.promise]);
    } catch (error) {
      if (!this.#isAnswer(error) && this.#current === current) this.close();
      throw error;
    } finally {
      signal.removeEventListener('abort', abort);
    }
  }

  /** Ends it. */
  close(): void {
    const current = this.#current;
    this.#current = null;
    current?.ending.abort();
    current?.client.then(this.#end, () => {});
  }

  #begin() {
    const ending = new AbortController();
    const ended = () => {
      if (this.#current?.ending === ending) this.#current = null;
    };
    const client = this.#connect(ending.signal, ended);
    client.catch(ended);
    return { client, ending };
  }
}
