import { join } from 'node:path';
import { LineFiles } from '../line-files.ts';
import { envelopeTextOf, jsonTextOf, textOf } from '../messages.ts';
import { ConfigRefused, type OutgoingMessage, type PluginConfig, type PluginContext } from '../plugin.ts';
import type { Rejected, Sink, SinkPlugin } from '../plugin.ts';
import { Progress } from '../progress.ts';
import { choice, field, number, text } from '../schema.ts';

const mebibyte = 2 ** 20;
const day = 24 * 3_600_000;

/** Appends messages as lines to files in the folder of the instance, on the node. */
export const fileSink: SinkPlugin = {
  type: 'sink',
  key: 'file',
  schema: [
    field('prefix', 'string', 'Prefix', 'of the names of files', {
      default: 'messages',
      max: 60,
      pattern: '[A-Za-z0-9][A-Za-z0-9_-]*',
    }),
    choice(
      'content',
      'Content',
      'of a line: an object with the payload and what is known of it, the payload as JSON, or the payload as text',
      ['envelope', 'payload', 'text'],
    ),
    field('max_file', 'size', 'Largest file', 'after which the next one begins', {
      default: '16MiB',
      min: 64 * 1_024,
      max: 256 * mebibyte,
    }),
    field('max_file_age', 'duration', 'Oldest file', 'age at which the next one begins', {
      default: '1h',
      min: 1_000,
      max: 7 * day,
    }),
    field('max_total', 'size', 'Largest total', 'of all files; at least twice the largest file', {
      default: '256MiB',
      min: 128 * 1_024,
      max: 2 ** 40,
    }),
    choice(
      'when_full',
      'When full',
      'delete_oldest: the oldest files are removed; wait: messages wait until files are removed',
      ['delete_oldest', 'wait'],
    ),
    field('keep', 'duration', 'Keep', 'how long a file stays after its last line; 0 until there is no room', {
      default: '7d',
      min: 0,
      max: 3_650 * day,
    }),
    choice('compression', 'Compression', 'of files to which nothing is added any more', ['none', 'gzip']),
  ],
  async open(config, context) {
    if (number(config, 'max_total') < 2 * number(config, 'max_file'))
      throw new ConfigRefused('max_total has to be at least twice max_file');
    return new FileSink(config, context);
  },
};

class FileSink implements Sink {
  readonly #config: PluginConfig;
  readonly #files: LineFiles;
  readonly #progress = new Progress();

  constructor(config: PluginConfig, { folder, log }: PluginContext) {
    this.#config = config;
    this.#files = new LineFiles(join(folder, 'files'), {
      prefix: text(config, 'prefix'),
      extension: text(config, 'content') === 'text' ? 'txt' : 'ndjson',
      fileBytes: number(config, 'max_file'),
      totalBytes: number(config, 'max_total'),
      fileMs: number(config, 'max_file_age'),
      keepMs: number(config, 'keep'),
      whenFull: text(config, 'when_full') === 'wait' ? 'wait' : 'delete_oldest',
      compress: text(config, 'compression') === 'gzip',
      log,
    });
  }

  async write(batch: readonly OutgoingMessage[], signal: AbortSignal): Promise<Rejected[]> {
    const written = this.#progress.left(batch).flatMap((message) => {
      const line = this.#lineOf(message);
      if (typeof line !== 'string') return { message, line };
      this.#progress.refused(message, line);
      return [];
    });
    const lines = written.map(({ line }) => line);
    await this.#files.append(lines, signal, (count) => {
      for (const { message } of written.slice(0, count)) this.#progress.taken(message);
    });
    return this.#progress.finish(batch);
  }

  async close(): Promise<void> {
    await this.#files.close();
  }

  /** @returns why a message can be no line */
  #lineOf(message: OutgoingMessage): Buffer | string {
    const content = text(this.#config, 'content');
    if (content === 'text') {
      const line = textOf(message);
      if (line === undefined) return 'The payload is not text';
      return /[\r\n]/.test(line) ? 'The payload has several lines' : this.#bounded(line);
    }
    const line = content === 'payload' ? jsonTextOf(message) : envelopeTextOf(message);
    return line === undefined ? 'The payload is not JSON' : this.#bounded(line);
  }

  #bounded(line: string): Buffer | string {
    const bytes = Buffer.from(`${line}\n`);
    return bytes.length > number(this.#config, 'max_file') ? 'Its line is longer than max_file' : bytes;
  }
}
