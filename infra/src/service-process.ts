import { spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { endChild, type Exit } from '@sluice/embedded';
import { endProcess, withArgument } from '@sluice/system';
import type { DatabaseSettings } from './databases.ts';
import type { ServiceStart } from './handover.ts';
import type { Home } from './home.ts';
import type { Part, Running } from './keep-running.ts';
import { rotate } from './logs.ts';
import { host, namespace, type ServicePlan } from './plan.ts';
import { repository } from './settings.ts';

/** What all services of a stack have in common. */
export interface SharedSettings {
  natsUrl: string;
  /** by the services' names */
  databases: ReadonlyMap<string, DatabaseSettings>;
}

/** A service has this time to end, and is ended by force a little later. */
const shutdownSeconds = 3;

/** What every program may know of the machine that it runs on, and how it reaches others. */
const ofTheMachine = [
  ...['PATH', 'HOME', 'TMPDIR', 'TZ', 'LANG', 'LC_ALL', 'NODE_OPTIONS', 'NODE_EXTRA_CA_CERTS'],
  ...['HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY', 'http_proxy', 'https_proxy', 'no_proxy'],
];

/** The environment of a service: its own settings, and nothing of what others, or this process, may know. */
export function environmentOf(service: ServicePlan, shared: SharedSettings): NodeJS.ProcessEnv {
  const own = {
    NODE_COMPILE_CACHE: join(repository, '.cache/compiled'),
    HOST: host,
    PORT: String(service.port),
    ...shared.databases.get(service.name),
    ...(service.database !== undefined && { NATS_URL: shared.natsUrl, NATS_NAMESPACE: namespace }),
    LOG_LEVEL: process.env.LOG_LEVEL ?? 'info',
    SHUTDOWN_GRACE_SECONDS: String(shutdownSeconds),
    SLUICE_STOP_WITH_PARENT: 'true',
    ...service.environment,
  };
  const settings = service.settings.flatMap((name) => (name in own ? [] : [name, `${name}_FILE`]));
  const inherited = [...ofTheMachine, ...settings].flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return { ...Object.fromEntries(inherited), ...own };
}

/** How another program starts a service in the place of the stack. */
export function serviceStart(home: Home, service: ServicePlan, shared: SharedSettings): ServiceStart {
  const variables = Object.entries(environmentOf(service, shared));
  const environment = Object.fromEntries(
    variables.filter((one): one is [string, string] => one[1] !== undefined),
  );
  return { program: service.program, args: [stackMark(home)], environment };
}

/** Starts a program of a service. @param output where both of its streams go */
export function spawnService(args: readonly string[], env: NodeJS.ProcessEnv, output: number | 'inherit') {
  const child = spawn(process.execPath, args, {
    cwd: repository,
    env,
    // a session of its own: a Ctrl-C is for this process alone, which ends others in the right order
    detached: true,
    // by the channel it notices when this process is killed
    stdio: ['ignore', output, output, 'ipc'],
  });
  const exited = new Promise<Exit>((resolve) => {
    child.once('exit', (code, signal) => resolve({ code, signal }));
    child.once('error', () => resolve({ code: 1, signal: null }));
  });
  const end = (patience: number) => endChild(child, exited, ['SIGTERM', 'SIGKILL'], patience);
  return { pid: child.pid ?? 0, exited, end };
}

/** A service as a part of the stack; its log begins anew with the stack, not with each start of the service. */
export function servicePart(home: Home, service: ServicePlan, shared: SharedSettings): Part {
  const { name, program } = service;
  const logFile = home.path('logs', `${name}.log`);
  rotate(logFile);
  return {
    name,
    logFile,
    start: async (): Promise<Running> => {
      const log = openSync(logFile, 'a', 0o600);
      const args = [program, stackMark(home)];
      const { pid, exited, end } = spawnService(args, environmentOf(service, shared), log);
      closeSync(log);
      // for who comes after a launcher that was killed; a full disk is no reason to lose sight of the service
      await writeFile(pidFile(home, name), String(pid)).catch(() => undefined);
      return {
        pid,
        exited,
        stop: async () => {
          await end((shutdownSeconds + 1) * 1_000);
          await rm(pidFile(home, name), { force: true });
        },
      };
    },
  };
}

/** Ends what a killed launcher has left of a service: usually nothing, for services end with their launcher. */
export async function stopLeftoverService(home: Home, file: string): Promise<void> {
  const pid = Number(await readFile(home.path('run', file), 'utf8').catch(() => ''));
  if (pid > 0) await endProcess(pid, withArgument(stackMark(home)));
  await rm(home.path('run', file), { force: true });
}

const pidFile = (home: Home, name: string) => home.path('run', `${name}.pid`);

/** An argument that distinguishes the processes of this stack from those of another. */
const stackMark = (home: Home) => `--stack=${home.folder}`;
