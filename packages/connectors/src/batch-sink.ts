import type { OutgoingMessage, PluginConfig, Rejected, Sink } from './plugin.ts';
import { halves, Progress } from './progress.ts';

export interface Part {
  message: OutgoingMessage;
}

/**
 * A sink that makes a part of each message, and sends the parts. A batch that is tried again goes on with the messages that were
 * neither taken nor refused.
 */
export abstract class BatchSink<P extends Part, Server extends { close(): unknown }> implements Sink {
  protected readonly config: PluginConfig;
  protected readonly server: Server;
  protected readonly progress = new Progress();

  constructor(config: PluginConfig, server: Server) {
    this.config = config;
    this.server = server;
  }

  async close(): Promise<void> {
    await this.server.close();
  }

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

  /** Refuses a single part; sends several by halves, until those are found that the server does not take. */
  protected async divide(
    parts: readonly P[],
    reason: string,
    send: (half: readonly P[]) => Promise<void>,
  ): Promise<void> {
    const [only] = parts;
    if (only && parts.length === 1) this.progress.refused(only.message, reason);
    else for (const half of halves(parts)) await send(half);
  }

  protected taken(parts: readonly P[]): void {
    for (const { message } of parts) this.progress.taken(message);
  }
}
