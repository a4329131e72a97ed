import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { ConfigRefused, type PluginConfig, type Source, type SourcePlugin } from '../plugin.ts';
import { field, number } from '../schema.ts';

/** Makes messages up, as JSON: to try things out, and the smallest example of a source. Its position is how many there have been. */
export const randomSource: SourcePlugin = {
  type: 'source',
  key: 'random',
  schema: [
    field('interval', 'duration', 'Interval', 'the time between two batches', {
      default: '1s',
      min: 10,
      max: 3_600_000,
    }),
    field('batch', 'int', 'Batch', 'messages at once', { default: 1, min: 1, max: 1_000 }),
    field('size', 'size', 'Size', 'random bytes of each message', { default: '16', min: 1, max: 65_536 }),
    field('limit', 'int', 'Limit', 'after so many messages there are no more; without it there is no end', {
      min: 1,
      max: 1e12,
    }),
  ],
  open: async (config, _context, position) => randomRecords(config, readPosition(position)),
};

function readPosition(position: string | null): number {
  const made = Number(position ?? 0);
  if (!Number.isSafeInteger(made) || made < 0) throw new ConfigRefused('its position is of another source');
  return made;
}

function randomRecords(config: PluginConfig, madeBefore: number): Source {
  const [batch, size, interval] = ['batch', 'size', 'interval'].map((key) => number(config, key)) as [
    number,
    number,
    number,
  ];
  const limit = typeof config['limit'] === 'number' ? config['limit'] : Infinity;
  let made = madeBefore;
  return {
    read: async (signal) => {
      // a timer takes no more than some days
      while (made >= limit) await sleep(2 ** 30, undefined, { signal });
      if (made > madeBefore) await sleep(interval, undefined, { signal });
      const count = Math.min(batch, limit - made);
      const records = Array.from({ length: count }, (_, index) => {
        const number = made + index + 1;
        const content = { number, value: randomBytes(size).toString('base64') };
        return { id: String(number), payload: Buffer.from(JSON.stringify(content)) };
      });
      made += count;
      return { records, position: String(made) };
    },
    close: async () => undefined,
  };
}
