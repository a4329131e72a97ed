import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { Server, type Socket } from 'node:net';
import { join } from 'node:path';
import type { Protocol } from '@sluice/contracts';
import type { GatewayState, Successor } from './protocol.ts';

/** How long a new gateway may take to start and to take over. Milliseconds. */
const takeOverLimit = 15_000;

/** What a gateway is sent by the process that has started it: nothing when that is an agent. */
type Legacy = { listener: Protocol } | { state: GatewayState };
/** What it answers: it runs; it listens, by what it was sent. */
type Progress = 'ready' | 'took over';

/** A socket on which another gateway listened. This process accepts connections on it from the moment it has come. */
export interface Inherited {
  server: Server;
  /** who has connected before it was known what holds; nothing of them has been read */
  early: Socket[];
}

/** Starts a gateway in a session of its own. Its socket is open once it says that it is ready, or has taken over. */
export function startProgram(
  { node, program, build }: Successor,
  folder: string,
  errors: number | 'inherit',
  legacy: boolean,
): ChildProcess {
  // the variable, unlike the function of node:module, spares also the first file the stripping of its types: without
  // that a gateway starts in half the time and takes 54 MB instead of 71
  const compiled = join(program, '../../../../../.cache/compiled');
  const child = fork(program, [folder, build, ...(legacy ? ['legacy'] : [])], {
    execPath: node,
    execArgv: [],
    env: { ...process.env, NODE_COMPILE_CACHE: compiled },
    detached: true,
    stdio: ['ignore', 'ignore', errors, 'ipc'],
  });
  child.on('error', () => undefined);
  child.unref();
  return child;
}

/** Waits for the word of a gateway that was started. @throws Error when it ends before, or takes too long */
export async function says(child: ChildProcess, expected: Progress): Promise<void> {
  const limited = AbortSignal.timeout(takeOverLimit);
  const [word] = (await Promise.race([
    once(child, 'message', { signal: limited }),
    once(child, 'exit', { signal: limited }).then((how) => [`it ended (${how.join(' ')})`]),
  ])) as [unknown];
  if (word !== expected) throw new Error(`the gateway did not start: ${String(word)}`);
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
  const child = startProgram(successor, folder, 'inherit', true);
  try {
    await says(child, 'ready');
    for (const [listener, server] of servers) await send(child, { listener }, server);
    await send(child, { state });
    await says(child, 'took over');
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

/** Tells the process that has started this one. */
export function tellStarter(word: Progress): void {
  if (process.connected) process.send?.(word);
}
