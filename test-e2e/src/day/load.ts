import { Requests, type Addressed } from '../kubernetes/requests.ts';
import type { Login } from '@sluice/testing';
import { Messages } from './messages.ts';

/** What an installation is used for while an operator works on it. */
export interface Used extends Addressed {
  broker: string;
  login: Login;
}

const patienceMs = 180_000;

/** Requests of all layers, and messages through one broker, all the time. */
export class Load {
  readonly #requests: Requests;
  readonly #messages: Messages;

  private constructor(requests: Requests, messages: Messages) {
    [this.#requests, this.#messages] = [requests, messages];
  }

  /** @param pauseMs between two requests of a client, of which each kind of request has two */
  static async begin(used: Used, pauseMs: number): Promise<Load> {
    const messages = await Messages.begin(used.broker, used.login, pauseMs);
    return new Load(new Requests(used, { workersOfLayer: 2, pauseMs, timeoutMs: 60_000 }), messages);
  }

  /** @param during what happens from now on */
  during(during: string): void {
    this.#requests.during = during;
  }

  /** Ends it. @returns what there was of it, and what went wrong */
  async end(): Promise<{ lines: string[]; failed: string[]; lost: string[] }> {
    const layers = await this.#requests.end();
    const { failures, count } = this.#requests;
    const { line, lost } = await this.#messages.end(patienceMs);
    return {
      lines: [...layers, `${count} requests, ${failures.length} failed`, line],
      failed: failures,
      lost: lost > 0 ? [line] : [],
    };
  }
}
