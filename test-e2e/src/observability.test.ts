import { spawnSync } from 'node:child_process';
import { createReadStream } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  eventually,
  type Login,
  metricsOf,
  type ReceivedSpan,
  repository,
  type Stack,
  StackDatabases,
  startStack,
  supervisorOf,
  traceReceiver,
  type TraceReceiver,
} from '@sluice/testing';
import {
  askedBy,
  groupedBy,
  readAlerts,
  readPanels,
  readRunbooks,
  rulesFile,
  toldBy,
} from './observability-files.ts';
import { mailedCode } from './mails.ts';
import { runBash } from './runbooks/bash.ts';
import { readBlocks } from './runbooks/blocks.ts';
import { deadLetter } from './runbooks/dead-letter.ts';
import { scriptOf } from './runbooks/scripts.ts';
import { stackSteps, valuesOf, type Place } from './runbooks/steps.ts';
import { streamOf } from './runbooks/moved-stream.ts';
import { createStarter, deploymentsPath, untilInitialized, type Created } from './story.ts';

/**
 * What a stack tells of itself. Its metrics are those that dashboard and alerts go by, and a creation is one trace. Secrets are planted on all
 * ways in which the platform hands them out, and then looked for in everything that it has written: logs, traces, the files of
 * PostgreSQL (tables, indexes and write-ahead log) and those of NATS (every message).
 */
let stack: Stack;
let created: Created;
let receiver: TraceReceiver;
/** of audit logs */
let heads: string;
beforeAll(async () => {
  receiver = await traceReceiver();
  process.env['OTEL_EXPORTER_OTLP_ENDPOINT'] = receiver.url;
  heads = await mkdtemp(join(tmpdir(), 'sluice-heads-'));
  process.env['AUDIT_HEADS_DIR'] = heads;
  stack = await startStack();
  created = await createStarter(stack);
  await untilInitialized(stack, created);
}, 90_000);
afterAll(async () => {
  await stack.remove();
  await receiver.close();
  await rm(heads, { recursive: true, force: true });
  delete process.env['OTEL_EXPORTER_OTLP_ENDPOINT'];
  delete process.env['AUDIT_HEADS_DIR'];
});

/** The spans from one up to the first of its trace. */
function wayTo(span: ReceivedSpan | undefined): string[] {
  if (!span) return [];
  const parent = receiver.spans.find(({ spanId }) => spanId === span.parentSpanId);
  return [...wayTo(parent), `${span.service}: ${span.name}`];
}

test('a creation is one trace, from the request to the agent that applies it, and to the log that tells of its end', async () => {
  const find = (name: string, by: (span: ReceivedSpan) => boolean = () => true) =>
    receiver.spans.find((span) => span.name === name && by(span));
  const mine = (span: ReceivedSpan) => Number(span.attributes['sluice.deployment']) === created.deploymentId;
  const initialized = ({ attributes }: ReceivedSpan) =>
    attributes['sluice.message_type'] === 'deployment_initialized';
  const commanded = [
    'main-api: createStarterDeployment',
    'main-api: publish commands',
    expect.stringMatching(/^supervisor: handle supervisor/) as string,
  ];
  // each program sends its spans by itself
  await eventually(() => {
    expect(wayTo(find('driver ensureNode'))).toEqual([
      ...commanded,
      'supervisor: reconcile ensure_nodes',
      'supervisor: driver ensureNode',
    ]);
    expect(wayTo(find('apply', mine)).slice(0, 3)).toEqual(commanded);
    expect(wayTo(find('apply', mine)).at(-1)).toBe('node-agent: apply');
    expect(wayTo(find('handle audit', initialized))).toEqual([
      ...commanded,
      'supervisor: reconcile enter',
      'supervisor: publish events',
      'audit: handle audit',
    ]);
  });
});

test('a task is one trace, from the request to the result that the agent reports', async () => {
  const path = `/deployments/${created.deploymentId}/activities/broker/restart`;
  expect((await stack.supervisor('cloud_a').post(path)).status).toBe(202);
  await eventually(() => {
    const told = receiver.spans.find(({ name }) => name === 'postTaskResult');
    expect(wayTo(told)).toEqual([
      'supervisor: createActivity',
      'node-agent: apply',
      'node-agent: report broker restart',
      'supervisor: postTaskResult',
    ]);
  });
});

/** The metrics of all services together, with the labels that each has. */
async function toldMetrics(): Promise<Map<string, Set<string>>> {
  const { base_url, audit_url, supervisors, console_url = '', portBase } = stack;
  const notifier = `http://127.0.0.1:${portBase + 4}`;
  const region = supervisors[0]?.url ?? '';
  const texts = await Promise.all([
    ...[base_url, audit_url, region, notifier, console_url].map(metricsOf),
    fetch(`${region}/metrics?scope=nodes`).then((answer) => answer.text()),
  ]);
  const all = new Map<string, Set<string>>();
  for (const text of texts)
    for (const [metric, labels] of toldBy(text))
      all.set(metric, new Set([...(all.get(metric) ?? []), ...labels]));
  return all;
}

/** labels that Prometheus gives to all that it scrapes, as infra/observability/prometheus.yaml says */
const ofTargets = ['job', 'instance', 'cloud', 'region'];

test('what the dashboard and the alerts ask for is a metric of a service, with the labels that they use', async () => {
  const told = await toldMetrics();
  // Prometheus' own
  told.set('up', new Set());
  // of kube-state-metrics
  for (const metric of ['kube_cronjob_status_last_successful_time', 'kube_cronjob_created'])
    told.set(metric, new Set());
  const known = new Set([...ofTargets, ...[...told.values()].flatMap((labels) => [...labels])]);
  const runbooks = (await readBlocks()).filter(({ language }) => language === 'promql');
  const asked = [
    ...(await readPanels()),
    ...(await readAlerts()).map(({ expr }) => expr),
    ...runbooks.map(({ text }) => text),
  ];
  expect(asked.length).toBeGreaterThan(50);
  const isUnused = (expr: string) => askedBy(expr).some(({ metric }) => told.get(metric)?.size === 0);
  const wrong = asked.flatMap((expr) => [
    ...askedBy(expr).flatMap(({ metric, labels }) => {
      const has = told.get(metric);
      if (!has) return [`no service has ${metric}: ${expr}`];
      const lacking = labels.filter((label) => !has.has(label) && !ofTargets.includes(label));
      return has.size === 0 ? [] : lacking.map((label) => `${metric} has no ${label}: ${expr}`);
    }),
    ...groupedBy(expr).flatMap((label) =>
      // what has not been measured yet has no labels
      known.has(label) || isUnused(expr) ? [] : [`nothing has ${label}: ${expr}`],
    ),
  ]);
  expect(wrong).toEqual([]);
  for (const expr of asked) expect(askedBy(expr).length).toBeGreaterThan(0);
});

test('each alert says what it is about and links to what to do, and the rules can be read', async () => {
  const alerts = await readAlerts();
  const names = alerts.map(({ alert }) => alert);
  expect([...new Set(names)].sort()).toEqual((await readRunbooks()).sort());
  for (const { alert, labels, annotations } of alerts) {
    expect(['critical', 'warning']).toContain(labels.severity);
    expect(annotations.summary.length).toBeGreaterThan(10);
    expect(annotations.runbook).toBe(`docs/operations/alerts.md#${alert.toLowerCase()}`);
  }
  // Prometheus itself, where it is installed
  const { error, status, stdout } = spawnSync('promtool', ['check', 'rules', rulesFile], {
    encoding: 'utf8',
  });
  if (!error) expect([status, stdout]).toEqual([0, expect.stringContaining('SUCCESS')]);
});

/** What the runbooks define for Kubernetes, for a stack: statements are noted, and run when the block has ended. */
const onStack = (statements: string) => `
declare -A ports=([main-api]=0 [audit]=1 [supervisor]=2)
logs() { tail -n 500 "${stack.home}/logs/$service"*.log; }
readyz() { curl -s "http://127.0.0.1:$((${stack.portBase} + ports[$service]))/readyz"; }
metric() { curl -s "http://127.0.0.1:$((${stack.portBase} + ports[$service]))/metrics" | grep "^$1"; }
sql() { printf '%s\\0' "$database" "$1" >> ${statements}; }
admin() { node infra/src/sluice-admin.ts --service=$service "$@"; }
`;

test('the commands of the runbooks that need no cluster do what these promise', async () => {
  const supervisor = stack.supervisors[0]?.url ?? '';
  const place: Place = {
    region: { namespace: '', service: 'supervisor', database: 'supervisor_cloud_a' },
    ...{ regionUrl: supervisor, apiKey: stack.api_key, deployment: created.deploymentId },
    ...{ apiUrl: stack.base_url, deploymentsPath: deploymentsPath(stack, created.environmentId) },
    otherRegionUrl: supervisorOf(stack, 'cloud_b').url,
    ...streamOf(stack.api_key),
    deadLetter: async () => {
      const seed = await readFile(join(stack.home, 'secrets/nats-operator.nk'), 'utf8');
      return await deadLetter(stack.nats_url, seed.trim(), stack.tenant_id);
    },
  };
  const blocks = await readBlocks();
  const databases = new StackDatabases(stack);
  const statements = join(heads, 'statements');
  const env = { ...process.env, SLUICE_HOME: stack.home, SLUICE_PORT_BASE: String(stack.portBase) };
  try {
    for (const step of stackSteps) {
      const block = blocks.find(({ name }) => name === step.block);
      if (!block) throw new Error(`there is no block ${step.block}`);
      await step.before?.(place);
      const script = scriptOf(block, blocks, await valuesOf(step, place), onStack(statements));
      const options = { cwd: repository, env, timeoutMs: 60_000 };
      const { code, output } = await runBash(`set -euo pipefail\n${script}`, options);
      expect([step.block, code, code === 0 ? '' : output]).toEqual([step.block, 0, '']);
      await step.promised?.(place, output);
    }
    const noted = (await readFile(statements, 'utf8')).split('\0').slice(0, -1);
    expect(noted.length).toBeGreaterThanOrEqual(12);
    for (let at = 0; at < noted.length; at += 2)
      expect(await databases.query(noted[at] ?? '', noted[at + 1] ?? '')).toBeInstanceOf(Array);
  } finally {
    await databases.close();
  }
}, 120_000);

test('no secret that was handed out stands anywhere in clear', async () => {
  const secrets = await plant();
  expect(Object.values(secrets).every((secret) => secret.length >= 8)).toBe(true);
  // what is still in memory is written by an orderly end
  await stack.stop();
  await writeFile(join(stack.home, 'logs/traces.json'), receiver.text);
  expect(receiver.spans.length).toBeGreaterThan(100);
  const files = await filesBelow(['logs', 'nats', 'postgres']);
  expect(files.length).toBeGreaterThan(100);
  const found: string[] = [];
  for (const file of files) {
    for (const name of await secretsIn(file, secrets)) found.push(`${name} in ${file}`);
  }
  expect(found).toEqual([]);
}, 120_000);

/** What was looked for would have been found: the same search finds what is stored in clear. */
test('the search finds what does stand there', async () => {
  const planted = { tenant: 'owner@example.com' };
  const files = await filesBelow(['postgres']);
  const found = await Promise.all(files.map((file) => secretsIn(file, planted)));
  expect(found.flat().length).toBeGreaterThan(0);
});

async function plant(): Promise<Record<string, string>> {
  const tenant = `/tenants/${stack.tenant_id}`;
  const expiry_at = new Date(Date.now() + 3_600_000).toISOString();
  const input = { name: 'planted', permissions: { tenant: ['info:read'] }, expiry_at };
  const key = await stack.main.post<{ id: number; token: string }>(`${tenant}/api_keys`, input);
  const rotated = await stack.main.post<{ token: string }>(`${tenant}/api_keys/${key.body.id}/rotate`, {
    grace_seconds: 60,
  });
  const replayed = await repeated(`${tenant}/api_keys`, { ...input, name: 'planted twice' });

  const login = await stack
    .supervisor('cloud_a')
    .get<Login & Record<string, unknown>>(`/deployments/${created.deploymentId}/credentials`);
  // an answer that names a secret it was sent, and one that is refused
  await stack.main.get(`${tenant}?code=${rotated.body.token}`);
  return {
    'the admin key': stack.api_key,
    'a key': key.body.token,
    'its rotated token': rotated.body.token,
    'a token that was answered twice': replayed,
    'a broker password': login.body.password,
    'a protection code': await protectionCode(tenant),
    'the external id of a cloud account': await externalId(tenant),
  };
}

/** What lets Sluice into a cloud account, as a customer enters it. */
async function externalId(tenant: string): Promise<string> {
  const external_id = 'planted-external-id-4711';
  const identity_arn = 'arn:cloud_a:iam::123456789012:role/sluice';
  const account = { cloud: 'cloud_a', name: 'planted', account_id: '123456789012' };
  const settings = { cloud_a: { identity_arn, external_id, vpc_id: 'vpc-1' } };
  expect((await stack.main.post(`${tenant}/cloud_accounts`, { ...account, settings })).status).toBe(201);
  return external_id;
}

/** A token whose answer is kept for those who repeat the request. */
async function repeated(path: string, body: object): Promise<string> {
  const send = async () => {
    const response = await fetch(stack.base_url + path, {
      method: 'POST',
      headers: {
        'svc-api-key': stack.api_key,
        'content-type': 'application/json',
        'idempotency-key': 'planted',
      },
      body: JSON.stringify(body),
    });
    return (await response.json()) as { token: string };
  };
  const first = await send();
  expect(await send()).toEqual(first);
  return first.token;
}

async function protectionCode(tenant: string): Promise<string> {
  const action = { action_type: 'delete_tenant', payload: { tenant_id: stack.tenant_id } };
  expect((await stack.main.put(`${tenant}/request_code`, { action })).status).toBe(204);
  return await eventually(() => mailedCode(stack.mail_dir));
}

async function filesBelow(folders: string[]): Promise<string[]> {
  const found = await Promise.all(
    folders.map(async (folder) => {
      const entries = await readdir(join(stack.home, folder), { recursive: true, withFileTypes: true });
      return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
    }),
  );
  return found.flat();
}

/** The names of the secrets that a file holds. A code of digits counts only where it is not a part of a longer number. */
async function secretsIn(file: string, secrets: Record<string, string>): Promise<string[]> {
  const chunks: Buffer[] = [];
  for await (const chunk of createReadStream(file)) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString('latin1');
  return Object.entries(secrets)
    .filter(([, secret]) => new RegExp(`(?<![0-9a-f])${secret}(?![0-9a-f])`).test(text))
    .map(([name]) => name);
}
