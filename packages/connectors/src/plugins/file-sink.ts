import { join } from 'node:path';
import { BatchSink, type Part } from '../batch-sink.ts';
import { LineFiles } from '../line-files.ts';
import { envelopeTextOf, jsonTextOf, textOf } from '../messages.ts';
import { ConfigRefused, type OutgoingMessage, type PluginConfig } from '../plugin.ts';
import type { PluginContext, SinkPlugin } from '../plugin.ts';
import { choice, field, number, text } from '../schema.ts';

const mebibyte = 2 ** 20;
const day = 24 * 3_600_000;

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
    return new FileSink(config, lineFiles(config, context));
  },
};

interface Line extends Part {
  line: Buffer;
}

const lineFiles = (config: PluginConfig, { folder, log }: PluginContext) =>
  new LineFiles(join(folder, 'files'), {
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

class FileSink extends BatchSink<Line, LineFiles> {
  protected override async send(parts: readonly Line[], signal: AbortSignal): Promise<void> {
    const lines = parts.map(({ line }) => line);
    await this.server.append(lines, signal, (count) => this.taken(parts.slice(0, count)));
  }

  protected override partOf(message: OutgoingMessage): Line | string {
    const content = text(this.config, 'content');
    const textOfContent = { text: textOf, payload: jsonTextOf, envelope: envelopeTextOf }[content];
    const written = textOfContent?.(message);
    if (written === undefined) return `The payload is not ${content === 'text' ? 'text' : 'JSON'}`;
    if (content === 'text' && /[\r\n]/.test(written)) return 'The payload has several lines';
    const line = Buffer.from(`${written}\n`);
    return line.length > number(this.config, 'max_file')
      ? 'Its line is longer than max_file'
      : { message, line };
  }
}
