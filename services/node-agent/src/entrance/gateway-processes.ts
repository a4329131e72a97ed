import { mkdir, open, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { endProcess, isErrorCode, withArgument } from '@sluice/system';
import type { Log } from '@sluice/system/log';
import { says, startProgram } from '../gateway/hand-over.ts';
import type { Successor } from '../gateway/protocol.ts';
import { socketPath } from '../gateway/socket-path.ts';
import { openLink, type GatewayLink } from './gateway-link.ts';

interface GatewayProcesses {
  /** Finds the gateways that run, but those with these pids. */
  find(known: ReadonlySet<number>): Promise<GatewayLink[]>;
  start(program: Successor): Promise<GatewayLink>;
  /** Ends one that does not do as it is told, by force: it may let in whom it should not. */
  kill(pid: number): Promise<void>;
}

/**
 * The processes of a node's gateways, each known by the socket that it has in the folder, and by the folder, which is
 * among its arguments.
 * @param onClose called when one of them is gone
 */
export function gatewayProcesses(home: string, log: Log, onClose: () => void): GatewayProcesses {
  const folder = join(home, 'gateway');
  const kill = async (pid: number) => {
    await endProcess(pid, withArgument(folder), ['SIGKILL']);
    await rm(socketPath(folder, pid), { force: true });
  };

  async function link(pid: number): Promise<GatewayLink | null> {
    try {
      const found = await openLink(socketPath(folder, pid), log, onClose);
      if (found === null) await rm(socketPath(folder, pid), { force: true });
      return found;
    } catch (error) {
      log.error('a gateway does not answer, ending it', { pid, error });
      await kill(pid);
      return null;
    }
  }

  return {
    kill,
    find: async (known) => {
      // not the folder above it, which may be gone with its node
      await mkdir(folder, { mode: 0o700 }).catch((error: unknown) => {
        if (!isErrorCode(error, 'EEXIST')) throw error;
      });
      const names = await readdir(folder);
      const pids = names.flatMap((name) => (/^\d+\.sock$/.test(name) ? [Number.parseInt(name, 10)] : []));
      const links = await Promise.all(pids.filter((pid) => !known.has(pid)).map(link));
      return links.filter((found) => found !== null);
    },
    start: async (program) => {
      const errors = await open(join(home, 'gateway.log'), 'w', 0o600);
      const child = startProgram(program, folder, errors.fd, false);
      await errors.close();
      try {
        await says(child, 'ready');
        const started = child.pid === undefined ? null : await link(child.pid);
        if (started === null) throw new Error('the gateway was gone at once');
        // as long as it has nobody else to wait for, it waits for this process
        child.disconnect();
        return started;
      } catch (error) {
        child.kill('SIGKILL');
        throw error;
      }
    },
  };
}
