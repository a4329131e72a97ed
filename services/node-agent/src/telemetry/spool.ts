import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { LogLine, Sample, TelemetryBatch } from '@sluice/contracts';
import { isErrorCode } from '@sluice/system';

/** what batches may take up that wait for the supervisor */
const mostBytes = 16 * 2 ** 20;
const mostFiles = 5_000;
/** the largest batch that the supervisor takes is 64 KiB */
const batchBytes = 48 * 1024;
const batchItems = 500;

interface Entry {
  name: string;
  bytes: number;
}

/** Batches on the node's disk, oldest first, until the supervisor has them. */
export interface Spool {
  /** Keeps these, in as many batches as it takes; the oldest ones go where there is no room. */
  add(samples: readonly Sample[], lines: readonly LogLine[]): Promise<void>;
  /** The oldest batch; null when there is none. It stays until it is removed. */
  oldest(): Promise<{ name: string; batch: TelemetryBatch } | null>;
  remove(name: string): Promise<void>;
  /** How many batches had to go since the last call. */
  takeDropped(): number;
}

/**
 * @param folder is made when it is missing, but not what is above it: that may be gone with its node
 */
export async function openSpool(folder: string): Promise<Spool> {
  await mkdir(folder, { mode: 0o700 }).catch((error: unknown) => {
    if (!isErrorCode(error, 'EEXIST')) throw error;
  });
  const entries = await entriesOf(folder);
  // the files of a later agent come after those of a former one, also if the clock was set back
  const run = Math.max(Date.now(), ...entries.map(({ name }) => Number.parseInt(name, 10) + 1));
  const spool = randomUUID();
  let number = 0;
  let dropped = 0;

  async function remove(name: string): Promise<void> {
    const index = entries.findIndex((entry) => entry.name === name);
    if (index >= 0) entries.splice(index, 1);
    await rm(join(folder, name), { force: true });
  }

  async function makeRoom(): Promise<void> {
    let bytes = entries.reduce((sum, entry) => sum + entry.bytes, 0);
    while (entries[0] && (bytes > mostBytes || entries.length > mostFiles)) {
      bytes -= entries[0].bytes;
      dropped++;
      await remove(entries[0].name);
    }
  }

  async function write(batch: TelemetryBatch): Promise<void> {
    const text = JSON.stringify(batch);
    const name = `${run}-${String(batch.number).padStart(10, '0')}.json`;
    try {
      // a crash of the machine may cost the last seconds: that is not worth a write to the disk each
      await writeFile(join(folder, name), text, { mode: 0o600 });
      entries.push({ name, bytes: Buffer.byteLength(text) });
    } catch {
      // a disk that is full
      dropped++;
      await rm(join(folder, name), { force: true });
    }
  }

  return {
    async add(samples, lines) {
      for (const items of batchesOf(samples, lines)) await write({ spool, number: ++number, ...items });
      await makeRoom();
    },
    async oldest() {
      for (;;) {
        const [entry] = entries;
        if (!entry) return null;
        const batch = await readBatch(join(folder, entry.name));
        if (batch) return { name: entry.name, batch };
        // half written when the agent was killed
        dropped++;
        await remove(entry.name);
      }
    },
    remove,
    takeDropped: () => {
      const taken = dropped;
      dropped = 0;
      return taken;
    },
  };
}

async function entriesOf(folder: string): Promise<Entry[]> {
  const names = (await readdir(folder)).filter((name) => /^\d+-\d{10}\.json$/.test(name)).sort();
  return await Promise.all(
    names.map(async (name) => ({ name, bytes: (await stat(join(folder, name))).size })),
  );
}

async function readBatch(path: string): Promise<TelemetryBatch | null> {
  try {
    // what this agent or a former one has written; the supervisor looks at it once more
    return JSON.parse(await readFile(path, 'utf8')) as TelemetryBatch;
  } catch {
    return null;
  }
}

function* batchesOf(samples: readonly Sample[], lines: readonly LogLine[]) {
  let batch = { samples: [] as Sample[], lines: [] as LogLine[] };
  let bytes = 0;
  const items = [...samples.map((sample) => ({ sample })), ...lines.map((line) => ({ line }))];
  for (const item of items) {
    const size = Buffer.byteLength(JSON.stringify(item));
    if (bytes + size > batchBytes || batch.samples.length + batch.lines.length >= batchItems) {
      yield batch;
      batch = { samples: [], lines: [] };
      bytes = 0;
    }
    bytes += size;
    if ('sample' in item) batch.samples.push(item.sample);
    else batch.lines.push(item.line);
  }
  if (bytes > 0) yield batch;
}
