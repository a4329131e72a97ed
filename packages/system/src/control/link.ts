import { once } from 'node:events';
import { connect } from 'node:net';
import type { Log } from '../log.ts';
import { readLines, writeLine } from './lines.ts';
import type { ControlAnswer } from './protocol.ts';

interface LinkOptions {
  /** the program, as it is called in the log and in errors */
  name: string;
  /** how long its first words may take, in milliseconds */
  answerLimit: number;
  log: Log;
  /** called when it is gone */
  onClose: () => void;
  /** called when it has said, unasked, how it is */
  onStatus?: () => void;
}

/** A running program that takes commands over its unix socket. */
export interface ControlLink<Request extends object, Status> {
  /** as last reported */
  readonly status: Status;
  readonly closed: boolean;
  /**
   * Resolves once the program has done it, which may take `limit` milliseconds.
   * @throws Error when it could not, is gone or does not answer
   */
  ask(request: Request, limit: number): Promise<void>;
}

/**
 * Speaks to the program behind a socket. Null when no program listens there.
 * @throws Error when it does not say how it is
 */
export async function openControlLink<Request extends object, Status>(
  path: string,
  { name, answerLimit, log, onClose, onStatus }: LinkOptions,
): Promise<ControlLink<Request, Status> | null> {
  const socket = connect(path);
  try {
    await once(socket, 'connect');
  } catch {
    return null;
  }
  let requests = 0;
  let closed = false;
  let status: Status | null = null;
  const answers = new Map<number, PromiseWithResolvers<Status>>();
  const hello = Promise.withResolvers<Status>();
  answers.set(0, hello);
  socket.on('error', () => undefined);
  socket.once('close', () => {
    closed = true;
    for (const { reject } of answers.values()) reject(new Error(`the ${name} is gone`));
    onClose();
  });
  readLines(socket, (message) => {
    const answer = message as ControlAnswer<Status>;
    if ('log' in answer) return void log[answer.log[0]](`${name}: ${answer.log[1]}`, answer.log[2]);
    const waiting = answers.get('id' in answer ? answer.id : 0);
    if ('error' in answer) return waiting?.reject(new Error(answer.error));
    status = answer.status;
    waiting?.resolve(status);
    if (!('id' in answer)) onStatus?.();
  });

  async function answered(id: number, limit: number): Promise<Status> {
    const waiting = answers.get(id);
    const timer = setTimeout(() => waiting?.reject(new Error(`the ${name} does not answer`)), limit);
    try {
      return await (waiting?.promise ?? Promise.reject(new Error(`the ${name} is gone`)));
    } finally {
      clearTimeout(timer);
      answers.delete(id);
    }
  }

  try {
    const first = await answered(0, answerLimit);
    return {
      get status() {
        return status ?? first;
      },
      get closed() {
        return closed;
      },
      ask: async (request, limit) => {
        if (closed) throw new Error(`the ${name} is gone`);
        const id = ++requests;
        answers.set(id, Promise.withResolvers());
        writeLine(socket, { id, ...request });
        await answered(id, limit);
      },
    };
  } catch (error) {
    socket.destroy();
    throw error;
  }
}
