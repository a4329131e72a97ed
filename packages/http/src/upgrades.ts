import { ServerResponse, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { Socket } from 'node:net';

/** A connection whose request asks for another protocol, and what has come on it after the request. */
export interface Upgrade {
  socket: Socket;
  head: Buffer;
}

/** Takes over a connection as a WebSocket's; it has to answer the handshake. */
export type TakeOver = (request: IncomingMessage, socket: Socket, head: Buffer) => void;

const upgrades = new WeakMap<IncomingMessage, Upgrade>();

/** Requests that ask for a WebSocket go the way of all requests: the application answers them, or takes the connection. */
export class Upgrades {
  readonly #open = new Set<Socket>();

  constructor(server: Server, app: RequestListener) {
    server.on('upgrade', (request: IncomingMessage, stream, head: Buffer) => {
      const socket = stream as Socket;
      this.#open.add(socket);
      socket.once('close', () => this.#open.delete(socket)).on('error', () => undefined);
      upgrades.set(request, { socket, head });
      const response = new ServerResponse(request);
      // the server reads no further request from here
      response.shouldKeepAlive = false;
      response.assignSocket(socket);
      response.once('finish', () => socket.end());
      app(request, response);
    });
  }

  /** Ends all connections: their clients begin new ones elsewhere. */
  end(): void {
    for (const socket of this.#open) socket.destroy();
  }
}

/** Whether a request asks for a WebSocket. */
export const asksForUpgrade = (request: IncomingMessage): boolean => upgrades.has(request);

/** Takes the connection of a request that asks for a WebSocket; its answer is over when the connection is. */
export function handOver(request: IncomingMessage, response: ServerResponse): Upgrade | undefined {
  const upgrade = upgrades.get(request);
  if (!upgrade) return undefined;
  response.detachSocket(upgrade.socket);
  upgrade.socket.once('close', () => response.emit('close'));
  return upgrade;
}
