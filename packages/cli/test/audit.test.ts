import type { RequestListener } from 'node:http';
import { against } from './fixtures/against.ts';

/** `sluice audit tail` against a log of more entries than it holds at a time. */

const begun = Date.parse('2026-03-14T08:00:00Z');
const entry = (number: number) => ({
  ...{ type: 'division_created', name: `Created ${number}`, author: null, user: null, api_key: null },
  ...{ division: null, environment: null, deployment: null, correlation_id: null, data: { number } },
  timestamp: new Date(begun + number * 250).toISOString(),
});
type Entry = ReturnType<typeof entry>;

/** Lists a log as the Audit API does: newest first, in pages. @param log oldest first; asked for anew with each request */
const server =
  (log: () => readonly Entry[], seen: (entries: number) => void = () => {}): RequestListener =>
  ({ url = '', headers: { host } }, answer) => {
    const { pathname, searchParams } = new URL(url, `http://${host}`);
    const body = pathname.endsWith('/context')
      ? { tenant: { id: 1 }, regions: [], audit_url: `http://${host}` }
      : page(log(), searchParams);
    if ('items' in body) seen(body.items.length);
    answer.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  };

function page(log: readonly Entry[], query: URLSearchParams) {
  const [from, to] = ['from', 'to'].map((name) => query.get(name));
  const found = log
    .filter(({ timestamp }) => (!from || timestamp >= from) && (!to || timestamp < to))
    .sort((a, b) => b.timestamp.localeCompare(a.timestamp));
  const [number, results] = [Number(query.get('page') ?? 1), Number(query.get('results') ?? 20)];
  return {
    items: found.slice((number - 1) * results, number * results),
    ...{ page: number, total_results: found.length, total_pages: Math.ceil(found.length / results) },
  };
}

const numbersOf = (stdout: string): number[] =>
  stdout
    .trim()
    .split('\n')
    .map((line) => (JSON.parse(line) as Entry).data.number);
const tail = ['audit', 'tail', '-o', 'ndjson', '--since', new Date(begun).toISOString()];

test('a log of which it can hold a part is shown from its beginning on, in its order and once', async () => {
  const log = Array.from({ length: 6_000 }, (_, number) => entry(number));
  const isEnough = (stdout: string) => stdout.includes('"number":5999');
  const { code, stdout } = await against(
    server(() => log),
    tail,
    { isEnough },
  );
  expect(code).toBe(130);
  expect(numbersOf(stdout)).toEqual(log.map((_, number) => number));
}, 120_000);

test('what comes later is shown once, also what a region reports late', async () => {
  const log = [0, 400, 800].map(entry);
  let looks = 0;
  const growing = () => {
    looks++;
    // 50 s behind the newest entry, and one after it
    return looks < 3 ? log : [...log, entry(600), entry(900)];
  };
  const isEnough = (stdout: string) => stdout.split('\n').length > 5;
  const { code, stdout } = await against(server(growing), tail, { isEnough });
  expect({ code, numbers: numbersOf(stdout) }).toEqual({ code: 130, numbers: [0, 400, 800, 600, 900] });
}, 60_000);
