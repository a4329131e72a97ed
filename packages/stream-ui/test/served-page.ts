import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream';
import { startNats } from '@sluice/embedded';
import { freePorts } from '@sluice/testing';
import { launchBrowser } from '@sluice/testing/browser';
import { documentsOf, filesOf } from '@sluice/web-files';
import type { Page } from 'playwright-core';
import { buildStreamPage } from '../build.ts';
import { openBroker, type Broker } from '../src/broker/session.ts';

/** for a step on a busy machine: which one it was is said before the test is over. Milliseconds. */
const patience = 25_000;
const login = { username: 'user', password: 'secret' };

export interface ServedPage {
  broker: Broker;
  /** Opens a tab that is signed in, at a stream. */
  open: (stream: string) => Promise<{ page: Page; complaints: string[] }>;
  close: () => Promise<void>;
}

/** The built page with its policy, as nodes serve it, a broker behind it, and a browser before it. */
export async function servePage(): Promise<ServedPage> {
  const folder = await mkdtemp(join(tmpdir(), 'sluice-stream-page-'));
  const port = await freePorts(1);
  const configuration = {
    authorization: { user: login.username, password: login.password },
    websocket: { listen: `127.0.0.1:${port}`, no_tls: true },
    max_payload: 9 * 2 ** 20,
  };
  const files = await buildStreamPage();
  const server = await startNats({ folder, configuration });
  const broker = await openBroker({ url: `ws://127.0.0.1:${port}`, login });
  const web = webServer(files, port);
  await once(web.listen(0, '127.0.0.1'), 'listening');
  const url = `http://127.0.0.1:${(web.address() as AddressInfo).port}/`;
  const browser = await launchBrowser();
  return {
    broker,
    open: async (stream) => {
      const context = await browser.newContext();
      const page = await context.newPage();
      page.setDefaultTimeout(patience);
      const complaints: string[] = [];
      page.on('pageerror', (error) => complaints.push(error.message));
      page.on('console', (message) => {
        if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
      });
      await page.goto(`${url}#${stream}`);
      await page.getByLabel('User').fill(login.username);
      await page.getByLabel('Password').fill(login.password);
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.getByRole('heading', { name: stream, exact: true }).waitFor();
      return { page, complaints };
    },
    close: async () => {
      await browser.close();
      web.closeAllConnections();
      web.close();
      await broker.close();
      await server.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function webServer(files: string, brokerPort: number) {
  const documents = documentsOf(files, { formAction: 'none' });
  const assets = filesOf(files);
  const web = createServer((request, response) => {
    if (request.url !== '/') return assets(request, response, () => void response.writeHead(404).end());
    const { html, policy } = documents();
    response.setHeader('content-security-policy', policy);
    response.setHeader('content-type', 'text/html; charset=utf-8');
    response.end(html);
  });
  web.on('upgrade', (request, client) => {
    const upstream = connect(brokerPort, '127.0.0.1');
    const headers = Object.entries(request.headers).map(([name, value]) => `${name}: ${String(value)}`);
    upstream.write(['GET / HTTP/1.1', ...headers, '\r\n'].join('\r\n'));
    pipeline(client, upstream, () => upstream.destroy());
    pipeline(upstream, client, () => client.destroy());
  });
  return web;
}
