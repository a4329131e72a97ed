import { readFile, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { testFolder } from '@sluice/testing';
import { z } from 'zod';
import { manifests, objectsIn } from './objects.ts';

export const namespaces = ['sluice', 'sluice-data', 'sluice-cloud-a-us-east-1', 'sluice-cloud-b-us-central1'];

interface Stored {
  version: number;
  /** base64 */
  data: Record<string, string>;
  /** the entries that its manager has written */
  owned: Set<string>;
}

/**
 * Secrets as the API server keeps them: versions, server-side apply of entries by one manager, and the rights that the manifests
 * give the account of the Job.
 */
export class SecretsServer {
  readonly stored = new Map<string, Stored>();
  readonly spaces = new Set(namespaces);
  writes = 0;
  /** called before a write, which it may hold up or refuse */
  beforeWrite: (key: string) => Promise<void> | void = () => undefined;
  #server!: Server;
  #version = 0;
  #rights = new Map<string, { verbs: string[]; resourceNames?: string[] | undefined }[]>();

  async start(): Promise<string> {
    for (const space of namespaces) {
      const files: Record<string, string> = {
        sluice: 'base/keys/rbac',
        'sluice-data': 'examples/data/keys-rights',
      };
      const file = files[space] ?? 'base/supervisor/keys-rights';
      const role = objectsIn(await readFile(join(manifests, `${file}.yaml`), 'utf8')).find(
        ({ kind }) => kind === 'Role',
      );
      this.#rights.set(space, rulesSchema.parse(role?.['rules']));
    }
    this.#server = createServer((request, response) => {
      this.#answer(request, response).catch(() => request.socket.destroy());
    });
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    const { port } = this.#server.address() as { port: number };
    const config = {
      ...{ apiVersion: 'v1', kind: 'Config', 'current-context': 'test' },
      contexts: [{ name: 'test', context: { cluster: 'test', user: 'keys' } }],
      clusters: [
        { name: 'test', cluster: { server: `http://127.0.0.1:${port}`, 'insecure-skip-tls-verify': true } },
      ],
      users: [{ name: 'keys', user: { token: 'token' } }],
    };
    const file = join(await testFolder(), 'kubeconfig');
    await writeFile(file, JSON.stringify(config));
    return file;
  }

  stop(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  put(key: string, entries: Record<string, string>): void {
    const data = Object.fromEntries(Object.entries(entries).map(([name, value]) => [name, btoa(value)]));
    this.stored.set(key, { version: ++this.#version, data, owned: new Set() });
  }

  entries(key: string): Record<string, string> {
    return Object.fromEntries(
      Object.entries(this.stored.get(key)?.data ?? {}).map(([name, value]) => [name, atob(value)]),
    );
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname } = new URL(request.url ?? '', 'http://localhost');
    response.setHeader('content-type', 'application/json');
    const discovered = discovery[pathname];
    if (discovered) return void response.end(JSON.stringify(discovered));
    const [, space = '', inPath] =
      /^\/api\/v1\/namespaces\/([^/]+)\/secrets(?:\/([^/]+))?$/.exec(pathname) ?? [];
    const body = bodySchema.parse(JSON.parse((await text(request)) || '{}'));
    const name = inPath ?? body.metadata?.name ?? '';
    const key = `${space}/${name}`;
    const reply = (status: number, message: string) =>
      void response.writeHead(status).end(
        JSON.stringify({
          kind: 'Status',
          apiVersion: 'v1',
          status: 'Failure',
          reason: reasons[status],
          code: status,
          message,
        }),
      );
    const verb =
      { GET: 'get', POST: 'create', PATCH: 'patch', PUT: 'update' }[request.method ?? ''] ?? 'other';
    const isCreation = verb === 'patch' && !this.stored.has(key);
    // what operators do has no limits here
    if (verb === 'update') this.#rights.get(space)?.push({ verbs: ['update'] });
    for (const needed of isCreation ? ['patch', 'create'] : [verb])
      if (!this.#may(needed, space, name)) return reply(403, `the account may not ${needed} ${key}`);
    if (verb === 'get') {
      if (!this.#show(key, response)) reply(404, 'not found');
      return;
    }
    await this.beforeWrite(key);
    const before = this.stored.get(key);
    const wanted = body.metadata?.resourceVersion;
    if (verb === 'create' && before) return reply(409, 'already exists');
    if (wanted !== undefined && wanted !== String(before?.version)) return reply(409, 'has been modified');
    this.writes++;
    const data = verb === 'update' ? {} : { ...before?.data };
    for (const one of before?.owned ?? []) if (!(one in body.data)) delete data[one];
    Object.assign(data, body.data);
    const isSame = before && JSON.stringify(sorted(before.data)) === JSON.stringify(sorted(data));
    const version = isSame ? before.version : ++this.#version;
    this.stored.set(key, { version, data, owned: new Set(Object.keys(body.data)) });
    this.#show(key, response);
  }

  #may(verb: string, space: string, name: string): boolean {
    const rules = this.spaces.has(space) ? (this.#rights.get(space) ?? []) : [];
    return rules.some(
      ({ verbs, resourceNames }) => verbs.includes(verb) && (resourceNames?.includes(name) ?? true),
    );
  }

  #show(key: string, response: ServerResponse): boolean {
    const found = this.stored.get(key);
    if (!found) return false;
    const [namespace, name] = key.split('/');
    const metadata = { name, namespace, resourceVersion: String(found.version) };
    response.end(JSON.stringify({ apiVersion: 'v1', kind: 'Secret', metadata, data: found.data }));
    return true;
  }
}

const reasons: Record<number, string> = { 403: 'Forbidden', 404: 'NotFound', 409: 'Conflict' };
/** What kubectl asks for before it asks for a Secret. */
const discovery: Record<string, object> = {
  '/api': { kind: 'APIVersions', versions: ['v1'] },
  '/apis': { kind: 'APIGroupList', apiVersion: 'v1', groups: [] },
  '/api/v1': {
    kind: 'APIResourceList',
    groupVersion: 'v1',
    resources: [
      {
        ...{ name: 'secrets', singularName: 'secret', namespaced: true, kind: 'Secret' },
        verbs: ['create', 'get', 'patch', 'update'],
      },
    ],
  },
};
const sorted = (data: Record<string, string>) => Object.entries(data).toSorted();
const rulesSchema = z.array(
  z.object({
    resources: z.tuple([z.literal('secrets')]),
    verbs: z.array(z.string()),
    resourceNames: z.array(z.string()).optional(),
  }),
);
const bodySchema = z.object({
  metadata: z.object({ name: z.string(), resourceVersion: z.string().optional() }).optional(),
  data: z.record(z.string(), z.string()).default({}),
});
