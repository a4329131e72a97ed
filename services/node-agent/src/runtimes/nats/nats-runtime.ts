import { existsSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { waitUntil } from '@sluice/controller/retry';
import { tlsChoices } from '@sluice/contracts/broker-schemas';
import { readConfig, readIfPresent } from '@sluice/system';
import { isSafeNats, safeNatsReleases } from '@sluice/system/nats-server';
import { z } from 'zod';
import { parsed } from '../../parsed.ts';
import { writtenToDisk } from '../written-to-disk.ts';
import { filesFolder, UnsafeProgram } from '../runtime.ts';
import type { BrokerRuntime, DesiredBroker, RuntimeContext, ServingBroker } from '../runtime.ts';
import { natsEnvironment } from './config.ts';
import { checkCapacity } from './capacity.ts';
import { readClusterState } from './cluster-state.ts';
import { stepDown } from './step-down.ts';
import { keepVersion, keptVersion, keyEnvironment, startEnvironment } from './encryption.ts';
import { renderConfiguration } from './configuration.ts';
import { exitReason, reloadReason, testReason } from './exit-reason.ts';
import { readHeldStreams } from './held-streams.ts';
import { readLogLine } from './log-line.ts';
import { natsLogins } from './login.ts';
import { natsMetrics } from './metrics.ts';
import { monitoring } from './monitoring.ts';
import { readSettings } from './settings.ts';
import { readStatistics } from './statistics.ts';

const reloadLimit = 2_000;

const portsFileSchema = z.object({
  nats: z.tuple([z.url()], z.url()),
  websocket: z.tuple([z.url()], z.url()),
  monitoring: z.tuple([z.url()], z.url()),
});
type PortsFile = z.infer<typeof portsFileSchema>;

/**
 * nats-server with JetStream. `broker_tcp` is NATS's own protocol and `broker_websocket` the same over
 * WebSocket. Its HTTP port serves monitoring without a login, so it is kept for the agent; `broker_http` is the node's page of streams.
 */
export function createNatsRuntime({ home, environment }: RuntimeContext): BrokerRuntime {
  const { NATS_SERVER_PATH, STREAM_PAGE_FILES } = readConfig(natsEnvironment, environment);
  const folders = {
    store: join(home, 'broker'),
    ports: join(home, 'broker-ports'),
    files: filesFolder(home),
  };
  const portsOf = async (pid: number) =>
    parsed(portsFileSchema, await readIfPresent(join(folders.ports, `nats-server_${pid}.ports`)));
  const pagesOf = (pid: number | null) =>
    monitoring(async () => {
      const ports = pid === null ? null : await portsOf(pid);
      if (ports === null) throw new Error('no broker answers');
      return ports.monitoring[0];
    });
  // files that are gone must not keep the broker from its configuration
  const page =
    STREAM_PAGE_FILES !== undefined && existsSync(join(STREAM_PAGE_FILES, 'index.html'))
      ? { files: STREAM_PAGE_FILES, isSecure }
      : undefined;
  return {
    protocols: ['broker_tcp', 'broker_websocket', ...(page ? (['broker_http'] as const) : [])],
    ...(page && { page }),
    ownLogins: natsLogins,
    configure: (broker, ownLogins, clusterPort) =>
      renderConfiguration(broker, folders, ownLogins, clusterPort),
    check: async ({ capacity }, pid) => {
      checkCapacity(
        capacity,
        await pagesOf(pid)
          .jsz()
          .catch(() => null),
      );
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
      const ports = await soon(signal, () => portsOf(pid));
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
        pages: pagesOf(pid),
      });
    },
  };
}

/** Whether the WebSocket expects TLS. */
const isSecure = (broker: DesiredBroker): boolean =>
  tlsChoices(readSettings(broker), broker.tls?.plain_text ?? true).websocket !== 'off';

async function serving(
  pid: number,
  ports: PortsFile,
  store: string,
  keyVersion: number | undefined,
): Promise<ServingBroker> {
  const { varz, jsz, healthz } = monitoring(async () => ports.monitoring[0]);
  const isWell = async () => (await healthz()).status === 'ok';
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
      return await soon(AbortSignal.timeout(reloadLimit), reloaded).catch(() => false);
    },
    statistics: async () => {
      const [numbers, streams] = await Promise.all([varz(), jsz()]);
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
    clusterState: (name, others) => readClusterState({ jsz, isWell }, name, others),
    stepDown: (name) => stepDown(pid, name, jsz),
    heldStreams: async () => {
      const [{ server_name }, found] = await Promise.all([varz(), jsz()]);
      return readHeldStreams(server_name, found);
    },
    metrics: async () => natsMetrics(...(await Promise.all([varz(), jsz()]))),
  };
}

/** For what comes within milliseconds as a rule, and else is looked at less often. */
async function soon<T>(signal: AbortSignal, look: () => Promise<T | null>): Promise<T> {
  const quick = AbortSignal.any([signal, AbortSignal.timeout(1_000)]);
  const found = await waitUntil(look, { everyMs: 3, signal: quick }).catch((error: unknown) => {
    if (!quick.aborted) throw error;
    return null;
  });
  return found ?? (await waitUntil(look, { everyMs: 50, signal }));
}

function portOf(url: string): number {
  return Number(new URL(url).port);
}
