import autocannon, { type Result } from 'autocannon';
import { text } from 'node:stream/consumers';

/**
 * The load of `npm run bench:api`, in a process of its own: a closed loop over a fixed number of kept-alive connections. Reads
 * a `Load` as JSON, answers a `Measured`.
 */
export interface Load {
  url: string;
  connections: number;
  requests: number;
  method: 'GET' | 'PUT';
  headers: Record<string, string>;
  /** asked for in turn */
  paths: string[];
  /** whether each request brings a body that changes something */
  changes: boolean;
}

export interface Measured {
  requests: number;
  seconds: number;
  /** milliseconds */
  p50: number;
  p99: number;
}

if (process.argv[1] === import.meta.filename) {
  const measured = await run(JSON.parse(await text(process.stdin)) as Load);
  process.stdout.write(JSON.stringify(measured));
}

async function run({ url, connections, requests, method, headers, paths, changes }: Load): Promise<Measured> {
  const times: number[] = [];
  let number = Date.now();
  const begun = performance.now();
  const ended = Promise.withResolvers<Result>();
  const options: autocannon.Options = {
    url,
    connections,
    amount: requests,
    requests: paths.map((path) => ({
      method,
      path,
      headers,
      ...(changes && {
        setupRequest: (request) => ({
          ...request,
          body: JSON.stringify({ description: `change ${number++}` }),
        }),
      }),
    })),
  };
  const loop = autocannon(options, (error: Error | null, result) =>
    error ? ended.reject(error) : ended.resolve(result),
  );
  loop.on('response', (_client, _status, _bytes, milliseconds) => times.push(milliseconds));
  const { non2xx, errors, timeouts, statusCodeStats } = await ended.promise;
  // a busy machine may keep a client waiting for too long
  if (non2xx + errors + timeouts > times.length / 100)
    throw new Error(
      `${url}${paths[0]}: refusals ${JSON.stringify(statusCodeStats)}, ${errors} errors, ${timeouts} timeouts`,
    );
  times.sort((a, b) => a - b);
  const at = (share: number) => times[Math.floor(share * times.length)] ?? 0;
  return {
    requests: times.length,
    seconds: (performance.now() - begun) / 1_000,
    p50: at(0.5),
    p99: at(0.99),
  };
}
