import { idOf, type ApiKeyId, type Grant, type TenantId, type UserId } from '@sluice/contracts';
import { ServiceFixture, silentLog, type FixtureOptions } from '@sluice/testing';
import pg from 'pg';
import {
  createApi,
  createApp,
  created,
  keyAuthorizer,
  listed,
  loadApiDocument,
  noContent,
  ok,
  pageOf,
  type Call,
} from '@sluice/http';
import type { UnitOfWork } from '@sluice/messaging';
import { startRuntime, type RuntimeOptions, type ServiceRuntime } from '@sluice/runtime';
import {
  createLog,
  inTransaction,
  fieldProblem,
  problem,
  readConfig,
  signingServiceEnvironment,
  type Log,
  type RunningService,
  type ServiceEnvironment,
  type Sql,
} from '@sluice/service';

/** A small real service, with a table of widgets. */
export const quiet: Log = process.env['TEST_LOG'] ? createLog('widgets', 'debug') : silentLog();

export interface WidgetService extends RunningService {
  url: string;
  runtime: ServiceRuntime;
  work: UnitOfWork<Sql>;
}

/** The widget service under test. */
export const widgetService = (options?: FixtureOptions) => new WidgetFixture(options);

export class WidgetFixture extends ServiceFixture<WidgetService> {
  constructor(options: FixtureOptions = {}) {
    const settings = { GRANT_LEASE_SECONDS: '1', ...options.environment };
    super((environment) => serveWidgets(readConfig(signingServiceEnvironment, environment), quiet), {
      playsMainApi: true,
      ...options,
      environment: settings,
    });
  }

  /** Starts one more, to look into it. It makes the streams that it uses, unless set otherwise. */
  async widgets(
    more?: Record<string, string>,
    options?: RuntimeOptions,
    log: Log = quiet,
  ): Promise<WidgetService> {
    const serve = (environment: Record<string, string>) =>
      serveWidgets(readConfig(signingServiceEnvironment, environment), log, options);
    return (await this.start(more, serve)).service;
  }
}

export async function serveWidgets(
  environment: ServiceEnvironment,
  widgets: Log,
  options: RuntimeOptions = { ownsStreams: true },
): Promise<WidgetService> {
  const runtime = await startRuntime(
    'main-api',
    environment,
    new URL('./migrations/', import.meta.url),
    widgets,
    options,
  );
  const document = await loadApiDocument(new URL('./openapi/', import.meta.url));
  const { pool, now, grants, service: name, log, metrics, readiness, leaving } = runtime;
  const work = runtime.unitOfWork<Sql>((run) => inTransaction(pool, run));
  const api = createApi({
    document,
    handlers: handlersOf(work, pool),
    authorize: keyAuthorizer({ grants, now }),
    validateResponses: environment.VALIDATE_RESPONSES,
    refused: runtime.recordRefusals(work),
    ...runtime.guards,
  });
  const { TRUSTED_PROXIES: trustedProxies } = environment;
  const { limit } = runtime.guards;
  const app = createApp({
    document,
    routers: [api],
    limit,
    readiness,
    metrics,
    service: name,
    log,
    trustedProxies,
    leaving,
  });
  const service = await runtime.serve(app);
  return { ...service, url: `http://127.0.0.1:${service.port}`, runtime, work };
}

type WidgetCall = Call<{ kind: string }, { page?: number; results?: number }, { name: string }>;

function handlersOf(work: UnitOfWork<Sql>, pool: pg.Pool) {
  return {
    listWidgets: async ({ query, url }: WidgetCall) => listed(url, pageOf(query), [], 25),
    createWidget: async ({ caller, body, params }: WidgetCall) => {
      const name = body.name;
      // names that a rule refuses, for good and for now
      if (name === 'limit') throw problem('limit_reached', { headers: { 'x-limit': '3' } });
      if (name === 'busy') throw problem('protection_locked');
      if (name === 'away') throw problem('unavailable');
      if (name === 'wrong') throw fieldProblem('name', 'unknown', 'names nothing');
      const widget = await work(caller, async (tx) => {
        const [row] = await tx.query<{ id: number }>('INSERT INTO widgets (name) VALUES ($1) RETURNING id', [
          name,
        ]);
        tx.emit('division_created', { tenant_id: caller.tenantId }, { name });
        return { id: row?.id ?? 0, name };
      });
      return created('widget', `/widgets/${widget.id}?for=${JSON.stringify(params).length}`, widget);
    },
    getWidget: async () => ok({ id: 1, name: 'one', surplus: true }),
    deleteEverything: async () => noContent(),
    greet: async () => noContent(),
    greetPerhaps: async () => noContent(),
    fail: async ({ params }: WidgetCall) => {
      if (['slow', 'stream'].includes(params.kind)) await pool.query('SELECT pg_sleep(0.7)');
      if (params.kind === 'stream')
        return { ...noContent(), raw: { type: 'text/plain', content: leaving(pool) } };
      if (params.kind === 'callback') await throwingCallback();
      if (params.kind === 'promise') {
        void Promise.reject(new Error('not awaited'));
        await new Promise(() => undefined);
      }
      if (params.kind === 'elsewhere') mistakes.elsewhere = true;
      if (params.kind === 'bug') throw new Error('select secret from table');
      if (params.kind === 'database') await pool.query('SELECT pg_terminate_backend(pg_backend_pid())');
      if (params.kind === 'undeclared') throw problem('name_taken');
      throw problem('limit_reached', { extensions: { limit: { name: 'widgets', value: 3 } } });
    },
  };
}

/** Stores a widget when it ends. */
async function* leaving(pool: pg.Pool): AsyncGenerator<string> {
  try {
    yield 'a piece';
  } finally {
    await pool.query("INSERT INTO widgets (name) VALUES ('let go')");
  }
}

/** Never resolves: its callback throws. */
const throwingCallback = () =>
  new Promise<void>(() => {
    setImmediate(() => {
      throw new Error('a callback has a mistake');
    });
  });

/** What a timer is to throw that was there before all requests, and so belongs to none. */
const mistakes = { elsewhere: false };
setInterval(() => {
  if (!mistakes.elsewhere) return;
  mistakes.elsewhere = false;
  throw new Error('a timer has a mistake');
}, 10).unref();

export const adminBits = 0x7fffffff;

export function grantOf(more: Partial<Grant> = {}): Grant {
  return {
    tenant_id: idOf<TenantId>(1),
    user: { id: idOf<UserId>(1), name: 'Ada' },
    api_key: { id: idOf<ApiKeyId>(1), name: 'key' },
    owner: false,
    permissions: { t: adminBits, d: adminBits, e: adminBits, divisions: {} },
    division_id: null,
    allowed_ips: null,
    expires_at: new Date(Date.now() + 60_000).toISOString(),
    ...more,
  };
}
