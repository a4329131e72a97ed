import { createServer, type Server } from 'node:https';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createAuthority, issueCertificate, type KeyPair } from '@sluice/system/authority';

/** A request as it came. */
export interface ReceivedRequest {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
}

/** What a test has the receiver answer; `hang`: nothing, for as long as it runs. */
export type ReceiverAnswer = { status: number; headers?: Record<string, string>; body?: string } | 'hang';

/** An HTTPS server that keeps what it gets, with a certificate of an authority of its own. */
export interface HttpsReceiver {
  /** `https://localhost:…`, or with the name that its certificate is for */
  url: string;
  port: number;
  /** PEM: whom its clients have to trust */
  authority: string;
  received: ReceivedRequest[];
  /** connections that were made to it */
  connections: number;
  /** decides what is answered, once the request has come; default: 204 */
  answer: (
    request: ReceivedRequest,
    response: ServerResponse,
  ) => ReceiverAnswer | undefined | Promise<ReceiverAnswer | undefined>;
  stop(): Promise<void>;
}

export interface HttpsReceiverOptions {
  /** the name that its certificate is for; default: localhost */
  name?: string;
  /** whose certificate it has; default: an authority that is made */
  issuer?: KeyPair;
  /** from when on its certificate is valid, and for how long */
  from?: Date;
  days?: number;
}

export async function httpsReceiver(options: HttpsReceiverOptions = {}): Promise<HttpsReceiver> {
  const { name = 'localhost', from = new Date(), days = 1 } = options;
  const issuer = options.issuer ?? (await createAuthority('Tests', { from, days: Math.max(days, 1) }));
  const addresses = name === 'localhost' ? ['127.0.0.1'] : [];
  const pair = await issueCertificate(issuer, { dns: [name], addresses }, { from, days });
  const receiver: HttpsReceiver = {
    ...{ url: '', port: 0, authority: issuer.certificate, received: [], connections: 0 },
    answer: () => undefined,
    stop: () => stop(server),
  };
  const server = createServer({ key: pair.private_key, cert: pair.certificate }, (request, response) => {
    receive(receiver, request, response).catch(() => response.destroy());
  });
  server.on('secureConnection', () => receiver.connections++);
  // clients that disconnect, or trust another authority
  server.on('tlsClientError', () => undefined);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  receiver.port = (server.address() as AddressInfo).port;
  receiver.url = `https://${name}:${receiver.port}`;
  return receiver;
}

async function receive(
  receiver: HttpsReceiver,
  message: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk as Buffer);
  const { method = '', url: path = '', headers } = message;
  const request = { method, path, headers, body: Buffer.concat(chunks).toString() };
  receiver.received.push(request);
  const answer = (await receiver.answer(request, response)) ?? { status: 204 };
  if (answer === 'hang' || response.headersSent) return;
  response.writeHead(answer.status, answer.headers).end(answer.body);
}

async function stop(server: Server): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve));
  server.closeAllConnections();
  await closed;
}
