import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { readIfPresent, writePrivateFile } from '@sluice/system';
import { z } from 'zod';
import { parsed } from '../parsed.ts';
import { atFreePort, portsToTry } from '../gateway/ports.ts';

const fileSchema = z.object({ port: z.int().min(1).max(65_535) });

export type ClusterPort = ReturnType<typeof clusterPort>;

/**
 * Where a node's broker listens for the others of its cluster. It is chosen before the broker starts, since the others have to know it,
 * and kept in the node's folder.
 * @param fixed the one that it has to be; any that is free where that is undefined
 */
export function clusterPort(home: string, fixed?: number) {
  const path = join(home, 'cluster-port.json');
  let current: number | null = null;

  async function keep(port: number): Promise<void> {
    if (port === current) return;
    await writePrivateFile(path, JSON.stringify({ port }));
    current = port;
  }

  return {
    get current(): number | null {
      return current;
    },

    async choose(host: string): Promise<void> {
      if (current !== null) return;
      if (fixed !== undefined) return await keep(fixed);
      current = parsed(fileSchema, await readIfPresent(path))?.port ?? null;
      if (current === null) await keep(await freePort(host, 0));
    },

    /** Chooses another port if the kept one is taken, before the broker is started. @returns true if it did */
    async chooseAgain(host: string): Promise<boolean> {
      if (fixed !== undefined) return false;
      const former = current;
      await keep(await freePort(host, former ?? 0));
      return current !== former;
    },
  };
}

async function freePort(host: string, wanted: number): Promise<number> {
  const found = await atFreePort(portsToTry(wanted), async (port) => {
    const server = createServer();
    server.listen(port, host);
    await once(server, 'listening');
    const { port: opened } = server.address() as AddressInfo;
    server.close();
    await once(server, 'close');
    return opened;
  });
  if (found === undefined) throw new Error('no port is free');
  return found;
}
