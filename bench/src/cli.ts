import { execFile } from 'node:child_process';
import { createServer } from 'node:http';
import { mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { repository } from '@sluice/testing';
import { followLogs } from './cli/followed-logs.ts';
import type { Memory } from './cli/live-heap.ts';
import { median, table } from './report.ts';

/**
 * What the built command line takes, beside the least that Node takes for the same: the help beside `node -e 0`, a list beside a program that
 * makes the same requests by `fetch`. In turns, in the same run; the server answers at once. Then the memory of `logs --follow`, which has to
 * stay as it is.
 *   npm run bench:cli -- 20     so many rounds
 */
const rounds = Number(process.argv[2] ?? 20);

const answers: Record<string, unknown> = {
  '/context': { tenant: { id: 1, name: 'Acme' }, user: null, api_key: { id: 1, name: 'ci' }, division: null },
  '/tenants/1/limits': Array.from({ length: 30 }, (_, at) => ({
    ...{ name: `limit_${at}`, scope: 'tenant', limit: 100, used: at },
  })),
};
const server = createServer((request, response) => {
  const answer = answers[request.url ?? ''];
  response.writeHead(answer ? 200 : 404, { 'content-type': 'application/json' });
  response.end(JSON.stringify(answer ?? { code: 'not_found' }));
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
const folder = await mkdtemp(join(tmpdir(), 'sluice-bench-'));
const program = join(folder, 'dist/sluice.js');
const bare = `for (const path of ${JSON.stringify(Object.keys(answers))}) await (await fetch('${url}' + path)).json();`;

/** arguments of Node */
const contenders = {
  'node -e 0': ['-e', '0'],
  'sluice --help': [program, '--help'],
  'the requests of the list': ['--input-type=module', '-e', bare],
  'sluice limits -o json': [program, 'limits', '-o', 'json'],
};
const env = {
  ...{ PATH: process.env['PATH'], HOME: folder, SLUICE_CONFIG_DIR: join(folder, 'config') },
  ...{ SLUICE_URL: url, SLUICE_API_KEY: 'svc_bench' },
};

try {
  await promisify(execFile)(process.execPath, [
    join(repository, 'infra/src/cli/build.ts'),
    join(folder, 'dist'),
  ]);
  const taken = new Map<string, number[]>();
  for (let round = 0; round < rounds; round++)
    for (const [name, args] of Object.entries(contenders)) {
      const begun = performance.now();
      await promisify(execFile)(process.execPath, args, { env });
      taken.set(name, [...(taken.get(name) ?? []), performance.now() - begun]);
    }
  const of = (name: keyof typeof contenders) => median(taken.get(name) ?? []);
  const row = (name: keyof typeof contenders, baseline: keyof typeof contenders) => [
    ...[name, of(name).toFixed(0), of(baseline).toFixed(0), (of(name) / of(baseline)).toFixed(2)],
  ];
  const rows = [row('sluice --help', 'node -e 0'), row('sluice limits -o json', 'the requests of the list')];
  console.log(table([`median of ${rounds}`, 'ms', 'baseline, ms', 'ratio'], rows));
  const { memory, shown } = await followLogs(program, env);
  const [early, late] = memory;
  const memoryRow = (name: string, of: keyof Memory) => [
    ...[name, (early[of] / 2 ** 20).toFixed(1), (late[of] / 2 ** 20).toFixed(1)],
    (late[of] / early[of]).toFixed(2),
  ];
  const head = [`logs --follow, 2,000 lines/s, ${(shown * 100).toFixed(1)} % shown`, 'MiB after 30 s'];
  const memoryRows = [memoryRow('in use', 'live'), memoryRow('resident', 'resident')];
  console.log(`\n${table([...head, 'after 90 s', 'ratio'], memoryRows)}`);
} finally {
  server.close();
  await rm(folder, { recursive: true });
}
