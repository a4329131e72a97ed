import { CannotStart, natsServerProgram, startNats, startPostgres } from '@sluice/embedded';
import { announce } from './announce.ts';
import { ensureDatabases, ownsDatabase } from './databases.ts';
import { firstTenant, seedRunner, type FirstTenant } from './first-tenant.ts';
import { lendServices } from './handover.ts';
import { openHome, type Home } from './home.ts';
import { keepRunning, type Kept, type Part } from './keep-running.ts';
import { serviceNamed, urlOf, type RunSeed, type StackPlan } from './plan.ts';
import { checkPorts } from './ports.ts';
import { untilReady } from './readiness.ts';
import { environmentOf, servicePart, serviceStart } from './service-process.ts';
import type { Settings } from './settings.ts';
import { readStackFile, writeStackFile, type StackFile } from './stack-file.ts';
import { stopNodes, sweepLeftovers } from './sweep.ts';

/** Decides what a stack consists of, once its home and the path of nats-server are known. */
export type MakePlan = (settings: Settings, home: Home, natsServer: string) => Promise<StackPlan>;

/** What one run of the launcher passes along. */
interface Run {
  settings: Settings;
  makePlan: MakePlan;
  /** ends everything that was started, last started first */
  closers: (() => Promise<void>)[];
  /** aborted when the stack is to end; its reason says why */
  signal: AbortSignal;
  say: (line: string) => void;
  giveUp: (reason: unknown) => void;
  /** whether everything has been ready */
  up: boolean;
}

/**
 * Brings a stack up and keeps it up until `stop` is aborted, or until it cannot go on; nothing that it started is left
 * running in either case. Throws `CannotStart` when it could not start or had to give up.
 */
export async function runStack(settings: Settings, makePlan: MakePlan, stop: AbortSignal): Promise<void> {
  const failure = new AbortController();
  const run: Run = {
    settings,
    makePlan,
    closers: [],
    signal: AbortSignal.any([stop, failure.signal]),
    say: (line) => console.log(line),
    giveUp: (reason) => failure.abort(reason),
    up: false,
  };
  try {
    await bringUp(run);
    await aborted(run.signal);
  } catch (error) {
    if (!stop.aborted) throw error;
  } finally {
    for (const close of run.closers.reverse()) await close();
  }
}

async function bringUp(run: Run): Promise<void> {
  const { settings, closers, signal } = run;
  const startedAt = Date.now();
  const home = await openHome(settings.home);
  closers.push(home.release);
  await sweepLeftovers(home);

  const natsServer = await natsServerProgram(signal);
  const plan = await run.makePlan(settings, home, natsServer);
  await checkPorts([
    { port: plan.ports.postgres, name: 'PostgreSQL' },
    { port: plan.ports.nats, name: 'NATS' },
    ...plan.services,
    ...(plan.beside ?? []),
  ]);
  const seeder = Promise.withResolvers<RunSeed>();
  for (const { start } of plan.beside ?? []) {
    const server = await start(async (more) => (await seeder.promise)(more));
    closers.push(() => server.close());
  }

  const { postgresUrl, natsUrl } = await startServers(run, home, plan, natsServer);
  signal.throwIfAborted();
  const databases = await ensureDatabases(postgresUrl, home, plan.services.filter(ownsDatabase));
  signal.throwIfAborted();
  const shared = { natsUrl, databases };

  closers.push(() => stopNodes(home));
  const parts = plan.services.map((service) => servicePart(home, service, shared));
  const kept = await keepAll(run, parts);
  await Promise.all(
    plan.services.map((service) => untilReady(service, home.path('logs', `${service.name}.log`), signal)),
  );

  const mainApi = serviceNamed(plan, plan.mainApi);
  const seed = seedRunner(plan.seedProgram, environmentOf(mainApi, shared), signal);
  seeder.resolve(seed);
  const tenant = await firstTenant(seed, urlOf(mainApi.port), await readStackFile(home), signal);
  const stack = describe(plan, home, tenant, natsUrl);
  await writeStackFile(home, stack);
  const lendable = plan.services.flatMap((service, index) => {
    const keeper = kept[index];
    return keeper ? [{ name: service.name, kept: keeper, start: serviceStart(home, service, shared) }] : [];
  });
  closers.push(await lendServices(home, lendable, run.say));
  run.up = true;
  const seconds = ((Date.now() - startedAt) / 1_000).toFixed(1);
  run.say(announce(stack, `Sluice is ready after ${seconds} s.`, home.folder));
}

function describe(plan: StackPlan, home: Home, tenant: FirstTenant, natsUrl: string): StackFile {
  const urlOfService = (name: string) => urlOf(serviceNamed(plan, name).port);
  return {
    base_url: urlOfService(plan.mainApi),
    audit_url: urlOfService(plan.audit),
    supervisors: plan.supervisors.map(({ service, cloud, region }) => ({
      cloud,
      region,
      url: urlOfService(service),
    })),
    ...(plan.console !== undefined && { console_url: urlOfService(plan.console) }),
    ...tenant,
    nats_url: natsUrl,
    mail_dir: home.path('mail'),
  };
}

/** PostgreSQL and NATS at the same time. */
async function startServers(run: Run, home: Home, plan: StackPlan, natsServer: string) {
  const { postgres, nats } = plan.ports;
  let postgresUrl = '';
  let natsUrl = '';
  await keepAll(run, [
    {
      name: 'PostgreSQL',
      logFile: home.path('postgres/postgres.log'),
      start: async () => {
        const server = await startPostgres({ folder: home.path('postgres'), port: postgres });
        postgresUrl = server.url;
        return server;
      },
    },
    {
      name: 'NATS',
      logFile: home.path('nats/nats.log'),
      start: async () => {
        const server = await startNats({
          folder: home.path('nats'),
          port: nats,
          program: natsServer,
          users: plan.natsUsers,
          monitored: true,
        });
        natsUrl = server.url;
        return server;
      },
    },
  ]);
  return { postgresUrl, natsUrl };
}

/** Starts parts at the same time and keeps them running; those that have started are stopped even if another fails. */
async function keepAll(run: Run, parts: readonly Part[]): Promise<Kept[]> {
  const { closers, say, giveUp } = run;
  const starts = await Promise.allSettled(parts.map((part) => keepRunning(part, say, giveUp, () => run.up)));
  const kept = starts.flatMap((start) => (start.status === 'fulfilled' ? [start.value] : []));
  closers.push(async () => {
    await Promise.all(kept.map((part) => part.stop()));
  });
  for (const start of starts) if (start.status === 'rejected') throw start.reason;
  return kept;
}

async function aborted(signal: AbortSignal): Promise<never> {
  return await new Promise((_, reject) => {
    const end = () =>
      reject(signal.reason instanceof Error ? signal.reason : new CannotStart(String(signal.reason)));
    if (signal.aborted) end();
    else signal.addEventListener('abort', end, { once: true });
  });
}
