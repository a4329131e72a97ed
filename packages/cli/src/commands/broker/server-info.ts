import { connect, type Socket } from 'node:net';
import { addAbortSignal } from 'node:stream';

/** How long a broker may take to answer. */
export const patienceMs = 5_000;
const longestLine = 65_536;

/** What a NATS server says of itself before the login. */
export interface ServerInfo {
  tls_required?: boolean;
  tls_available?: boolean;
}

export type Reason = 'no name' | 'refused' | 'silent' | 'closed' | 'not NATS';

/** An address behind which no broker answers. */
export class Unreachable extends Error {
  override readonly name = 'Unreachable';
  readonly server: string;
  readonly reason: Reason;

  constructor(server: string, reason: Reason) {
    super(`${server}: ${reason}`);
    this.server = server;
    this.reason = reason;
  }
}

export function addressOf(server: string): { host: string; port: number } {
  const { hostname, port } = new URL(`nats://${server}`);
  return { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port || 4222) };
}

/** @throws Unreachable */
export async function readServerInfo(server: string, signal: AbortSignal): Promise<ServerInfo> {
  const late = AbortSignal.timeout(patienceMs);
  const socket = addAbortSignal(AbortSignal.any([signal, late]), connect(addressOf(server)));
  let line: string;
  try {
    line = await firstLine(socket);
  } catch (error) {
    signal.throwIfAborted();
    throw new Unreachable(server, late.aborted ? 'silent' : reasonOf(error as NodeJS.ErrnoException));
  } finally {
    socket.destroy();
  }
  const [, info] = /^INFO (\{.*\})\s*$/.exec(line) ?? [];
  try {
    if (info !== undefined) return JSON.parse(info) as ServerInfo;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  throw new Unreachable(server, line === '' ? 'closed' : 'not NATS');
}

/** @returns empty where the connection ends before */
async function firstLine(socket: Socket): Promise<string> {
  let text = '';
  for await (const piece of socket as AsyncIterable<Buffer>) {
    text += piece.toString('latin1');
    const end = text.indexOf('\r\n');
    if (end >= 0) return text.slice(0, end);
    if (text.length > longestLine) return text;
  }
  return text;
}

function reasonOf({ code }: NodeJS.ErrnoException): Reason {
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return 'no name';
  if (code === 'ECONNREFUSED') return 'refused';
  return code === 'ECONNRESET' || code === 'EPIPE' ? 'closed' : 'silent';
}
