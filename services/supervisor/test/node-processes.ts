import { readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { endProcesses, findProcesses, withArgument } from '@sluice/system';

async function userOf(pid: number): Promise<number> {
  return (await stat(`/proc/${pid}`)).uid;
}

/** What runs in a folder of nodes, seen from outside. */
export function nodeProcesses(nodesFolder: string) {
  const folderOf = (nodeId: number) => join(nodesFolder, String(nodeId));
  /** an argument of each of its processes, agents first */
  const marksOf = (folder: string) => [
    ...[folder, join(folder, 'gateway'), join(folder, 'broker.conf')],
    join(folder, 'connectors'),
  ];
  return {
    /** how many agents, gateways and brokers of a node run */
    async processesOf(nodeId: number) {
      const found = marksOf(folderOf(nodeId)).map((mark) => findProcesses(withArgument(mark)));
      const [agents = 0, gateways = 0, brokers = 0] = (await Promise.all(found)).map(({ length }) => length);
      return { agents, gateways, brokers };
    },

    /** the users that a node's agents, gateways and brokers run as */
    async usersOf(nodeId: number): Promise<number[]> {
      const pids = marksOf(folderOf(nodeId)).map((mark) => findProcesses(withArgument(mark)));
      return await Promise.all((await Promise.all(pids)).flat().map(userOf));
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
      for (const mark of marksOf(folder)) {
        for (const pid of await findProcesses(withArgument(mark))) process.kill(pid, 'SIGKILL');
      }
      await rm(`${folder}.lost`, { recursive: true, force: true, maxRetries: 10 });
    },

    /** ids of the nodes that have a folder */
    nodeFolders: async () => (await readdir(nodesFolder)).map(Number),

    async endAll() {
      for (const node of await readdir(nodesFolder)) {
        const [agent = '', ...others] = marksOf(join(nodesFolder, node));
        await endProcesses(withArgument(agent));
        await endProcesses(withArgument(...others));
      }
      await rm(nodesFolder, { recursive: true, force: true, maxRetries: 10 });
    },
  };
}
