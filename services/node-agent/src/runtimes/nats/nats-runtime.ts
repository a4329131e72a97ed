import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { readConfig, readIfPresent } from '@sluice/system';
import { isSafeNats, safeNatsReleases } from '@sluice/system/nats-server';
import { z } from 'zod';
import { call } from '../../http.ts';
import { writtenToDisk } from '../written-to-disk.ts';
import { filesFolder, UnsafeProgram } from '../runtime.ts';
import type { BrokerRuntime, RuntimeContext, ServingBroker } from '../runtime.ts';
import { natsEnvironment } from './config.ts';
import { checkCapacity } from './capacity.ts';
import { clusterJszSchema, healthzSchema, readClusterState } from './cluster-state.ts';
import { stepDown } from './step-down.ts';
import { keepVersion, keptVersion, keyEnvironment, startEnvironment } from './encryption.ts';
import { renderConfiguration } from './configuration.ts';
import { exitReason, reloadReason, testReason } from './exit-reason.ts';
import { readLogLine } from './log-line.ts';
import { natsLogins } from './login.ts';
import { measuredJszSchema, measuredVarzSchema, natsMetrics } from './metrics.ts';
import { jszSchema, readStatistics, varzSchema } from './statistics.ts';

/** How long the server's monitoring may take to answer, and how long a reload. Milliseconds. */
const answerLimit = 2_000;
const reloadLimit = 2_000;

const jszPath = '/jsz?accounts=true&streams=true&consumers=true&config=true';

const portsFileSchema = z.object({
  nats: z.tuple([z.url()], z.url()),
  websocket: z.tuple([z.url()], z.url()),
  monitoring: z.tuple([z.url()], z.url()),
});
type PortsFile = z.infer<typeof portsFileSchema>;

/**
 * nats-server with JetStream. `broker_tcp` is NATS's own protocol and `broker_websocket` the same over
 * WebSocket. Its HTTP port serves monitoring without a login, so it is kept for the agent.
 */
export function createNatsRuntime({ home, environment }: RuntimeContext): BrokerRuntime {
  const { NATS_SERVER_PATH } = readConfig(natsEnvironment, environment);
  const folders = {
    store: join(home, 'broker'),
    ports: join(home, 'broker-ports'),
    files: filesFolder(home),
  };
  const portsOf = (pid: number) => readIfPresent(join(folders.ports, `nats-server_${pid}.ports`));
  return {
    protocols: ['broker_tcp', 'broker_websocket'],
    ownLogins: natsLogins,
    configure: (broker, ownLogins, clusterPort) =>
      renderConfiguration(broker, folders, ownLogins, clusterPort),
    check: async ({ capacity }, pid) => {
      const ports = parsePorts(await portsOf(pid));
      checkCapacity(capacity, ports === null ? {} : await page(ports, jszPath, jszSchema).catch(() => ({})));
    },
    program: NATS_SERVER_PATH,
    arguments: (configurationFile) => ['-c', configurationFile],
    testArguments: (configurationFile) => ['-t', '-c', configurationFile],
    testReason,
    reloadReason,
    testEnvironment: ({ encryption }) => (encryption ? keyEnvironment(encryption, encryption.version) : {}),
    prepare: async ({ encryption }) => {
      await rm(folders.ports, { recursive: true, force: true });
      await mkdir(folders.ports, { mode: 0o700 });
      return startEnvironment(encryption ?? null, await keptVersion(folders.store));
    },
    flush: () => writtenToDisk(folders.store),
    ready: async (pid, signal, { encryption }) => {
      // The server writes this file once all its listeners are open.
      const ports = await poll(signal, async () => parsePorts(await portsOf(pid)));
      return await serving(pid, ports, folders.store, encryption?.version);
    },
    exitReason,
    readLogLine,
    checks: async (pid) => {
      const { natsChecks } = await import('./checks.ts');
      return natsChecks({
        program: NATS_SERVER_PATH,
        store: folders.store,
        logFile: join(home, 'broker.log'),
        page: async (path, shape) => {
          const ports = pid === null ? null : parsePorts(await portsOf(pid));
          if (ports === null) throw new Error('no broker answers');
          return await page(ports, path, shape);
        },
      });
    },
  };
}

/** What a page of the server's monitoring says. */
async function page<Shape extends z.ZodType>(
  { monitoring }: PortsFile,
  path: string,
  shape: Shape,
): Promise<z.infer<Shape>> {
  const url = new URL(path, monitoring[0]);
  return shape.parse((await call('GET', url, { signal: AbortSignal.timeout(answerLimit) })).body);
}

async function serving(
  pid: number,
  ports: PortsFile,
  store: string,
  keyVersion: number | undefined,
): Promise<ServingBroker> {
  const clusterJsz = () => page(ports, jszPath, clusterJszSchema);
  const isWell = async () => (await page(ports, '/healthz', healthzSchema)).status === 'ok';
  const varz = () => page(ports, '/varz', varzSchema);
  const { version } = await varz();
  if (!isSafeNats(version))
    throw new UnsafeProgram(`nats-server ${version} has known weaknesses: ${safeNatsReleases} is needed`);
  return {
    version,
    ports: { broker_tcp: portOf(ports.nats[0]), broker_websocket: portOf(ports.websocket[0]) },
    probe: () =>
      varz().then(
        () => true,
        () => false,
      ),
    reload: async () => {
      const before = (await varz()).config_load_time;
      process.kill(pid, 'SIGHUP');
      const reloaded = async () => ((await varz()).config_load_time === before ? null : true);
      return await poll(AbortSignal.timeout(reloadLimit), reloaded).catch(() => false);
    },
    statistics: async () => {
      const [numbers, streams] = await Promise.all([varz(), page(ports, jszPath, jszSchema)]);
      return await readStatistics(numbers, streams, store);
    },
    ...(keyVersion !== undefined && {
      encryptionVersion: async () => {
        const kept = await keptVersion(store);
        if (kept === keyVersion) return kept;
        // until every stream is there some may still need the former key
        if (!(await isWell().catch(() => false))) return null;
        await keepVersion(store, keyVersion);
        return keyVersion;
      },
    }),
    clusterState: (name, others) => readClusterState({ jsz: clusterJsz, isWell }, name, others),
    stepDown: (name) => stepDown(pid, name, clusterJsz),
    metrics: async () => {
      const [numbers, stored] = await Promise.all([
        page(ports, '/varz', measuredVarzSchema),
        page(ports, '/jsz', measuredJszSchema),
      ]);
      return natsMetrics(numbers, stored);
    },
  };
}

/** Asks again every few milliseconds until there is an answer. */
async function poll<Answer>(signal: AbortSignal, ask: () => Promise<Answer | null>): Promise<Answer> {
  for (let attempt = 0; ; attempt++) {
    const answer = await ask();
    if (answer !== null) return answer;
    await sleep(attempt < 200 ? 3 : 50, undefined, { signal });
  }
}

/** Null while the file is missing or half written. */
function parsePorts(text: string | null): PortsFile | null {
  try {
    return text === null ? null : portsFileSchema.parse(JSON.parse(text));
  } catch {
    return null;
  }
}

function portOf(url: string): number {
  return Number(new URL(url).port);
}
