import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { get } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import {
  addColleague,
  addSession,
  client,
  eventually,
  repository,
  StackDatabases,
  startStack,
} from '@sluice/testing';
import { findProcesses, naming } from '@sluice/system';
import type { Load, Measured } from './api/load.ts';
import { memoryOf } from './api/processes.ts';
import { answerAudit, answerSeries } from './console/answers.ts';
import { openBrowser, type Paint } from './console/browser.ts';
import { listDeployments } from './console/deployments.ts';
import { scoresOf, type Scores } from './console/lighthouse.ts';
import { followLogs } from './console/logs.ts';
import { median, table } from './report.ts';

/**
 * The console: a GET through it beside the direct one, the memory of open feeds; in Chromium with a fourfold slowed CPU the time to paint
 * and to answer an interaction; the frames of 1,000 deployments, 100,000 audit entries and a chart of 100,000 points that scroll, beside
 * a page of one line; what Lighthouse says; and the memory of a page that follows 200 lines of logs a second. Aims: 0.6 of the direct GET,
 * 150 MiB, first paint in 1.5 s, 95 % of interactions in 100 ms, 50 frames a second, 95 points, memory that does not grow. The sizes of
 * pages are a test (`test-e2e/src/console/sizes.test.ts`).
 *
 * npm run bench:console -- [requests [feeds [minutes of logs]]], such as 4000 500 30
 */
const [requests = 4_000, feeds = 500, minutes = 2] = process.argv.slice(2).map(Number);
const deployments = 1_000;
const rounds = 5;

// one person holds all feeds open
process.env['FEED_READERS_PER_CALLER'] = String(feeds);
// regions do not know the deployments that are only listed
process.env['INVENTORY_SECONDS'] = '86400';
const stack = await startStack();
const databases = new StackDatabases(stack);
try {
  const query = <Row extends object>(statement: string, values?: unknown[]) =>
    databases.query<Row>('main_api', statement, values);
  const userId = await addColleague(query, stack.tenant_id);
  const token = await addSession(query, stack.tenant_id, userId);
  const { console_url: console_ } = stack;
  if (console_ === undefined) throw new Error('The stack has no console.');
  const path = `/tenants/${stack.tenant_id}/divisions`;
  const cookie = { cookie: `sluice=${token}` };
  await eventually(async () => {
    const { status } = await client(`${console_}/api/main`).request('GET', path, undefined, cookie);
    if (status !== 200) throw new Error(`The console answers ${status}.`);
  });

  const pid = Math.max(...(await findProcesses(naming(join(repository, 'services/console/src/main.ts')))));
  const before = await memoryOf(pid);
  const open = await Promise.all(
    Array.from({ length: feeds }, () =>
      openFeed(`${console_}/api/main/tenants/${stack.tenant_id}/events/stream`, token),
    ),
  );
  await delay(5_000);
  const used = ((await memoryOf(pid)) - before) / 2 ** 20;
  for (const close of open) close();
  print(
    'feeds',
    ['MiB at rest', 'MiB more'],
    [[`${feeds} feeds`, (before / 2 ** 20).toFixed(0), used.toFixed(0)]],
  );

  const ratios: number[] = [];
  const rates: [number, number][] = [];
  for (let round = 0; round < rounds; round++) {
    const direct = await load(stack.base_url, path, { 'svc-api-key': stack.api_key });
    const proxied = await load(console_, `/api/main${path}`, cookie);
    rates.push([direct, proxied]);
    ratios.push(proxied / direct);
  }
  print(
    'GET by the console',
    ['requests/s, direct', 'by the console', 'ratio'],
    [
      [
        `${path}`,
        ...[0, 1].map((at) => median(rates.map((one) => one[at] ?? NaN)).toFixed(0)),
        median(ratios).toFixed(2),
      ],
    ],
  );

  // while the plan has room for one
  const starter = await createStarter();
  await query(listDeployments, [stack.tenant_id, stack.division_id, deployments]);
  const browser = await openBrowser(console_, token);
  try {
    const places = [
      ['a page of one line', browser.bareUrl],
      ['overview', `${console_}/t/${stack.tenant_id}`],
      ['1,000 deployments', `${console_}/t/${stack.tenant_id}/deployments`],
    ] as const;
    const rows: string[][] = [];
    for (const [name, url] of places) {
      const painted: Paint[] = [];
      for (let round = 0; round < rounds; round++) painted.push(await browser.paint(url));
      rows.push([
        name,
        ...(['first', 'largest'] as const).map((one) =>
          median(painted.map((times) => times[one])).toFixed(0),
        ),
      ]);
    }
    print('paint, CPU slowed fourfold', ['first, ms', 'largest, ms'], rows);
    const list = `${console_}/t/${stack.tenant_id}/deployments`;
    const answered = await browser.interactions(list);
    print(
      'interactions, CPU slowed fourfold',
      ['count', 'median, ms', 'p95, ms'],
      [['1,000 deployments', String(answered.length), median(answered).toFixed(0), p95(answered).toFixed(0)]],
    );
    const deployment = `${console_}/t/${stack.tenant_id}/d/${starter.place}`;
    const audit = `${console_}/t/${stack.tenant_id}/audit`;
    const frames = [
      ['a page of one line', await browser.frames(browser.bareUrl)],
      ['1,000 deployments', await browser.frames(list, 'tbody tr')],
      ['100,000 audit entries', await browser.frames(audit, 'tbody tr', answerAudit)],
      ['a chart of 100,000 points', await browser.frames(`${deployment}/metrics`, 'canvas', answerSeries)],
    ] as const;
    print(
      'frames while it scrolls',
      ['per second'],
      frames.map(([name, rate]) => [name, rate.toFixed(0)]),
    );
    const used = await browser.with(`${deployment}/logs`, async (page) => {
      await page.getByRole('log').waitFor();
      const inRegion = <Row extends object>(statement: string, values?: unknown[]) =>
        databases.query<Row>('supervisor_cloud_a', statement, values);
      return await followLogs(page, inRegion, { deploymentId: starter.id, seconds: minutes * 60 });
    });
    const third = Math.max(1, Math.floor(used.length / 3));
    print(
      'memory of 200 log lines a second',
      ['MiB, first third', 'last third', 'at most'],
      [
        [
          `${minutes} minutes`,
          ...[median(used.slice(0, third)), median(used.slice(-third)), Math.max(...used)].map((one) =>
            one.toFixed(1),
          ),
        ],
      ],
    );
  } finally {
    await browser.close();
  }
  const scores: string[][] = [];
  const findings: string[] = [];
  for (const [name, path_, session] of [
    ['sign-in', '/sign-in', undefined],
    ['overview', `/t/${stack.tenant_id}`, cookie.cookie],
  ] as const)
    for (const isDesktop of [false, true]) {
      const of = { ...(session !== undefined && { cookie: session }), isDesktop };
      const url = `${console_}${path_}`;
      const seen: Scores[] = [];
      for (let round = 0; round < rounds; round++) seen.push(await scoresOf(url, of));
      // Lighthouse finds no paint in some rounds, and gives them no score
      const scored = seen.filter((one) => !Number.isNaN(one.performance));
      scored.sort((a, b) => a.performance - b.performance);
      const middle = scored[Math.floor(scored.length / 2)];
      if (!middle) throw new Error(`Lighthouse gives ${url} no score.`);
      const place = `${name}, ${isDesktop ? 'desktop' : 'phone'}`;
      const performances = scored.map(({ performance: one }) => one);
      scores.push([place, performances.join(' '), String(middle.accessibility)]);
      findings.push(...middle.findings.map((one) => `${place}: ${one}`));
    }
  print('Lighthouse', ['performance, of each round', 'accessibility'], scores);
  if (findings.length > 0) process.stdout.write(`${findings.join('\n')}\n`);
} finally {
  await databases.close();
  await stack.remove();
}

function print(title: string, head: readonly string[], rows: readonly (readonly string[])[]): void {
  process.stdout.write(`${table([title, ...head], rows)}\n\n`);
}

function p95(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * 0.95)] ?? NaN;
}

/** A deployment that runs. */
async function createStarter(): Promise<{ id: number; place: string }> {
  const { tenant_id, division_id, main, supervisor } = stack;
  const { headers, status } = await main.post(
    `/tenants/${tenant_id}/divisions/${division_id}/deployments/starter`,
    { cloud: 'cloud_a', region: 'us-east-1' },
  );
  if (status !== 202) throw new Error(`A starter is answered with ${status}.`);
  const id = Number(headers.get('svc-deployment'));
  await eventually(
    async () => {
      const { body } = await supervisor('cloud_a').get(`/deployments/${id}`);
      if (body['status'] !== 'initialized') throw new Error(`The starter is ${String(body['status'])}.`);
    },
    { timeoutMs: 60_000 },
  );
  return { id, place: `${division_id}/${headers.get('svc-environment')}/${id}` };
}

/** Requests per second of a closed loop. */
async function load(url: string, path: string, headers: Record<string, string>): Promise<number> {
  const child = spawn(process.execPath, [...process.execArgv, join(import.meta.dirname, 'api/load.ts')], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const given: Load = {
    url,
    connections: 16,
    requests,
    method: 'GET',
    headers,
    paths: [path],
    changes: false,
  };
  child.stdin.end(JSON.stringify(given));
  const measured = JSON.parse(await text(child.stdout)) as Measured;
  return measured.requests / measured.seconds;
}

/** @returns what closes it */
async function openFeed(url: string, session: string): Promise<() => void> {
  const sent = get(url, {
    agent: false,
    headers: { cookie: `sluice=${session}`, accept: 'text/event-stream' },
  });
  const [response] = (await once(sent, 'response')) as [NodeJS.ReadableStream & { statusCode: number }];
  if (response.statusCode !== 200) throw new Error(`A feed is answered with ${response.statusCode}.`);
  response.on('error', () => undefined).resume();
  return () => sent.destroy();
}
