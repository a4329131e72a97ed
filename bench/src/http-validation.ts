import { createServer, request, Agent, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import express, { type RequestHandler } from 'express';
import * as OpenApiValidator from 'express-openapi-validator';
import { createApi, ok, resolveReferences, type OpenApiDocument } from '@sluice/http';
import { table } from './report.ts';

/**
 * What validation against a document of many paths costs a request: bare Express, one validator over the whole
 * document, and the way of packages/http, a validator for each path. The same requests, in turns, in the same run.
 */
const paths = 60;
const rounds = 5;
const secondsEach = 1.5;
const connections = 32;

const document: OpenApiDocument = {
  openapi: '3.1.0',
  info: { title: 'Benchmark', version: '1.0.0' },
  paths: Object.fromEntries(
    Array.from({ length: paths }, (_, i) => [
      `/tenants/{tenant_id}/things${i}/{thing_id}`,
      {
        get: {
          operationId: `getThing${i}`,
          'x-permission': 'public',
          parameters: [
            { name: 'tenant_id', in: 'path', required: true, schema: { type: 'integer' } },
            { name: 'thing_id', in: 'path', required: true, schema: { type: 'integer' } },
            { name: 'page', in: 'query', schema: { type: 'integer', minimum: 1 } },
          ],
          responses: {
            '200': {
              description: 'a thing',
              content: { 'application/json': { schema: { type: 'object' } } },
            },
          },
        },
      },
    ]),
  ),
};
const thing = { id: 1, name: 'thing' };

const contenders: Record<string, RequestListener> = {
  'bare Express': expressWith([]),
  'one validator over the document': expressWith(wholeDocumentValidator()),
  'a validator for each path (packages/http)': express().use(
    createApi({
      document,
      handlers: Object.fromEntries(
        Array.from({ length: paths }, (_, i) => [`getThing${i}`, async () => ok(thing)]),
      ),
      authorize: async () => null,
      validateResponses: false,
    }),
  ),
};

const best = new Map<string, number>();
for (let round = 0; round < rounds; round++) {
  for (const [name, app] of Object.entries(contenders)) {
    const rate = await requestsPerSecond(app);
    best.set(name, Math.max(best.get(name) ?? 0, rate));
  }
}
const baseline = best.get('one validator over the document') ?? 1;
const rows = [...best].map(([name, rate]) => [name, rate.toFixed(0), (rate / baseline).toFixed(2)]);
process.stdout.write(`${table([`${paths} paths, best of ${rounds}`, 'requests/s', 'ratio'], rows)}\n`);
process.exit(0);

function expressWith(middleware: RequestHandler[]): RequestListener {
  const app = express();
  for (const handler of middleware) app.use(handler);
  for (const path of Object.keys(document.paths)) {
    app.get(path.replaceAll(/\{(\w+)\}/g, ':$1'), (_request, response) => {
      response.json(thing);
    });
  }
  return app;
}

function wholeDocumentValidator(): RequestHandler[] {
  type Options = Parameters<typeof OpenApiValidator.middleware>[0];
  const apiSpec = resolveReferences(document, document) as Options['apiSpec'];
  return OpenApiValidator.middleware({ apiSpec, validateSecurity: false, fileUploader: false });
}

/** Asks for all paths in turn over kept-alive connections, after a warm-up. */
async function requestsPerSecond(app: RequestListener): Promise<number> {
  const server = createServer(app).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  let next = 0;
  const ask = () =>
    new Promise<void>((resolve, reject) => {
      const path = `/tenants/7/things${next++ % paths}/9?page=2`;
      request({ agent, port, host: '127.0.0.1', path }, (response) => {
        if (response.statusCode !== 200) return reject(new Error(`${path}: ${response.statusCode}`));
        response.resume().once('end', resolve);
      })
        .once('error', reject)
        .end();
    });
  const forSeconds = async (seconds: number) => {
    const until = performance.now() + seconds * 1000;
    let done = 0;
    const client = async () => {
      while (performance.now() < until) {
        await ask();
        done += 1;
      }
    };
    await Promise.all(Array.from({ length: connections }, client));
    return done / seconds;
  };
  await forSeconds(secondsEach / 2);
  const rate = await forSeconds(secondsEach);
  agent.destroy();
  server.close();
  return rate;
}
