import type { ChildProcess } from 'node:child_process';
import { Server, type Socket } from 'node:net';
import type { Protocol } from '@sluice/contracts';
import { says, startProgram, tellStarter, type Program } from '@sluice/system/control';
import type { GatewayState } from './protocol.ts';

type Message = { listener: Protocol } | { state: GatewayState };

export const takesOver = 'takes-over';

/** A socket on which a predecessor listened. This process accepts connections on it from the moment it has arrived. */
export interface Inherited {
  server: Server;
  /** clients that connected before the state arrived; nothing of them has been read */
  early: Socket[];
}

/**
 * Starts a successor that listens on the same sockets with the same state. Afterwards both do, so that no connection is
 * refused in between. @throws Error when it has not taken over: then there is none
 */
export async function handOver(
  successor: Program,
  folder: string,
  servers: readonly [Protocol, Server][],
  state: GatewayState,
): Promise<void> {
  const child = startProgram(successor, folder, 'inherit', takesOver);
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

async function send(child: ChildProcess, message: Message, server?: Server): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  child.send(message, server, {}, (error) => (error === null ? resolve() : reject(error)));
  await promise;
}

/** Waits for sockets and state of the predecessor. The process ends if the predecessor ends before. */
export async function receiveHandOver(): Promise<{
  inherited: ReadonlyMap<Protocol, Inherited>;
  state: GatewayState;
}> {
  const inherited = new Map<Protocol, Inherited>();
  const { promise, resolve } = Promise.withResolvers<GatewayState>();
  process.on('message', (message: Message, handle: unknown) => {
    if ('state' in message) resolve(message.state);
    else if (handle instanceof Server) inherited.set(message.listener, inherit(handle));
  });
  const orphaned = () => process.exit(1);
  process.once('disconnect', orphaned);
  tellStarter('ready');
  const state = await promise;
  process.off('disconnect', orphaned);
  return { inherited, state };
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
