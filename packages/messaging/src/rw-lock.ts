/** Lets work run with other shared work, or exclusively. */
export class RwLock {
  #running = 0;
  #exclusive: Promise<void> | undefined;
  #idle: (() => void) | undefined;

  /** Runs work beside other shared work. */
  async shared<T>(work: () => Promise<T>): Promise<T> {
    while (this.#exclusive) await this.#exclusive;
    this.#running += 1;
    try {
      return await work();
    } finally {
      this.#running -= 1;
      if (this.#running === 0) this.#idle?.();
    }
  }

  /** Runs work while no other does. */
  async exclusive<T>(work: () => Promise<T>): Promise<T> {
    while (this.#exclusive) await this.#exclusive;
    const ended = Promise.withResolvers<void>();
    this.#exclusive = ended.promise;
    try {
      if (this.#running > 0)
        await new Promise<void>((resolve) => {
          this.#idle = resolve;
        });
      return await work();
    } finally {
      this.#idle = undefined;
      this.#exclusive = undefined;
      ended.resolve();
    }
  }
}
