/** Lets work run beside other work, or alone. */
export class Turns {
  #running = 0;
  #alone: Promise<void> | undefined;
  #idle: (() => void) | undefined;

  /** Runs work beside other such work. */
  async beside<T>(work: () => Promise<T>): Promise<T> {
    while (this.#alone) await this.#alone;
    this.#running += 1;
    try {
      return await work();
    } finally {
      this.#running -= 1;
      if (this.#running === 0) this.#idle?.();
    }
  }

  /** Runs work while no other does. */
  async alone<T>(work: () => Promise<T>): Promise<T> {
    while (this.#alone) await this.#alone;
    const ended = Promise.withResolvers<void>();
    this.#alone = ended.promise;
    try {
      if (this.#running > 0)
        await new Promise<void>((resolve) => {
          this.#idle = resolve;
        });
      return await work();
    } finally {
      this.#idle = undefined;
      this.#alone = undefined;
      ended.resolve();
    }
  }
}
