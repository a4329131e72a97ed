import { randomUUID } from 'node:crypto';
import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import type { DeploymentSpec, Event } from '@sluice/contracts';
import { secretBox, secretKeysSchema } from '@sluice/system/secrets';
import { agentKeyOf, aDeployment, eventually } from '@sluice/testing';
import { importJWK, SignJWT, type JWK } from 'jose';
import { call, connectTo, untilStatus, type Deployment } from '#test/client.ts';
import { messagesAbout } from '#test/messages.ts';
import { supervisor } from '#test/region.ts';
import { unzipped } from '#test/zip.ts';
import type { components } from '../../generated/api.ts';
import type { Findings } from '@sluice/diagnostics/findings';

type Snapshot = components['schemas']['Snapshot'];

describe('snapshots', () => {
  const region = supervisor({ replicas: 2, environment: { SNAPSHOT_ARCHIVE_MIB: '1' } });
  let key: string;
  let shape: DeploymentSpec;
  let node: number;

  beforeAll(async () => {
    key = await region.key();
    shape = aDeployment({ limits: { access_rules: 3, snapshots: 2, snapshot_days: 7 } });
    node = shape.nodes[0]!.id;
    await region.apply(shape);
    await untilStatus(region.replica().url, key, shape.id, 'initialized');
  });
  afterEach(async () => {
    await agent('SIGCONT');
    await eventually(async () => expect((await list()).every(isComplete)).toBe(true));
    await region.sql('DELETE FROM snapshots');
  });

  const at = (path = '', replica = 0) =>
    `${region.replica(replica).url}/deployments/${shape.id}/snapshots${path}`;
  const create = (body?: unknown, replica = 0) => call(at('', replica), key, { method: 'POST', body });
  const list = async () => ((await call(at(), key)).body as { items: Snapshot[] }).items;
  const isComplete = ({ status }: Snapshot) => status === 'completed';
  const agent = async (signal: NodeJS.Signals) => process.kill(await region.agentOf(node), signal);
  const linkOf = async (id: number, as = key) =>
    (await call(at(`/${id}/download`), as)).body as { url: string; includes_broker_data: boolean };
  const link = async (id: number) => (await linkOf(id)).url;
  const untilComplete = () =>
    eventually(async () => {
      const [newest] = await list();
      expect(newest).toMatchObject({ status: 'completed' });
      return newest!;
    });
  const eventsOf = async (type: string) =>
    (await messagesAbout<Event>(region, 'events', shape.id)).filter((event) => event.type === type);
  /** as a client without any key gets it */
  const download = async (url: string) => {
    const response = await fetch(url);
    const bytes = response.body === null ? Buffer.alloc(0) : await buffer(response.body);
    return { status: response.status, headers: response.headers, bytes };
  };
  const openArchive = async (id: number, as = key) => {
    const { bytes } = await download((await linkOf(id, as)).url);
    const files = await unzipped(bytes);
    return {
      files,
      names: [...files.keys()],
      report: files.get('report.html')!.toString(),
      findings: JSON.parse(files.get('findings.json')!.toString()) as Findings,
    };
  };
  /** All that is open has had its time, and somebody has listened meanwhile. */
  const passDeadlines = async () => {
    await region.sql("UPDATE silence_looks SET watched_since = now() - interval '1 h'");
    await region.sql("UPDATE snapshots SET deadline = now() - interval '1 s' WHERE finished_at IS NULL");
  };

  test('examine a node with at least 30 checks, each with its finding, what it means and what to do', async () => {
    const created = await create();
    expect(created.status).toBe(204);
    const { id, name, ...snapshot } = await untilComplete();
    expect(created.headers.get('svc-snapshot')).toBe(String(id));
    expect(snapshot).toEqual({
      ...{ tenant_id: shape.tenant_id, division_id: shape.division.id, environment_id: shape.environment.id },
      ...{ deployment_id: shape.id, node_id: node, deployment_name: 'orders', status: 'completed' },
      created_at: expect.any(String) as string,
      completed_at: expect.any(String) as string,
    });
    expect(name).toMatch(/^orders-\d{8}T\d{6}Z-node-1$/);

    const { names, report, findings } = await openArchive(id);
    expect(names).toEqual(['report.html', 'findings.json', 'broker-data.zip']);
    const { checks } = findings;
    expect(checks.length).toBeGreaterThanOrEqual(30);
    expect(new Set(checks.map((check) => check.id)).size).toBe(checks.length);
    const made = checks.filter(({ status }) => status !== 'unknown');
    expect(made.length).toBeGreaterThanOrEqual(30);
    for (const { status, finding, meaning, action } of checks) {
      expect([finding, meaning].every((text) => text.length > 0)).toBe(true);
      expect(action === null).toBe(status === 'ok' || status === 'unknown');
    }
    // it stands by itself: nothing is loaded from elsewhere, and nothing runs
    expect(report).not.toMatch(/<script|<link|<iframe|src=|@import|url\(/i);
    for (const { title } of checks) expect(report).toContain(title);
    expect(report.indexOf('class="verdict')).toBeLessThan(report.indexOf('<section'));
    expect(await eventsOf('snapshot_created')).toMatchObject([
      { author: { name: 'Ada' }, data: { nodes: [{ id: node, name: 'node-1' }] } },
    ]);
  });

  test('have neither the login of the broker nor the key of the node in them, also where nothing else is redacted', async () => {
    const { body } = await call(`${region.replica().url}/deployments/${shape.id}/credentials`, key);
    const { password } = body as { password: string };
    // what only looks like a secret
    await appendFile(join(region.nodesFolder, String(node), 'gateway.log'), 'token: open-sesame\n');
    for (const redact_secrets of [true, false]) {
      await create({ redact_secrets });
      const { id } = await untilComplete();
      const { report, findings } = await openArchive(id);
      expect(findings.excerpts.map(({ title }) => title)).toContain('Configuration of the broker');
      for (const text of [report, JSON.stringify(findings)]) {
        expect(text).not.toContain(password);
        expect(text).not.toContain('PRIVATE KEY-----\n');
        expect(text).toContain('***');
        expect(text.includes('open-sesame')).toBe(!redact_secrets);
      }
    }
  });

  test('are made one at a time, however many ask at once', async () => {
    await agent('SIGSTOP');
    const answers = await Promise.all([0, 1, 0, 1].map((replica) => create(undefined, replica)));
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 409, 409, 409]);
    expect(answers.find(({ status }) => status === 409)?.body).toMatchObject({
      code: 'operation_in_progress',
    });
    const [snapshot] = await list();
    expect(snapshot).toMatchObject({ status: 'processing', completed_at: null });
    for (const [path, method] of [
      [`/${snapshot!.id}/download`, 'GET'],
      [`/${snapshot!.id}`, 'DELETE'],
    ] as const)
      expect(await call(at(path), key, { method })).toMatchObject({
        status: 409,
        body: { code: 'state_conflict' },
      });
  });

  test('are as many as the plan allows, and make room once deleted', async () => {
    for (let made = 0; made < 2; made++) {
      expect((await create()).status).toBe(204);
      await untilComplete();
    }
    expect(await create()).toMatchObject({
      status: 409,
      body: { code: 'limit_reached', limit: { name: 'deployment_snapshots_limit', value: 2 } },
    });
    const [newest, oldest] = await list();
    const remove = () => call(at(`/${oldest!.id}`), key, { method: 'DELETE' });
    const answers = await Promise.all([remove(), remove()]);
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 404]);
    expect((await list()).map(({ id }) => id)).toEqual([newest!.id]);
    expect((await create()).status).toBe(204);
    await untilComplete();
    const deleted = await eventsOf('snapshot_deleted');
    expect(deleted).toMatchObject([{ data: { nodes: [{ id: node, name: 'node-1' }] } }]);
  });

  test('are gone after the days that the plan keeps them, and do not count any more', async () => {
    await create();
    const { id } = await untilComplete();
    const url = await link(id);
    const [kept] = await region.sql<{ days: number }>(
      "SELECT extract(day FROM expires_at - created_at + interval '1 min')::int AS days FROM snapshots",
    );
    expect(kept).toEqual({ days: 7 });
    await region.sql("UPDATE snapshots SET expires_at = now() - interval '1 s'");
    expect(await list()).toEqual([]);
    expect((await call(at(`/${id}/download`), key)).status).toBe(404);
    expect((await download(url)).status).toBe(403);
  });

  test('of a node that does not answer are completed, and say so at the top', async () => {
    await agent('SIGSTOP');
    await create();
    await passDeadlines();
    const { id } = await untilComplete();
    const { report, findings } = await openArchive(id);
    expect(findings.failure).toBe('the node did not answer in time');
    expect(findings.checks[0]).toMatchObject({ id: 'region_answer', status: 'critical' });
    expect(/<h1>[\s\S]*?<\/h1>/.exec(report)?.[0]).toContain('The node did not answer');
    await agent('SIGCONT');
    // what it tells too late changes nothing
    await eventually(async () => {
      await create();
      expect((await list()).length).toBe(2);
    });
    await untilComplete();
    expect((await openArchive(id)).findings.failure).toBe('the node did not answer in time');
  });

  /** Posts what the node's agent would, by its key. @returns the status */
  async function asNode() {
    const key = JSON.parse(await agentKeyOf(region.nodesFolder, region.keysFolder, node)) as JWK;
    const token = await new SignJWT()
      .setProtectedHeader({ alg: 'EdDSA' })
      .setSubject(String(node))
      .setAudience('sluice-supervisor')
      .setExpirationTime('1 min')
      .sign(await importJWK(key, 'EdDSA'));
    return async (path: string, body: object) => {
      const { status } = await fetch(`${region.replica().url}/agent/v1/snapshots/${path}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      return status;
    };
  }

  describe("of a broker's data folder", () => {
    test('have its ZIP, whose files are those of the folder', async () => {
      const { body } = await call(`${region.replica().url}/deployments/${shape.id}`, key);
      const connection = await connectTo(region.replica().url, key, body as Deployment);
      await (await jetstreamManager(connection)).streams.add({ name: 'orders', subjects: ['orders.>'] });
      await jetstream(connection).publish('orders.new', 'a message that is in the ZIP');
      await connection.close();
      await create({ include_broker: true });
      const { id } = await untilComplete();
      const { files, findings, report } = await openArchive(id);
      const inner = await unzipped(files.get('broker-data.zip')!);
      const folder = 'jetstream/deployment/streams/orders';
      expect(inner.get(`${folder}/meta.inf`)?.toString()).toContain('"orders"');
      expect(inner.get(`${folder}/msgs/1.blk`)?.toString('latin1')).toContain('a message that is in the ZIP');
      expect(inner.get('contents.txt')?.toString()).toContain(`${folder}/meta.inf`);
      expect(findings.archive).toEqual({ status: 'complete', bytes: files.get('broker-data.zip')!.length });
      expect(report).toContain('broker-data.zip');
    });

    test('have its ZIP only by the link of somebody who may read the credentials', async () => {
      await create();
      const { id } = await untilComplete();
      const viewer = await region.key('viewer');
      const elsewhere = { 2: { environments: { 3: ['deployment:read' as const] } } };
      const restricted = await region.key({
        environment: ['deployment:credentials:read'],
        divisions: elsewhere,
      });
      for (const as of [viewer, restricted]) {
        expect((await linkOf(id, as)).includes_broker_data).toBe(false);
        const { names, findings, report } = await openArchive(id, as);
        expect([names, findings.archive?.status]).toEqual([['report.html', 'findings.json'], 'withheld']);
        expect(report).toContain('deployment:credentials:read');
      }
      const developer = await region.key('developer');
      expect((await linkOf(id, developer)).includes_broker_data).toBe(true);
      expect((await openArchive(id, developer)).names).toContain('broker-data.zip');
    });

    test('take its pieces in their turn, once, from one upload, and no more than there is room for', async () => {
      await agent('SIGSTOP');
      await create();
      const [asked] = await list();
      const send = await asNode();
      const findings = { taken_at: new Date().toISOString(), milliseconds: 1, checks: [], excerpts: [] };
      expect(await send(`${asked!.id}/findings`, findings)).toBe(204);
      const [former, upload] = [randomUUID(), randomUUID()];
      const piece = (number: number, text: string, more: object = {}) =>
        send(`${asked!.id}/archive`, {
          ...{ upload, number, content: Buffer.from(text).toString('base64'), last: false },
          ...more,
        });
      expect(await piece(2, 'x')).toBe(409);
      expect(await piece(1, 'of another attempt', { upload: former })).toBe(204);
      expect(await piece(1, 'one ')).toBe(204);
      expect(await piece(2, 'late', { upload: former })).toBe(409);
      expect(await piece(1, 'again')).toBe(204);
      expect(await piece(3, 'x')).toBe(409);
      const full = 'x'.repeat(45_000);
      const statuses: number[] = [];
      for (let number = 2; number <= 25; number++) statuses.push(await piece(number, full));
      expect([statuses.filter((status) => status === 204).length, statuses.at(-1)]).toEqual([23, 413]);
      expect(await piece(25, 'two', { last: true })).toBe(204);
      expect(await piece(26, 'x')).toBe(404);
      expect(await send('4711/archive', { upload, number: 1, content: '', last: true })).toBe(404);
      expect(await send('4711/findings', findings)).toBe(404);
      const { id } = await untilComplete();
      const { files } = await openArchive(id);
      expect(files.get('broker-data.zip')!.toString()).toBe(`one ${full.repeat(23)}two`);
    });

    test('have none where it is not wanted', async () => {
      await create({ include_broker: false });
      const { id } = await untilComplete();
      const { names, findings } = await openArchive(id);
      expect([names, findings.archive]).toEqual([['report.html', 'findings.json'], null]);
      expect((await linkOf(id)).includes_broker_data).toBe(false);
      expect(await region.sql('SELECT FROM snapshot_archive_pieces')).toEqual([]);
    });

    test('are completed without it when it does not come in time, and keep no part of it', async () => {
      await agent('SIGSTOP');
      await create();
      const [asked] = await list();
      // as if the node had told what it has found, and a part of the ZIP
      await region.sql(
        `UPDATE snapshots SET findings = '{"taken_at": "2026-03-14T09:26:53.589Z", "milliseconds": 1, "checks": [], "excerpts": []}'`,
      );
      await region.sql(
        'INSERT INTO snapshot_archive_pieces (snapshot_id, number, content) VALUES ($1, 1, $2)',
        [asked!.id, Buffer.from('x')],
      );
      await passDeadlines();
      const { id } = await untilComplete();
      const { names, findings, report } = await openArchive(id);
      expect(names).toEqual(['report.html', 'findings.json']);
      expect([findings.failure, findings.archive?.status]).toEqual([null, 'failed']);
      expect(report).toContain('has not sent the ZIP');
      expect(await region.sql('SELECT FROM snapshot_archive_pieces')).toEqual([]);
    });
  });

  test('are refused of a deployment that is being deleted', async () => {
    const leased = (until: string) => region.sql(`UPDATE reconciliations SET leased_until = ${until}`);
    // the reconciler would remove its nodes meanwhile
    await leased("now() + interval '1 minute'");
    await region.sql("UPDATE deployments SET deleted_by = '{}' WHERE id = $1", [shape.id]);
    const answer = await create();
    await region.sql('UPDATE deployments SET deleted_by = NULL');
    await leased('NULL');
    expect(answer).toMatchObject({ status: 409, body: { code: 'state_conflict' } });
  });

  describe('links', () => {
    test('need no key, name the file, and are for one snapshot alone', async () => {
      await create();
      const { id, name } = await untilComplete();
      const { status, headers } = await download(await link(id));
      expect([status, headers.get('content-type')]).toEqual([200, 'application/zip']);
      expect(headers.get('content-disposition')).toBe(`attachment; filename="${name}.zip"`);
    });

    test('are refused when they were changed, are over, or were made for something else', async () => {
      await create();
      const { id } = await untilComplete();
      const url = new URL(await link(id));
      const box = secretBox(secretKeysSchema.parse(region.environment['SECRETS_KEYS']));
      const said = { for: 'snapshot download', deployment: shape.id, snapshot: id, broker: true };
      const tokenOf = (more: object) => box.seal(JSON.stringify({ ...said, ...more }));
      const token = url.searchParams.get('token')!;
      const soon = Date.now() + 60_000;
      const statusOf = async (changed: string) => {
        url.searchParams.set('token', changed);
        return (await download(url.href)).status;
      };
      expect(await statusOf(await tokenOf({ until: soon }))).toBe(200);
      for (const wrong of [
        'x',
        `${token.slice(0, -2)}${token.endsWith('AA') ? 'BB' : 'AA'}`,
        await tokenOf({ until: Date.now() - 1 }),
        await tokenOf({ until: soon, deployment: shape.id + 1 }),
        await tokenOf({ until: soon, snapshot: id + 1 }),
        await tokenOf({ until: soon, for: 'something else' }),
        await box.seal('no JSON'),
      ])
        expect(await statusOf(wrong)).toBe(403);
    });

    test('are good for five minutes', async () => {
      await create();
      const { id } = await untilComplete();
      const token = new URL(await link(id)).searchParams.get('token')!;
      const box = secretBox(secretKeysSchema.parse(region.environment['SECRETS_KEYS']));
      const { until } = JSON.parse(await box.open(token)) as { until: number };
      expect(Math.abs(until - Date.now() - 300_000)).toBeLessThan(30_000);
    });
  });
});
