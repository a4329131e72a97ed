import { randomBytes } from 'node:crypto';
import { createServer, request as send, type IncomingMessage, type ServerResponse } from 'node:http';
import { readFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { extname, join, normalize } from 'node:path';
import type { Stack } from '@sluice/testing';

const types: Record<string, string> = {
  '.css': 'text/css',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};

const policyFor = (nonce: string) =>
  [
    "default-src 'none'; script-src 'self'; connect-src 'self'; img-src 'self' data:; font-src 'self'",
    `style-src 'self' 'nonce-${nonce}'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'`,
    "require-trusted-types-for 'script'",
  ].join('; ');

export interface ConsoleServer {
  url: string;
  close: () => Promise<void>;
}

/** Serves a build of the console under its policy, with the APIs of a stack behind the same origin. */
export async function serveConsole(folder: string, stack: Stack): Promise<ConsoleServer> {
  const server = createServer((request, answer) => {
    void serve(request, answer).catch(() => answer.destroy());
  });

  function apiOf(path: string): string | undefined {
    const [, main] = /^\/api\/main(\/.*)/.exec(path) ?? [];
    if (main !== undefined) return stack.base_url + main;
    const [, audit] = /^\/api\/audit(\/.*)/.exec(path) ?? [];
    if (audit !== undefined) return stack.audit_url + audit;
    const [, cloud, region, rest = ''] = /^\/api\/regions\/([^/]+)\/([^/]+)(\/.*)/.exec(path) ?? [];
    const supervisor = stack.supervisors.find((one) => one.cloud === cloud && one.region === region);
    return supervisor && supervisor.url + rest;
  }

  async function serve(request: IncomingMessage, answer: ServerResponse): Promise<void> {
    const path = request.url ?? '/';
    const api = apiOf(path);
    if (api !== undefined) return pass(api, request, answer);
    const { pathname } = new URL(path, 'http://console.invalid');
    const file = await readFile(join(folder, normalize(pathname))).catch(() => undefined);
    if (file && pathname !== '/index.html') {
      answer.writeHead(200, { 'content-type': types[extname(pathname)] ?? 'application/octet-stream' });
      answer.end(file);
      return;
    }
    const nonce = randomBytes(16).toString('base64');
    const document = await readFile(join(folder, 'index.html'), 'utf8');
    answer.writeHead(200, { 'content-type': types['.html'], 'content-security-policy': policyFor(nonce) });
    answer.end(document.replace('__CSP_NONCE__', nonce));
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function pass(url: string, request: IncomingMessage, answer: ServerResponse): void {
  const headers = { ...request.headers, host: new URL(url).host };
  const passed = send(url, { method: request.method ?? 'GET', headers }, (response) => {
    answer.writeHead(response.statusCode ?? 502, response.headers);
    response.pipe(answer);
  });
  passed.on('error', () => answer.writeHead(502).end());
  answer.on('close', () => passed.destroy());
  request.pipe(passed);
}
