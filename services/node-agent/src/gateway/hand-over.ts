import type { ChildProcess } from 'node:child_process';
import { Server, type Socket } from 'node:net';
import type { Protocol } from '@sluice/contracts';
import { says, startProgram, tellStarter } from '@sluice/system/control';
import type { GatewayState, Successor } from './protocol.ts';

/** What a gateway is sent by the process that has started it: nothing when that is an agent. */
type Legacy = { listener: Protocol } | { state: GatewayState };
/** A socket on which another gateway listened. This process accepts connections on it from the moment it has come. */
export interface Inherited {
  server: Server;
  /** who has connected before it was known what holds; nothing of them has been read */
  early: Socket[];
}

/**
 * Starts a successor that listens on the same sockets by the same rules. Afterwards both do, so that no connection is
 * refused in between. @throws Error when it has not taken over: then there is none
 */
export async function handOver(
  successor: Successor,
  folder: string,
  servers: readonly [Protocol, Server][],
  state: GatewayState,
): Promise<void> {
  const child = startProgram(successor, folder, 'inherit', 'legacy');
  try {
    await says(child, 'ready', 'gateway');
    for (const [listener, server] of servers) await send(child, { listener }, server);
    await send(child, { state });
    await says(child, 'took over', 'gateway');
    child.disconnect();
  } catch (error) {
    child.kill('SIGKILL');
    throw error;
  }
}

async function send(child: ChildProcess, message: Legacy, server?: Server): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  child.send(message, server, {}, (error) => (error === null ? resolve() : reject(error)));
  await promise;
}

/** Waits for all that a predecessor leaves to this process. The process ends if the predecessor does so before. */
export async function receiveLegacy(): Promise<{ servers: Map<Protocol, Inherited>; state: GatewayState }> {
  const servers = new Map<Protocol, Inherited>();
  const { promise, resolve } = Promise.withResolvers<GatewayState>();
  process.on('message', (message: Legacy, handle: unknown) => {
    if ('state' in message) resolve(message.state);
    else if (handle instanceof Server) servers.set(message.listener, inherit(handle));
  });
  const orphaned = () => process.exit(1);
  process.once('disconnect', orphaned);
  tellStarter('ready');
  const state = await promise;
  process.off('disconnect', orphaned);
  return { servers, state };
}

function inherit(server: Server): Inherited {
  const early: Socket[] = [];
  // as the gateway's own servers have it
  Object.assign(server, { allowHalfOpen: true, pauseOnConnect: true });
  server.on('connection', (client: Socket) => {
    client.on('error', () => undefined);
    early.push(client);
  });
  return { server, early };
}
