import { once } from 'node:events';
import { connect } from 'node:net';
import type { Log } from '@sluice/system/log';
import { readLines, writeLine } from '../gateway/lines.ts';
import type {
  GatewayAnswer,
  GatewayRequest,
  GatewayState,
  GatewayStatus,
  Successor,
} from '../gateway/protocol.ts';

/** How long a gateway may take to answer, and to be replaced. Milliseconds. */
const answerLimit = 5_000;
const handOverLimit = 20_000;

/** The way to a gateway that runs. */
export interface GatewayLink {
  /** as it was told last */
  readonly status: GatewayStatus;
  readonly closed: boolean;
  /** Resolves once it has been done. @throws Error when the gateway could not, is gone or does not answer */
  apply(state: GatewayState): Promise<void>;
  /** Lets another program take over; this gateway goes on with the connections that it has. @throws Error like `apply` */
  handOver(to: Successor): Promise<void>;
}

/**
 * Speaks to the gateway behind a socket. Null when nobody listens there.
 * @param onClose called when it is gone
 * @throws Error when it does not say how it is
 */
export async function openLink(path: string, log: Log, onClose: () => void): Promise<GatewayLink | null> {
  const socket = connect(path);
  try {
    await once(socket, 'connect');
  } catch {
    return null;
  }
  let requests = 0;
  let closed = false;
  let status: GatewayStatus | null = null;
  const answers = new Map<number, PromiseWithResolvers<GatewayStatus>>();
  const hello = Promise.withResolvers<GatewayStatus>();
  answers.set(0, hello);
  socket.on('error', () => undefined);
  socket.once('close', () => {
    closed = true;
    for (const { reject } of answers.values()) reject(new Error('the gateway is gone'));
    onClose();
  });
  readLines(socket, (message) => {
    const answer = message as GatewayAnswer;
    if ('log' in answer) return void log[answer.log[0]](`gateway: ${answer.log[1]}`, answer.log[2]);
    const waiting = answers.get('id' in answer ? answer.id : 0);
    if ('error' in answer) waiting?.reject(new Error(answer.error));
    else waiting?.resolve((status = answer.status));
  });

  async function answered(id: number, limit: number): Promise<GatewayStatus> {
    const waiting = answers.get(id);
    const timer = setTimeout(() => waiting?.reject(new Error('the gateway does not answer')), limit);
    try {
      return await (waiting?.promise ?? Promise.reject(new Error('the gateway is gone')));
    } finally {
      clearTimeout(timer);
      answers.delete(id);
    }
  }

  async function ask(request: Omit<GatewayRequest, 'id'>, limit: number): Promise<void> {
    if (closed) throw new Error('the gateway is gone');
    const id = ++requests;
    answers.set(id, Promise.withResolvers());
    writeLine(socket, { id, ...request });
    await answered(id, limit);
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
      apply: (state) => ask({ apply: state }, answerLimit),
      handOver: (to) => ask({ hand_over: to }, handOverLimit),
    };
  } catch (error) {
    socket.destroy();
    throw error;
  }
}
