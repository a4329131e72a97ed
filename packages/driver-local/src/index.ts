import { fileURLToPath } from 'node:url';
import { defineDriver, withTables, type DriverHost, type NodeProvider } from '@sluice/drivers';
import { ConfigError } from '@sluice/system';
import { createLocalAuthority } from './certificates/local-authority.ts';
import { shareCompiledFolder } from './compute/compiled-folder.ts';
import { createLocalDriver } from './compute/local-driver.ts';
import { emulatedLinks } from './network/emulated-links.ts';
import {
  emulatedNetworkSettings,
  localAuthoritySettings,
  localNodeSettings,
  type LocalNodeSettings,
} from './settings.ts';
import type { LocalTables } from './tables.ts';
import { createLocalVolumes } from './volumes/local-volumes.ts';

export type { LocalTables } from './tables.ts';

const compiledFolder = fileURLToPath(new URL('../../../.cache/compiled', import.meta.url));

export const drivers = [
  defineDriver({
    name: 'local',
    settings: { ...localNodeSettings, ...localAuthoritySettings },
    compute: { check: nodesFolderOf, create: createNodes },
    certificates: {
      create: async (host, settings) =>
        createLocalAuthority({
          ...{ secrets: host.secrets, now: host.now, database: withTables<LocalTables>(host.database) },
          name: `Sluice ${host.cloud} ${host.region}`,
          authorityDays: settings.AUTHORITY_DAYS,
          certificateDays: settings.CERTIFICATE_DAYS,
        }),
    },
  }),
  defineDriver({
    name: 'emulated',
    settings: emulatedNetworkSettings,
    network: {
      create: async ({ database, region }, { EMULATED_PEERS: peers }) => ({
        links: emulatedLinks({ database: withTables<LocalTables>(database), region, peers }),
      }),
    },
  }),
];

function nodesFolderOf({ LOCAL_NODES_DIR: nodesFolder }: LocalNodeSettings): string {
  if (nodesFolder === undefined)
    throw new ConfigError('LOCAL_NODES_DIR is missing: COMPUTE_DRIVER=local needs it');
  return nodesFolder;
}

async function createNodes(host: DriverHost, settings: LocalNodeSettings): Promise<NodeProvider> {
  const nodesFolder = nodesFolderOf(settings);
  const { BACKUPS_DIR: backupsFolder, GATEWAY_PORTS: ports } = settings;
  await shareCompiledFolder(compiledFolder);
  const compute = await createLocalDriver({
    nodesFolder,
    keysFolder: settings.LOCAL_KEYS_DIR ?? `${nodesFolder}-keys`,
    runtimeFolder: settings.LOCAL_RUNTIME_DIR,
    agentEntry: settings.LOCAL_AGENT_ENTRY,
    agentEnvironment: {
      ...host.agents.environment,
      AGENT_SUPERVISOR_URL: host.agents.supervisorUrl,
      AGENT_GATEWAY_HOST: settings.GATEWAY_BIND_HOST ?? host.gateway.host,
      ...(ports && { AGENT_GATEWAY_PORTS: ports.join('-') }),
      NATS_SERVER_PATH: host.agents.brokerProgram,
      ...(host.agents.streamPage !== undefined && { STREAM_PAGE_FILES: host.agents.streamPage }),
      // also for the first file of a program, to which its own choice comes too late
      NODE_COMPILE_CACHE: compiledFolder,
    },
    gatewayHost: host.gateway.host,
    privateGatewayHost: host.gateway.privateHost,
    log: host.log,
  });
  if (backupsFolder === undefined) return { compute };
  return { compute, volumes: await createLocalVolumes({ nodesFolder, backupsFolder }) };
}
