import { ServerResponse, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { Socket } from 'node:net';
import type { Response } from 'express';
import type { AnswerLocals } from './app.ts';

/** The connection of a request for a WebSocket, and what of it was read after the request. */
interface Offer {
  socket: Socket;
  head: Buffer;
}

/** Takes over a connection as a WebSocket's; it has to answer the handshake. */
export type TakeOver = (request: IncomingMessage, socket: Duplex, head: Buffer) => void;

const offers = new WeakMap<IncomingMessage, Offer>();

export const asksForWebSocket = ({ headers }: IncomingMessage): boolean =>
  headers.upgrade?.toLowerCase() === 'websocket';

/**
 * Has the application answer requests for a WebSocket like any other: it authorizes, counts and logs them. Where an operation opens one,
 * the connection is handed to it.
 */
export function answerUpgrades(server: Server, app: RequestListener): void {
  server.on('upgrade', (request, socket, head) => {
    if (!(socket instanceof Socket)) return void socket.destroy();
    // an error of one client must not end the process
    socket.on('error', () => undefined);
    const response = new ServerResponse(request);
    response.shouldKeepAlive = false;
    response.assignSocket(socket);
    response.once('finish', () => socket.end());
    offers.set(request, { socket, head });
    app(request, response);
  });
}

/** Whether the request's connection can become a WebSocket's. */
export const canUpgrade = (request: IncomingMessage): boolean => offers.has(request);

/** Hands the connection over. For the log and the metrics the request ends with it. */
export function takeOver(request: IncomingMessage, response: Response, take: TakeOver): void {
  const offer = offers.get(request);
  if (!offer) throw new Error('the request asks for no WebSocket');
  offers.delete(request);
  Object.assign(response.locals as AnswerLocals, { isHeld: true, isUpgraded: true });
  take(request, offer.socket, offer.head);
}
