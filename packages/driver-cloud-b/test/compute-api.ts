import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { testFolder } from '@sluice/testing';
import { ApiError, ComputeState, isReadOf, type Address, type Resource } from './compute-state.ts';
import type { Fate } from '@sluice/drivers/conformance';

/** The Compute API of cloud_b as its reference describes it, over HTTP, for as much as networks need. */
export interface ComputeApi {
  url: string;
  project: string;
  environment: Record<string, string>;
  state: ComputeState;
  changes: string[];
  /** decides by the name of the action; all pass unless a test says otherwise */
  fate: (action: string) => Fate | Promise<Fate>;
  close(): Promise<void>;
}

const refusals = {
  throttle: new ApiError(403, 'rateLimitExceeded', 'Quota exceeded for quota metric Queries'),
  fail: new ApiError(500, 'backendError', 'sluice@secret-project.iam.gserviceaccount.example has failed'),
};

export async function computeApi(): Promise<ComputeApi> {
  const project = 'sluice-networks';
  const state = new ComputeState();
  const token = randomUUID();
  const cloud: ComputeApi = {
    ...{ url: '', project, state, environment: {}, changes: [], fate: () => 'pass' },
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
      await rm(file, { force: true });
    },
  };

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', cloud.url);
    const text = await bodyOf(request);
    if (url.pathname === '/token') {
      const asked = new URLSearchParams(text).get('grant_type') ?? '';
      return send(response, asked.endsWith('token-exchange') ? 200 : 400, {
        ...{ access_token: token, token_type: 'Bearer', expires_in: 3_600 },
        issued_token_type: 'urn:ietf:params:oauth:token-type:access_token',
      });
    }
    const isKnown = request.headers.authorization === `Bearer ${token}`;
    if (!isKnown) throw new ApiError(401, 'required', 'Login Required.');
    const address = addressOf(url, request.method ?? 'GET');
    if (address.project !== project) throw new ApiError(403, 'forbidden', 'Required permission is missing');
    const fate = await cloud.fate(address.action);
    if (fate === 'drop') {
      request.socket.destroy();
      return;
    }
    if (fate === 'throttle' || fate === 'fail') throw refusals[fate];
    const body = text === '' ? {} : (JSON.parse(text) as Resource);
    const found = state.handle(address, body, url.searchParams);
    if (!isReadOf(address)) cloud.changes.push(address.action);
    if (fate === 'lose') request.socket.destroy();
    else send(response, 200, found);
  }

  const server = createServer((request, response) => {
    void answer(request, response).catch((error: unknown) => {
      if (!(error instanceof ApiError)) return request.socket.destroy();
      const { status: code, reason, message } = error;
      send(response, code, { error: { code, message, errors: [{ message, domain: 'global', reason }] } });
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  cloud.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const file = await credentials(`${cloud.url}/token`);
  cloud.environment = {
    ...{ GOOGLE_APPLICATION_CREDENTIALS: file, GOOGLE_CLOUD_PROJECT: project },
    CLOUD_B_API_URL: cloud.url,
  };
  return cloud;
}

/** The identity of a machine elsewhere, which the cloud gives a token for: no secret leaves the machine. */
async function credentials(tokenUrl: string): Promise<string> {
  const folder = await testFolder();
  const identity = join(folder, 'identity');
  await writeFile(identity, 'a token of the machine', { mode: 0o600 });
  const file = join(folder, 'credentials.json');
  const content = {
    ...{ type: 'external_account', audience: '//iam.example/providers/machines', token_url: tokenUrl },
    subject_token_type: 'urn:ietf:params:oauth:token-type:jwt',
    credential_source: { file: identity },
  };
  await writeFile(file, JSON.stringify(content), { mode: 0o600 });
  return file;
}

const verbs: Record<string, string> = { GET: 'get', POST: 'insert', PATCH: 'patch', DELETE: 'delete' };

function addressOf(url: URL, method: string): Address {
  const path = url.pathname.replace('/compute/v1/', '').split('/').map(decodeURIComponent);
  const [, project = '', first = '', ...others] = path;
  const isWide = first === 'global' || first === 'aggregated';
  const scope = isWide ? first : `${first}/${others.shift() ?? ''}`;
  const [collection = '', name, verb = verbs[method] ?? method] = others;
  const called = name === undefined && method === 'GET' ? 'list' : verb;
  return { project, scope, collection, name, verb: called, action: `${collection}.${called}` };
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

function send(response: ServerResponse, status: number, content: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(content));
}
