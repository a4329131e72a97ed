import { emptyChain, hashOfEntry } from '@sluice/contracts/audit-chain';
import { ndjsonLine, type ExportedEntry } from '@sluice/contracts/audit-export';
import { Broken, headIn, textOf, verifyExport } from './verify.ts';

/** A log with so many entries, each chained to the one before it. */
function logOf(count: number): ExportedEntry[] {
  const entries: ExportedEntry[] = [];
  for (let seq = 1; seq <= count; seq++) {
    const previous = entries.at(-1)?.hash ?? emptyChain.hash;
    const entry = {
      ...{ tenant_id: 3, seq, recorded_at: '2026-03-14T09:26:53.589Z', event_id: `event-${seq}` },
      ...{ position: seq, type: 'member_joined', author: { id: 1, name: 'Zoë' }, user: null },
      ...{ division: null, environment: null, deployment: null, api_key: null, data: { z: 1, a: [seq] } },
      ...{ as_sent: null, correlation_id: null, occurred_at: '2026-03-14T09:26:53.589Z' },
    };
    entries.push({ ...entry, prev_hash: previous, hash: hashOfEntry(entry, previous) });
  }
  return entries;
}

/** As bytes that are cut where a fetch may cut them. */
function streamOf(entries: readonly ExportedEntry[]) {
  const bytes = new TextEncoder().encode(entries.map((entry) => `${ndjsonLine(entry)}\n`).join(''));
  return new ReadableStream<Uint8Array>({
    start(controller) {
      for (let at = 0; at < bytes.length; at += 101) controller.enqueue(bytes.slice(at, at + 101));
      controller.close();
    },
  });
}

const verified = (entries: readonly ExportedEntry[], heads: { seq: number; hash: string }[] = []) =>
  verifyExport(textOf(streamOf(entries)), { tenantId: 3, heads }, () => undefined);

test('WebCrypto finds the chain that the service has made', async () => {
  const log = logOf(7);
  const { seq, hash } = log[4]!;
  await expect(verified(log, [{ seq, hash }])).resolves.toMatchObject({
    entries: 7,
    first: 1,
    last: { seq: 7, hash: log[6]!.hash },
    heads: 1,
    vouched: 5,
  });
});

test('a change, a gap and another head are found', async () => {
  const log = logOf(7);
  const changed = log.map((entry) => (entry.seq === 4 ? { ...entry, data: { z: 1, a: [5] } } : entry));
  await expect(verified(changed)).rejects.toThrow('entry 4 was changed');
  await expect(verified(log.filter(({ seq }) => seq !== 3))).rejects.toThrow('entry 3 is missing');
  await expect(verified(log, [{ seq: 2, hash: 'f'.repeat(64) }])).rejects.toThrow(Broken);
  await expect(verified(log, [{ seq: 9, hash: 'f'.repeat(64) }])).rejects.toThrow('the end is missing');
});

test('a head is read from a text', () => {
  const head = { seq: 4, hash: 'a'.repeat(64) };
  expect(headIn(JSON.stringify({ tenant_id: 3, ...head }))).toEqual(head);
  for (const text of ['', 'x', 'null', '{}', JSON.stringify({ ...head, hash: 'A' })])
    expect(headIn(text)).toBeUndefined();
});
