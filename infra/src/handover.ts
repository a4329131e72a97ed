import { chmod, rm } from 'node:fs/promises';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { CannotStart } from '@sluice/embedded';
import { z } from 'zod';
import type { Home } from './home.ts';
import type { Kept } from './keep-running.ts';
import { untilFree } from './ports.ts';

/**
 * Lets `npm run dev` run a service of a stack in the stack's place. It asks on a socket in the stack's home and gets
 * how the stack starts the service, once that one has ended. For as long as the connection stands the service is
 * theirs; when it ends, for any reason, the stack starts its own again.
 */

const startSchema = z.object({
  /** the TypeScript file to run */
  program: z.string(),
  args: z.array(z.string()),
  environment: z.record(z.string(), z.string()),
});
/** How the stack starts a service. */
export type ServiceStart = z.infer<typeof startSchema>;

const answerSchema = z.union([z.object({ start: startSchema }), z.object({ refusal: z.string() })]);
type Answer = z.infer<typeof answerSchema>;

/** A service that can be handed over. */
export interface Lendable {
  name: string;
  kept: Kept;
  start: ServiceStart;
}

const socketOf = (home: Pick<Home, 'path'>) => home.path('dev.sock');

/** Begins to listen; answers how to end it. A home whose path is too long for a socket is reported and does without. */
export async function lendServices(
  home: Home,
  services: readonly Lendable[],
  say: (line: string) => void,
): Promise<() => Promise<void>> {
  const lent = new Map<string, Promise<void>>();
  const sockets = new Set<Socket>();
  let ending = false;
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.once('close', () => sockets.delete(socket));
    firstLine(socket)
      .then((name) => lend(socket, name))
      .catch(() => socket.destroy());
  });

  const lend = async (socket: Socket, name: string) => {
    const service = services.find((candidate) => candidate.name === name);
    const answer = (content: Answer) => socket.write(`${JSON.stringify(content)}\n`);
    if (!service) {
      return answer({ refusal: `Which service? ${services.map((candidate) => candidate.name).join(', ')}` });
    }
    if (lent.has(name)) return answer({ refusal: `npm run dev ${name} runs already.` });
    const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
    lent.set(name, closed);
    const resume = await service.kept.pause();
    say(`${name} is run by npm run dev.`);
    answer({ start: service.start });
    await closed;
    if (ending) return;
    lent.delete(name);
    await untilFree(Number(service.start.environment.PORT));
    resume();
    say(`${name} is run by the stack again.`);
  };

  try {
    await listen(server, socketOf(home));
  } catch (error) {
    say(
      `npm run dev will not work with this stack: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
  return async () => {
    ending = true;
    server.close();
    for (const socket of sockets) socket.destroy();
    await rm(socketOf(home), { force: true });
  };
}

async function listen(server: Server, file: string): Promise<void> {
  // what a killed launcher has left; the home is ours
  await rm(file, { force: true });
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(file, resolve));
  await chmod(file, 0o600);
}

/** A service that the stack has handed over. */
export interface Loan {
  start: ServiceStart;
  /** aborted when the stack takes the service back because it ends */
  ended: AbortSignal;
  giveBack(): void;
}

/** Asks the stack that runs in this folder for one of its services. Throws `CannotStart` with what a person should read. */
export async function borrowService(home: Pick<Home, 'path' | 'folder'>, name: string): Promise<Loan> {
  const socket = connect(socketOf(home));
  const ended = new AbortController();
  socket.once('close', () => ended.abort());
  socket.write(`${name}\n`);
  const text = await firstLine(socket).catch(() => {
    throw new CannotStart(`No stack runs on ${home.folder}: run npm start in another terminal.`);
  });
  const answer = answerSchema.parse(JSON.parse(text));
  if ('refusal' in answer) {
    socket.destroy();
    throw new CannotStart(answer.refusal);
  }
  return { start: answer.start, ended: ended.signal, giveBack: () => socket.destroy() };
}

async function firstLine(socket: Socket): Promise<string> {
  return await new Promise((resolve, reject) => {
    let text = '';
    socket.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
      if (text.includes('\n')) resolve(text.slice(0, text.indexOf('\n')));
    });
    socket.once('error', reject);
    socket.once('close', () => reject(new Error('The connection ended before a line came.')));
  });
}
