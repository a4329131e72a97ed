import { repeat, type Repeating } from '@sluice/controller';
import type { Sql, Log } from '@sluice/service';
import { endTurn, takeTurn } from './consumer-turns.store.ts';

export interface ConsumerTurnOptions {
  sql: Sql;
  consumer: string;
  /** the name of this process */
  process: string;
  /** called when another process has taken it */
  lost: () => void;
  log: Log;
}

const turnSeconds = 3;
const everySeconds = 1;

/**
 * Lets one replica at a time read the messages of a consumer. Replicas that read at the same time would each get some of them, and would
 * wait for each other all the time. The order does not depend on it (`StreamOrder`): a replica that was frozen may go on.
 */
export class ConsumerTurn {
  readonly #options: ConsumerTurnOptions;
  #isMine = false;
  #taking: Repeating | undefined;

  constructor(options: ConsumerTurnOptions) {
    this.#options = options;
  }

  get isMine(): boolean {
    return this.#isMine;
  }

  start(): void {
    const { consumer, log } = this.#options;
    this.#taking = repeat({
      every: everySeconds,
      run: () => this.#take(),
      failed: (error) => log.debug('the turn of a consumer could not be taken', { consumer, error }),
    });
  }

  /** Leaves it to others; for when nothing is being handled any more. */
  async stop(): Promise<void> {
    const { sql, consumer, process, log } = this.#options;
    await this.#taking?.stop();
    await endTurn(sql, consumer, process).catch((error: unknown) =>
      log.debug('the turn of a consumer could not be given back; it ends by itself', { consumer, error }),
    );
  }

  async #take(): Promise<void> {
    const { sql, consumer, process, lost } = this.#options;
    const had = this.#isMine;
    this.#isMine = await takeTurn(sql, consumer, process, turnSeconds);
    if (had && !this.#isMine) lost();
  }
}
