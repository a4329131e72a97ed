// The least that could take in heartbeats and metrics and tell of changes: bare node:http, and one statement for each of them.
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import pg from 'pg';

const pool = new pg.Pool({ connectionString: process.env['DATABASE_URL'], max: 10 });
const beat = 'UPDATE nodes SET last_heartbeat_at = now(), statistics = $2 WHERE id = $1';
const insert = 'INSERT INTO bare_telemetry (node_id, samples) VALUES ($1, $2)';
const change = 'UPDATE deployments SET revision = revision + 1 WHERE id = $1 RETURNING revision';
await pool.query('CREATE TABLE IF NOT EXISTS bare_telemetry (node_id bigint, samples jsonb)');

/** the polls that are held, by node */
const held = new Map<string, (revision: number) => void>();
/** what a node may not have yet, since it did not ask just then */
const revisions = new Map<string, number>();

const server = createServer((request, response) => {
  const end = () => response.writeHead(204).end();
  const [, changed] = /^\/change\/(\d+)$/.exec(request.url ?? '') ?? [];
  if (changed !== undefined) {
    void pool.query<{ revision: number }>(change, [changed]).then(({ rows }) => {
      end();
      const revision = Number(rows[0]?.revision);
      revisions.set(changed, revision);
      held.get(changed)?.(revision);
      held.delete(changed);
    });
    return;
  }
  const [, claims = ''] = (request.headers.authorization ?? '').split('.');
  const { sub } = JSON.parse(Buffer.from(claims, 'base64url').toString()) as { sub: string };
  if (request.method === 'GET') {
    const timer = setTimeout(end, 30_000).unref();
    const tell = (revision: number) => {
      clearTimeout(timer);
      response.end(JSON.stringify({ revision }));
    };
    const revision = revisions.get(sub) ?? 0;
    const [, known] = /revision=(\d+)/.exec(request.url ?? '') ?? [];
    if (revision > Number(known)) tell(revision);
    else held.set(sub, tell);
    return;
  }
  void text(request)
    .then((body) => JSON.parse(body) as { statistics?: object; samples?: object })
    .then(({ statistics, samples }) =>
      samples ? pool.query(insert, [sub, JSON.stringify(samples)]) : pool.query(beat, [sub, statistics]),
    )
    .then(end);
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  process.stdout.write(`${typeof address === 'object' ? address?.port : ''}\n`);
});
