import type { Cli } from './cli.ts';
import { DryRunEnd } from './errors.ts';
import { visible } from '@sluice/terminal/escape';

const secretHeaders = ['svc-api-key', 'svc-session'];

/**
 * `fetch` that shows with `--dry-run` the request which would change something, and does not send it; with `--verbose` it says on stderr
 * what is sent and answered. Neither shows the credential.
 */
export function observed(cli: Cli): typeof fetch {
  return async (input, init) => {
    const method = init?.method ?? 'GET';
    const url = input instanceof Request ? input.url : input.toString();
    if (cli.options.dryRun && method !== 'GET') {
      await show(cli, { method, url, headers: shownHeaders(init?.headers), body: bodyOf(init?.body) });
      throw new DryRunEnd();
    }
    if (!cli.options.verbose) return fetch(input, init);
    const begun = performance.now();
    const response = await fetch(input, init);
    const milliseconds = Math.round(performance.now() - begun);
    const id = response.headers.get('svc-request') ?? '-';
    cli.say(`${method} ${url.split('?')[0]} → ${response.status} in ${milliseconds} ms, request ${id}`);
    return response;
  };
}

interface Shown {
  method: string;
  url: string;
  headers: Record<string, string>;
  body: unknown;
}

async function show(cli: Cli, request: Shown): Promise<void> {
  if (!cli.output.isForPeople) return cli.output.value(request);
  const { method, url, headers, body } = request;
  const lines = [`${method} ${url}`, ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`)];
  const text = lines.map(visible).join('\n');
  await cli.output.raw(`${text}\n${body === undefined ? '' : `\n${JSON.stringify(body, null, 2)}\n`}`);
}

function shownHeaders(given: RequestInit['headers']): Record<string, string> {
  const headers = new Headers(given);
  for (const name of secretHeaders) headers.delete(name);
  return Object.fromEntries(headers);
}

function bodyOf(body: RequestInit['body']): unknown {
  return typeof body === 'string' ? JSON.parse(body) : undefined;
}
