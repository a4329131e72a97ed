import { open } from 'node:fs/promises';
import { join } from 'node:path';
import type { SnapshotFindings } from '@sluice/contracts';

type Excerpt = SnapshotFindings['excerpts'][number];

const shown = [
  { title: 'Configuration of the broker', file: 'broker.conf', most: 6_000 },
  { title: 'Log of the broker', file: 'broker.log', most: 10_000 },
  { title: 'Log of the agent', file: 'agent.log', most: 5_000 },
  { title: 'Errors of the gateway', file: 'gateway.log', most: 3_000 },
  { title: 'Errors of the connectors runtime', file: 'connectors.log', most: 3_000 },
];

/** The ends of the node's texts, as they are: with secrets. */
export async function excerptsOf(home: string): Promise<Excerpt[]> {
  const read = await Promise.all(
    shown.map(async ({ title, file, most }) => ({ title, text: await endOf(join(home, file), most) })),
  );
  return read.filter(({ text }) => text !== '');
}

export async function endOf(path: string, most: number): Promise<string> {
  const file = await open(path).catch(() => null);
  if (file === null) return '';
  try {
    const { size } = await file.stat();
    const from = Math.max(0, size - most);
    const { bytesRead, buffer } = await file.read(Buffer.alloc(Math.min(size, most)), 0, null, from);
    const text = buffer.subarray(0, bytesRead).toString('utf8');
    // the first line is cut where not all is there
    return from === 0 ? text : text.slice(text.indexOf('\n') + 1);
  } finally {
    await file.close();
  }
}
