import {
  agentToken,
  client,
  eventually,
  healthyBeat,
  insertInitialized,
  type SimulatedNode,
} from '@sluice/testing';
import type { Pool } from 'pg';
import { supervisor } from '#test/region.ts';
import { startWithRows } from '#test/rows.ts';
import type { Database } from '@sluice/region-store/tables';
import { lookForSilence } from '@sluice/region-store/silence.store';

const silence = { limit: 120, pause: 5, gap: 30 };

describe('silent nodes', () => {
  // it looks for itself, by a limit that no test reaches
  const region = supervisor({ environment: { NODE_UNREACHABLE_SECONDS: '100000' } });
  let url: string;
  let pool: Pool;
  let database: Database;
  let nodes: SimulatedNode[];
  let firstId = 1_000_000;

  beforeAll(async () => {
    ({ url, pool, database } = await startWithRows(region));
  });

  beforeEach(async () => {
    await region.sql('DELETE FROM deployments');
    nodes = await insertInitialized(pool, 3, { firstId: (firstId += 1_000) });
    await lookedSince(3_600, 5);
  });

  /** As if there had been looks, one after the other, until the last one. */
  const lookedSince = (watchedSeconds: number, lookedSeconds: number) =>
    region.sql(
      `INSERT INTO silence_looks (watched_since, looked_at)
       VALUES (now() - make_interval(secs => $1), now() - make_interval(secs => $2))
       ON CONFLICT (only_row) DO UPDATE SET watched_since = excluded.watched_since, looked_at = excluded.looked_at`,
      [watchedSeconds, lookedSeconds],
    );
  const heardBefore = (seconds: number, ...which: number[]) =>
    region.sql(
      'UPDATE nodes SET last_heartbeat_at = now() - make_interval(secs => $1) WHERE id = ANY($2::bigint[])',
      [seconds, which.map((index) => nodes[index]!.id)],
    );
  const look = async () => {
    const changes = await lookForSilence(database, silence);
    return changes.map(({ id, unreachable }) => [nodes.findIndex((node) => node.id === id), unreachable]);
  };
  const beat = (index: number) =>
    client(url).request('POST', '/agent/v1/heartbeats', healthyBeat, {
      authorization: `Bearer ${agentToken(nodes[index]!)}`,
    });
  const dueOf = async (index: number) =>
    await region.sql(
      "SELECT 1 FROM reconciliations WHERE deployment_id = $1 AND due_at < now() + interval '30 minutes'",
      [nodes[index]!.id],
    );

  test('are found by one look for all, each once, and so are those that are back', async () => {
    await heardBefore(121, 0, 1);
    await heardBefore(100, 2);
    expect((await look()).sort()).toEqual([
      [0, true],
      [1, true],
    ]);
    await lookedSince(3_600, 5);
    expect(await look()).toEqual([]);
    await heardBefore(10, 1);
    await lookedSince(3_600, 5);
    expect(await look()).toEqual([[1, false]]);
  });

  test('are looked for by one replica at a time', async () => {
    await heardBefore(121, 0);
    const found = await Promise.all(Array.from({ length: 3 }, () => look()));
    expect(found.flat()).toEqual([[0, true]]);
    await heardBefore(121, 1);
    expect(await look()).toEqual([]);
  });

  test('are nobody after the supervisor or its database was away, until the whole limit has passed again', async () => {
    await heardBefore(3_000, 0);
    await lookedSince(3_600, 31);
    expect(await look()).toEqual([]);
    await lookedSince(100, 5);
    expect(await look()).toEqual([]);
    await lookedSince(121, 5);
    expect(await look()).toEqual([[0, true]]);
    // one that was found before the absence stays found
    await lookedSince(3_600, 31);
    expect(await look()).toEqual([]);
    expect(
      await region.sql('SELECT 1 FROM nodes WHERE id = $1 AND unreachable_since IS NULL', [nodes[0]!.id]),
    ).toEqual([]);
  });

  test('that were never heard of are not silent', async () => {
    await region.sql('UPDATE nodes SET last_heartbeat_at = NULL WHERE id = $1', [nodes[0]!.id]);
    expect(await look()).toEqual([]);
  });

  test('have the reconciler look as soon as they speak', async () => {
    await heardBefore(121, 0);
    expect(await look()).toEqual([[0, true]]);
    await region.sql(
      "UPDATE reconciliations SET due_at = now() + interval '1 hour' WHERE deployment_id >= $1",
      [firstId],
    );
    expect((await Promise.all([beat(0), beat(1)])).map(({ status }) => status)).toEqual([204, 204]);
    await eventually(async () => expect(await dueOf(0)).toHaveLength(1));
    expect(await dueOf(1)).toHaveLength(0);
    expect(
      await region.sql('SELECT 1 FROM nodes WHERE unreachable_since IS NOT NULL AND id >= $1', [firstId]),
    ).toEqual([]);
  });

  test('have the reconciler look when they are found, which shows', async () => {
    // by its limit nobody is silent
    await region.replica().stop();
    await heardBefore(1_000, 0);
    await region.sql(
      "UPDATE reconciliations SET due_at = now() + interval '1 hour' WHERE deployment_id >= $1",
      [firstId],
    );
    await lookedSince(3_600, 100);
    const replica = await region.start({ NODE_UNREACHABLE_SECONDS: '500' });
    await eventually(async () => expect(await dueOf(0)).toHaveLength(1));
    expect(await dueOf(1)).toHaveLength(0);
    const metrics = await fetch(`${replica.url}/metrics`);
    expect(await metrics.text()).toContain('sluice_unreachable_nodes 1');
  });
});
