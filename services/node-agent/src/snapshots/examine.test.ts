import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { idOf, type DeploymentId, type DesiredState, type NodeId } from '@sluice/contracts';
import type { Check, ExaminedNode } from './check.ts';
import { examine } from './examine.ts';

let home: string;
beforeEach(async () => void (home = await mkdtemp(join(tmpdir(), 'sluice-examined-'))));
afterEach(() => rm(home, { recursive: true }));

const wanted: DesiredState = {
  revision: 2,
  node: { id: idOf<NodeId>(1), name: 'node-1' },
  deployment: { id: idOf<DeploymentId>(1), name: 'orders' },
  broker: {
    ...{ runtime: 'nats', state: 'running', stopped_until: null, values: {}, config: null, tls: null },
    ...{ rate_limit: null, former_credentials: [], encryption: null },
    credentials: { username: 'user', password: 'hunter-twelve' },
  },
  ...{ access_rules: [], heartbeat_seconds: 1, tasks: [], snapshots: [] },
  telemetry: { metrics_seconds: 60, send_seconds: 60 },
  connectors: { state: 'running', instances: [] },
};

/** A node on which nothing runs. */
const node = (): ExaminedNode => ({
  ...{
    home,
    supervisorUrl: 'http://127.0.0.1:1',
    version: '1.0.0',
    clockOffset: 0,
    wanted,
    appliedRevision: 1,
  },
  broker: {
    report: { runtime: 'broker', status: 'starting', version: null, reason: null },
    ...{ pid: null, failures: 0, lastFailure: '' },
  },
  ...{ gateways: [], gatewayHost: '127.0.0.1', ports: {}, connectors: null },
});
const own = (run: Check['run']): Check => ({
  ...{ id: 'own', group: 'Own', title: 'Own', meaning: 'It matters.' },
  run,
});
const look = async (run: Check['run'], redactSecrets = true) => {
  const findings = await examine({ node: node(), runtimeChecks: [own(run)], redactSecrets });
  return { findings, check: findings.checks.find(({ id }) => id === 'own')! };
};

test('a check that throws is told of as one that could not be made, and costs no other', async () => {
  const { check, findings } = await look(() => {
    throw new Error('no such thing');
  });
  expect(check).toMatchObject({ status: 'unknown', finding: 'The check could not be made: no such thing.' });
  expect(findings.checks.filter(({ status }) => status !== 'unknown').length).toBeGreaterThanOrEqual(30);
});

test('what depends on a broker that does not run says so', async () => {
  const { findings } = await look(() => ({ status: 'ok', finding: 'Well.' }));
  expect(findings.checks.find(({ id }) => id === 'broker_descriptors')).toMatchObject({
    status: 'unknown',
    finding: 'The check could not be made: no broker runs.',
  });
});

test('a broker that has failed long ago, and has run since, is in no crash loop', async () => {
  const report = { runtime: 'broker' as const, version: '2.11.0', reason: null };
  const statusOf = async (status: 'running' | 'failed') => {
    // the first process of the machine has run for long
    const broker = {
      report: { ...report, status },
      pid: 1,
      failures: 5,
      lastFailure: 'the broker ended (code 1)',
    };
    const { checks } = await examine({ node: { ...node(), broker }, runtimeChecks: [], redactSecrets: true });
    return checks.find(({ id }) => id === 'broker_running');
  };
  expect(await statusOf('running')).toMatchObject({ status: 'ok' });
  expect(await statusOf('failed')).toMatchObject({
    status: 'critical',
    finding: expect.stringContaining('crash loop') as string,
  });
});

test('no more is told than the supervisor takes, however much there is', async () => {
  for (const name of ['broker.conf', 'broker.log', 'agent.log', 'gateway.log', 'connectors.log'])
    await writeFile(join(home, name), `${'"\u0001é'.repeat(60)}\n`.repeat(500));
  const long = 'é'.repeat(5_000);
  const { findings, check } = await look(() => ({
    ...{ status: 'critical', finding: long, action: long },
    details: Array.from({ length: 100 }, () => ({ name: long, value: long })),
  }));
  expect([check.finding.length, check.action?.length, check.details.length]).toEqual([600, 600, 20]);
  expect(check.details[0]).toMatchObject({ name: expect.stringMatching(/^é{79}…$/) as string });
  expect(Buffer.byteLength(JSON.stringify(findings))).toBeLessThanOrEqual(60 * 1_024);
});

test('a secret of the node is in nothing that is told', async () => {
  await writeFile(join(home, 'broker.log'), 'tried hunter-twelve\n');
  const { findings } = await look(
    () => ({ status: 'ok', finding: 'hunter-twelve', details: [{ name: 'x', value: 'hunter-twelve' }] }),
    false,
  );
  expect(JSON.stringify(findings)).not.toContain('hunter-twelve');
});
