import { fileSink } from '../src/plugins/file-sink.ts';
import { aMessage } from './message.ts';

/** Writes numbers to files in a folder until it is killed, from the given one on, and says how far they are acknowledged. */
const [folder = '', first = '0'] = process.argv.slice(2);
const values = { prefix: 'messages', content: 'payload', max_file: 64 * 1_024, max_file_age: 3_600_000 };
const bounds = { max_total: 2 ** 30, when_full: 'wait', keep: 0, compression: 'gzip' };
const sink = await fileSink.open(
  { ...values, ...bounds },
  {
    ...{ instanceKey: 'test', folder, log: () => undefined, stopping: new AbortController().signal },
    destinations: undefined as never,
  },
);
for (let n = Number(first); ; n += 50) {
  const batch = Array.from({ length: 50 }, (_, at) => aMessage({ n: n + at, filler: 'x'.repeat(200) }));
  await sink.write(batch, new AbortController().signal);
  process.stdout.write(`${n + 50}\n`);
}
