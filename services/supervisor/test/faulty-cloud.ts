import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What becomes of a request on its way to the cloud. */
export type Fate =
  | 'pass'
  /** it takes effect, and its answer is lost */
  | 'lose'
  /** it is lost itself */
  | 'drop'
  | 'throttle'
  | 'fail';

export interface FaultyCloud {
  url: string;
  /** names of the actions that have come to the cloud, in order; reads are left out */
  changes: string[];
  /** decides by the name of the action; all pass unless a test says otherwise */
  fate: (action: string) => Fate | Promise<Fate>;
  close(): Promise<void>;
}

const refusals = {
  throttle: [503, 'RequestLimitExceeded', 'Request limit exceeded.'],
  fail: [500, 'InternalError', 'An internal error of arn:aws:iam::999999999999:role/secret has occurred'],
} as const;

const isRead = (action: string) => action.startsWith('Describe');

/** Stands between a driver and the server of an AWS API, and lets requests fail in every way that they can. */
export async function faultyCloud(target: string): Promise<FaultyCloud> {
  const cloud: FaultyCloud = {
    url: '',
    changes: [],
    fate: () => 'pass',
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  const server = createServer((request, response) => {
    void (async () => {
      const body = await bodyOf(request);
      const action = new URLSearchParams(body).get('Action') ?? '';
      const fate = await cloud.fate(action);
      if (fate === 'drop') return request.socket.destroy();
      if (fate === 'throttle' || fate === 'fail') {
        const [status, code, message] = refusals[fate];
        response.writeHead(status, { 'content-type': 'text/xml' });
        return response.end(errorOf(action, code, message));
      }
      const headers = Object.fromEntries(
        Object.entries(request.headers).filter(
          ([name]) => !['host', 'connection', 'content-length'].includes(name),
        ),
      ) as Record<string, string>;
      const answer = await fetch(target, { method: 'POST', headers, body });
      const text = await answer.text();
      if (!isRead(action)) cloud.changes.push(action);
      if (fate === 'lose') return request.socket.destroy();
      response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? 'text/xml' });
      return response.end(text);
    })().catch(() => request.socket.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  cloud.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return cloud;
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

/** in the form that the API of the action has */
function errorOf(action: string, code: string, message: string): string {
  const error = `<Code>${code}</Code><Message>${message}</Message>`;
  return /Vpc|Subnet|Route/.test(action)
    ? `<Response><Errors><Error>${error}</Error></Errors><RequestID>1</RequestID></Response>`
    : `<ErrorResponse><Error><Type>Sender</Type>${error}</Error><RequestId>1</RequestId></ErrorResponse>`;
}
