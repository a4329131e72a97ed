import { appendFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { hashOfEntry, idOf, type PublishedHead, type TenantId } from '@sluice/contracts';
import { eventually, testFolder } from '@sluice/testing';
import { auditService, verified } from '#test/audit-service.ts';
import { anEvent, record } from '#test/events.ts';
import { entriesBetween } from '../audit-log/log-entries.store.ts';

const on = auditService({ per: 'test', sender: 'audit', own: 'postgres' });
const tenant = idOf<TenantId>(1);
let folder: string;

beforeEach(async () => {
  folder = await testFolder();
});

const start = () => on.start({ AUDIT_HEADS_DIR: folder, AUDIT_HEADS_MINUTES: '0.001' });
const published = async () =>
  (await readFile(join(folder, '1.ndjson'), 'utf8'))
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as PublishedHead);

/** Records five entries at a time, and waits until the last of them is published as the head. */
async function recordUpTo(...heads: number[]): Promise<void> {
  for (const head of heads) {
    await record(on, ...Array.from({ length: 5 }, () => anEvent()));
    await eventually(async () => expect((await published()).map(({ seq }) => seq)).toContain(head), {
      timeoutMs: 60_000,
    });
  }
}

/** Forgets the other heads: how many there are depends on how quick things were. */
async function keepOnly(...heads: number[]): Promise<void> {
  const kept = (await published()).filter(({ seq }) => heads.includes(seq));
  await writeFile(join(folder, '1.ndjson'), kept.map((head) => JSON.stringify(head)).join('\n'));
}

/** Writes everything from an entry on anew, as the owner of the server can: a chain without a flaw. */
async function rewrite(from: number): Promise<void> {
  const entries = await entriesBetween(on.database, tenant, 1, 100);
  let previous = entries[from - 2]?.hash ?? '';
  await on.sql('ALTER TABLE log_entries DISABLE TRIGGER USER');
  for (const entry of entries.slice(from - 1)) {
    const said = { ...entry, author: { id: 8, name: 'Mallory' } };
    const hash = hashOfEntry(said, previous);
    await on.sql(
      `UPDATE log_entries SET author_id = 8, author_name = 'Mallory', prev_hash = decode($2, 'hex'), hash = decode($3, 'hex')
       WHERE tenant_id = 1 AND seq = $1`,
      [entry.seq, previous, hash],
    );
    previous = hash;
  }
  await on.sql("UPDATE log_heads SET hash = decode($1, 'hex') WHERE tenant_id = 1", [previous]);
}

test('a chain that was written anew without a flaw is found at the first head that was published of it', async () => {
  const audit = await start();
  const key = await on.key();
  await recordUpTo(5, 10);
  const before = await verified(audit, key);
  expect(before).toMatchObject({ intact: true, entries: 10, published_heads: { refused: 0, missing: null } });
  expect(before.published_heads.agreed).toBeGreaterThanOrEqual(2);
  await audit.stop();
  await keepOnly(5, 10);

  await rewrite(7);
  const again = await on.start({ AUDIT_HEADS_DIR: folder, AUDIT_HEADS_MINUTES: '600' });
  expect(await verified(again, key)).toMatchObject({
    intact: false,
    break: { seq: 10, reason: 'rewritten' },
  });
});

test.each([
  ['the last entries', 3],
  ['all entries', 0],
])('%s are found to be missing, though the head of the log was set back as well', async (_, left) => {
  const audit = await start();
  const key = await on.key();
  await recordUpTo(5);
  const newest = (await published()).find(({ seq }) => seq === 5);
  await on.sql('ALTER TABLE log_entries DISABLE TRIGGER USER');
  await on.sql('DELETE FROM log_entries WHERE seq > $1', [left]);
  await on.sql(
    left === 0
      ? 'DELETE FROM log_heads'
      : `UPDATE log_heads SET (seq, hash) = (SELECT seq, hash FROM log_entries WHERE seq = ${left})`,
  );
  expect(await verified(audit, key)).toMatchObject({
    intact: false,
    break: { seq: left + 1, reason: 'missing' },
    entries: left,
    published_heads: { missing: { seq: 5, hash: newest?.hash } },
  });
});

test.each([
  ['the first entries', 7],
  ['all entries', 10],
])('%s that were taken away are missing, though an anchor says that they went', async (_, anchor) => {
  const audit = await start();
  const key = await on.key();
  await recordUpTo(5, 10);
  await audit.stop();
  await keepOnly(5, 10);
  await on.sql('ALTER TABLE log_entries DISABLE TRIGGER USER');
  await on.sql(
    `INSERT INTO log_anchors (tenant_id, seq, hash) SELECT tenant_id, seq, hash FROM log_entries WHERE seq = ${anchor}`,
  );
  await on.sql(`DELETE FROM log_entries WHERE seq <= ${anchor}`);
  const again = await on.start({ AUDIT_HEADS_DIR: folder, AUDIT_HEADS_MINUTES: '600' });
  expect(await verified(again, key)).toMatchObject({
    intact: false,
    break: { seq: 5, reason: 'missing' },
  });
});

test('a head that audit has not signed says nothing, and is counted', async () => {
  const audit = await start();
  const key = await on.key();
  await record(on, anEvent());
  await eventually(async () => expect(await published()).not.toEqual([]), { timeoutMs: 60_000 });
  const [head] = await published();
  const forged = JSON.stringify({ ...head, hash: 'f'.repeat(64) });
  await appendFile(join(folder, '1.ndjson'), `\n${forged}\nnonsense\n{"tenant_id": 1`);
  const found = await verified(audit, key);
  expect(found).toMatchObject({ intact: true });
  expect(found.published_heads.refused).toBeGreaterThanOrEqual(2);
});

test('entries that are recorded again after a restore agree with the heads that were published of them', async () => {
  const own = await start();
  const key = await on.key();
  await recordUpTo(5);
  await own.stop();
  const restore = await on.own.backUp();
  const before = await start();
  await recordUpTo(10, 15);
  await before.stop();

  await restore();
  const again = await start();
  await eventually(
    async () =>
      expect(await verified(again, key)).toMatchObject({
        intact: true,
        entries: 15,
        published_heads: { refused: 0, missing: null },
      }),
    { timeoutMs: 60_000 },
  );
  expect((await verified(again, key)).published_heads.agreed).toBeGreaterThanOrEqual(3);
}, 90_000);
