import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { createLog, readConfig, type RunningService } from '@sluice/service-kit';
import { testDatabase, testNats, type TestDatabase, type TestNats } from '@sluice/testing';
import { startMainApi } from '../src/app.ts';
import { mainApiEnvironment } from '../src/config.ts';

export const catalogueFile = fileURLToPath(new URL('../../../infra/catalogue.yaml', import.meta.url));

/** what the notifier opens mails with */
export const mailKeys = `test:${randomBytes(32).toString('base64')}`;

/** the keys that main-api is configured with */
export const configuredKeys = {
  MAIL_KEYS: mailKeys,
  PROTECTION_KEY: randomBytes(32).toString('base64'),
};

/** A database and a namespace of NATS for one test file alone. */
export interface Surroundings {
  database: TestDatabase;
  nats: TestNats;
  /** the environment of a main-api in these surroundings */
  environment: Record<string, string>;
  end(): Promise<void>;
}

export async function surroundings(): Promise<Surroundings> {
  const database = await testDatabase();
  const nats = testNats();
  return {
    database,
    nats,
    environment: {
      DATABASE_URL: database.url,
      DATABASE_POOL_SIZE: '5',
      NATS_URL: nats.url,
      NATS_NAMESPACE: nats.namespace,
      PORT: '0',
      PUBLIC_URL: 'http://127.0.0.1',
      CATALOGUE_FILE: catalogueFile,
      ...configuredKeys,
      VALIDATE_RESPONSES: 'true',
      LOG_LEVEL: 'error',
    },
    async end() {
      await nats.deleteNamespace();
      await database.drop();
    },
  };
}

export interface Replica extends RunningService {
  url: string;
}

/** The real service, in this process. */
export async function startReplica(
  { environment }: Surroundings,
  more: Record<string, string> = {},
  clock?: () => Date,
): Promise<Replica> {
  const configuration = readConfig(mainApiEnvironment, { ...environment, ...more });
  const service = await startMainApi(configuration, createLog('main-api', configuration.LOG_LEVEL), clock);
  return { ...service, url: `http://127.0.0.1:${service.port}` };
}

export interface Answer {
  status: number;
  headers: Headers;
  body: Record<string, unknown>;
}

export interface Client {
  get(path: string): Promise<Answer>;
  post(path: string, body: unknown): Promise<Answer>;
  put(path: string, body: unknown): Promise<Answer>;
  delete(path: string): Promise<Answer>;
}

/** Calls `url` with an API key, or without one. */
export function client(url: string, key?: string): Client {
  const call = async (method: string, path: string, body?: unknown): Promise<Answer> => {
    const response = await fetch(url + path, {
      method,
      headers: {
        ...(key !== undefined && { 'svc-api-key': key }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    const parsed: unknown = text ? JSON.parse(text) : {};
    return { status: response.status, headers: response.headers, body: parsed as Answer['body'] };
  };
  return {
    get: (path) => call('GET', path),
    post: (path, body) => call('POST', path, body),
    put: (path, body) => call('PUT', path, body),
    delete: (path) => call('DELETE', path),
  };
}

/** The status and code of a refusal, to be compared at one glance. */
export const refusal = ({ status, body }: Answer) => [status, body['code']];

/** What was wrong with a request, as `/body/name too_short`. */
export function fieldIssues({ body }: Answer): string[] {
  const issues = (body['field_issues'] ?? []) as { path: string; code: string }[];
  return issues.map(({ path, code }) => `${path} ${code}`);
}

/** The items of a paginated list. */
export const itemsOf = ({ body }: Answer) => body['items'] as Record<string, unknown>[];
