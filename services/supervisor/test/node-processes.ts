import { readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { endProcesses, findProcesses, withArgument } from '@sluice/system';

/** What runs in a folder of nodes, seen from outside. */
export function nodeProcesses(nodesFolder: string) {
  const folderOf = (nodeId: number) => join(nodesFolder, String(nodeId));
  const brokerMark = (folder: string) => join(folder, 'broker.conf');
  return {
    /** how many agents and brokers of a node run */
    async processesOf(nodeId: number) {
      const folder = folderOf(nodeId);
      const agents = await findProcesses(withArgument(folder));
      const brokers = await findProcesses(withArgument(brokerMark(folder)));
      return { agents: agents.length, brokers: brokers.length };
    },

    async agentOf(nodeId: number): Promise<number> {
      const [pid] = await findProcesses(withArgument(folderOf(nodeId)));
      if (pid === undefined) throw new Error('no agent runs');
      return pid;
    },

    /** Takes a node away, as when its machine is lost. */
    async loseNode(nodeId: number) {
      const folder = folderOf(nodeId);
      await rename(folder, `${folder}.lost`);
      for (const mark of [folder, brokerMark(folder)]) {
        for (const pid of await findProcesses(withArgument(mark))) process.kill(pid, 'SIGKILL');
      }
      await rm(`${folder}.lost`, { recursive: true, force: true, maxRetries: 10 });
    },

    /** ids of the nodes that have a folder */
    nodeFolders: async () => (await readdir(nodesFolder)).map(Number),

    async endAll() {
      for (const node of await readdir(nodesFolder)) {
        await endProcesses(withArgument(join(nodesFolder, node)));
        await endProcesses(withArgument(brokerMark(join(nodesFolder, node))));
      }
      await rm(nodesFolder, { recursive: true, force: true, maxRetries: 10 });
    },
  };
}
