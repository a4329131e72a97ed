import type { OutgoingMessage, Rejected, Sink } from './plugin.ts';
import { Progress } from './progress.ts';

export interface Part {
  message: OutgoingMessage;
}

/**
 * A sink that makes a part of each message, and sends the parts. A batch that is tried again goes on with the messages that were
 * neither taken nor refused.
 */
export abstract class BatchSink<P extends Part> implements Sink {
  protected readonly progress = new Progress();

  async write(batch: readonly OutgoingMessage[], signal: AbortSignal): Promise<Rejected[]> {
    const parts = this.progress.left(batch).flatMap((message) => {
      const part = this.partOf(message);
      if (typeof part !== 'string') return [part];
      this.progress.refused(message, part);
      return [];
    });
    await this.send(parts, signal);
    return this.progress.finish(batch);
  }

  /** @returns the reason if there can be no part */
  protected abstract partOf(message: OutgoingMessage): P | string;

  /** Sends the parts, and records in `progress` what was taken and refused. @throws Error when some have to be sent again */
  protected abstract send(parts: readonly P[], signal: AbortSignal): Promise<void>;

  abstract close(): Promise<void>;

  protected taken(parts: readonly P[]): void {
    for (const { message } of parts) this.progress.taken(message);
  }
}
