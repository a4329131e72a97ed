import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import express from 'express';
import pg from 'pg';
import { audit, division, divisions, liveDeployment, updates } from './statements.ts';

/**
 * What the services are compared with: the same statements and a JSON answer, nothing else. `bare.ts http` does it with
 * `node:http` alone, `bare.ts express` with Express. Prints its port.
 */
const [framework] = process.argv.slice(2);
const pool = (variable: string) => new pg.Pool({ connectionString: process.env[variable], max: 10 });
const mainApi = pool('MAIN_API_URL');
const supervisor = pool('SUPERVISOR_URL');
const auditLog = pool('AUDIT_URL');

const answers = {
  division: async ([tenant, id]: number[]) =>
    (await mainApi.query(division, [id, tenant])).rows[0] as unknown,
  divisions: async ([tenant]: number[]) => page((await mainApi.query<Row>(divisions, [tenant, 10, 0])).rows),
  deployment: async ([id]: number[]) => (await supervisor.query(liveDeployment, [id])).rows[0] as unknown,
  entries: async ([tenant]: number[]) => page((await auditLog.query<Row>(audit, [tenant, 10, 0])).rows),
};

type Row = Record<string, unknown>;
const page = (rows: Row[]) => ({
  items: rows.map(({ total: _, ...item }) => item),
  page: 1,
  total_results: Number(rows[0]?.['total'] ?? 0),
});

async function update([tenant, id]: number[], { description }: { description: string }): Promise<void> {
  const client = await mainApi.connect();
  try {
    await client.query('BEGIN');
    await client.query(updates.lock, [tenant]);
    await client.query(updates.update, [id, tenant, description]);
    await client.query(updates.message, [
      JSON.stringify({ type: 'division_updated', tenant, id, description }),
    ]);
    await client.query('COMMIT');
  } finally {
    client.release();
  }
}

const routes: [RegExp, keyof typeof answers][] = [
  [/^\/tenants\/(\d+)\/divisions\/(\d+)$/, 'division'],
  [/^\/tenants\/(\d+)\/divisions(?:\?.*)?$/, 'divisions'],
  [/^\/deployments\/(\d+)$/, 'deployment'],
  [/^\/audit\/tenants\/(\d+)(?:\?.*)?$/, 'entries'],
];

async function answer(request: IncomingMessage): Promise<string | undefined> {
  for (const [path, name] of routes) {
    const ids = path
      .exec(request.url ?? '')
      ?.slice(1)
      .map(Number);
    if (!ids) continue;
    if (request.method !== 'PUT') return JSON.stringify(await answers[name](ids));
    return void (await update(ids, (await json(request)) as { description: string }));
  }
  throw new Error(`no such path: ${request.url}`);
}

const bareHttp = createServer((request, response) => {
  answer(request).then(
    (body) => {
      if (body === undefined) return response.writeHead(204).end();
      response.writeHead(200, {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
      });
      response.end(body);
    },
    (error: unknown) => response.writeHead(500).end(String(error)),
  );
});

const bareExpress = express()
  .get('/tenants/:tenant/divisions/:id', async ({ params }, response) => {
    response.json(await answers.division([Number(params.tenant), Number(params.id)]));
  })
  .put('/tenants/:tenant/divisions/:id', express.json(), async ({ params, body }, response) => {
    await update([Number(params.tenant), Number(params.id)], body as { description: string });
    response.status(204).end();
  })
  .get('/tenants/:tenant/divisions', async ({ params }, response) => {
    response.json(await answers.divisions([Number(params.tenant)]));
  })
  .get('/deployments/:id', async ({ params }, response) => {
    response.json(await answers.deployment([Number(params.id)]));
  })
  .get('/audit/tenants/:tenant', async ({ params }, response) => {
    response.json(await answers.entries([Number(params.tenant)]));
  });

const server = framework === 'express' ? createServer(bareExpress) : bareHttp;
server.keepAliveTimeout = 65_000;
server.listen(0, '127.0.0.1', () => process.stdout.write(`${(server.address() as AddressInfo).port}\n`));
