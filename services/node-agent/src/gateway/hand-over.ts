import type { ChildProcess } from 'node:child_process';
import { Server, type Socket } from 'node:net';
import type { Protocol } from '@sluice/contracts';
import { says, startProgram, tellStarter } from '@sluice/system/control';
import type { GatewayState, Successor } from './protocol.ts';

/** What a gateway is sent by the process that has started it: nothing when that is an agent. */
type Message = { listener: Protocol } | { state: GatewayState; haproxy?: string };

/** What a gateway leaves to its successor to listen on. */
export interface Legacy {
  servers: readonly [Protocol, Server][];
  /** the runtime API of an HAProxy, in the folder of the gateways, that gives its sockets to another */
  haproxy?: string | undefined;
}

/** What a gateway has been left by its predecessor. */
export interface Inheritance {
  servers: ReadonlyMap<Protocol, Inherited>;
  haproxy?: string | undefined;
}

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
  { servers, haproxy }: Legacy,
  state: GatewayState,
): Promise<void> {
  const child = startProgram(successor, folder, 'inherit', 'legacy');
  try {
    await says(child, 'ready', 'gateway');
    for (const [listener, server] of servers) await send(child, { listener }, server);
    await send(child, { state, ...(haproxy !== undefined && { haproxy }) });
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

/** Waits for all that a predecessor leaves to this process. The process ends if the predecessor does so before. */
export async function receiveLegacy(): Promise<{ inheritance: Inheritance; state: GatewayState }> {
  const servers = new Map<Protocol, Inherited>();
  const { promise, resolve } = Promise.withResolvers<{ state: GatewayState; haproxy?: string }>();
  process.on('message', (message: Message, handle: unknown) => {
    if ('state' in message) resolve(message);
    else if (handle instanceof Server) servers.set(message.listener, inherit(handle));
  });
  const orphaned = () => process.exit(1);
  process.once('disconnect', orphaned);
  tellStarter('ready');
  const { state, haproxy } = await promise;
  process.off('disconnect', orphaned);
  return { inheritance: { servers, haproxy }, state };
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
