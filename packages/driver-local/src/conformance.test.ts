import { randomUUID } from 'node:crypto';
import { mkdir, writeFile, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { idOf, type NodeId } from '@sluice/contracts';
import { computeConformance, volumesConformance } from '@sluice/drivers/conformance';
import { aNode } from '@sluice/drivers/testing/a-node.ts';
import { findProcesses, withArgument } from '@sluice/system';
import { createLog } from '@sluice/system/log';
import { testFolder, silentAgent } from '@sluice/testing';
import { createLocalDriver } from './compute/local-driver.ts';
import { folderExists, nodeFiles } from './compute/node-folder.ts';
import { createLocalVolumes } from './volumes/local-volumes.ts';

const stopping = new AbortController();
let folders: { nodesFolder: string; keysFolder: string; runtimeFolder: string; backupsFolder: string };

beforeAll(async () => {
  const [nodesFolder, keysFolder, runtimeFolder, backupsFolder] = [
    ...[await testFolder(), await testFolder(), await testFolder(), await testFolder()],
  ] as const;
  folders = { nodesFolder, keysFolder, runtimeFolder, backupsFolder };
});
afterAll(() => stopping.abort());

const folderOf = (id: NodeId) => join(folders.nodesFolder, String(id));

computeConformance('local', {
  isThere: () => true,
  driver: () =>
    createLocalDriver({
      ...folders,
      ...{ agentEntry: silentAgent, agentEnvironment: {}, gatewayHost: '127.0.0.1' },
      ...{ stopping: stopping.signal, log: createLog({ service: 'test', level: 'error' }) },
    }),
  aNode,
  enrols: (node) => void (node.enrolled = true),
  async present({ id }) {
    const processes = await findProcesses(withArgument(folderOf(id)));
    return [...((await folderExists(folderOf(id))) ? [id] : []), ...processes];
  },
  hasAgents: true,
  pauseSeconds: 0.05,
});

let lastNode = 0;

volumesConformance('local', {
  isThere: () => true,
  driver: () => createLocalVolumes(folders),
  async aNode() {
    const id = idOf<NodeId>((lastNode += 1));
    const store = nodeFiles(folderOf(id)).brokerStore;
    const file = join(store, '1.blk');
    const change = () => writeFile(file, randomUUID());
    await mkdir(store, { recursive: true });
    await change();
    return { id, change, stored: () => readFile(file, 'utf8'), remove: () => Promise.resolve() };
  },
});
