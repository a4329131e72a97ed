import { once } from 'node:events';
import { createServer, request, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Fate } from '@sluice/drivers/conformance';

export interface FaultyCloud {
  url: string;
  /** names of the actions that have come to the cloud, in order; reads are left out */
  changes: string[];
  /** decides by the name of the action; all pass unless a test says otherwise */
  fate: (action: string, parameters: URLSearchParams) => Fate | Promise<Fate>;
  /** what a caller reads of an answer; all of it unless a test says otherwise */
  answer: (action: string, text: string) => string;
  close(): Promise<void>;
}

const refusals = {
  throttle: [503, 'RequestLimitExceeded', 'Request limit exceeded.'],
  deny: [
    403,
    'AccessDenied',
    'User is not authorized to perform this on arn:aws:iam::999999999999:role/secret',
  ],
  fail: [500, 'InternalError', 'An internal error of arn:aws:iam::999999999999:role/secret has occurred'],
} as const;

const isRead = (action: string) => action.startsWith('Describe');

/** Stands between a driver and the server of an AWS API, and lets requests fail in every way that they can. */
export async function faultyCloud(target: string): Promise<FaultyCloud> {
  const cloud: FaultyCloud = {
    url: '',
    changes: [],
    fate: () => 'pass',
    answer: (_, text) => text,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  const server = createServer((received, response) => {
    void (async () => {
      const body = await bodyOf(received);
      const parameters = new URLSearchParams(body);
      const action = parameters.get('Action') ?? '';
      const fate = await cloud.fate(action, parameters);
      if (fate === 'drop') return received.socket.destroy();
      if (fate === 'throttle' || fate === 'fail' || fate === 'deny') {
        const [status, code, message] = refusals[fate];
        response.writeHead(status, { 'content-type': 'text/xml' });
        return response.end(errorOf(action, code, message));
      }
      const answer = await passOn(target, received, body);
      const text = await bodyOf(answer);
      if (!isRead(action)) cloud.changes.push(action);
      if (fate === 'lose') return received.socket.destroy();
      response.writeHead(answer.statusCode ?? 500, {
        'content-type': answer.headers['content-type'] ?? 'text/xml',
      });
      return response.end(cloud.answer(action, text));
    })().catch(() => received.socket.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  cloud.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return cloud;
}

/** With the headers as they came, the host among them: they are signed. */
async function passOn(target: string, { headers }: IncomingMessage, body: string): Promise<IncomingMessage> {
  const passed = request(target, { method: 'POST', headers: { ...headers, connection: 'close' } });
  passed.end(body);
  const [answer] = (await once(passed, 'response')) as [IncomingMessage];
  return answer;
}

async function bodyOf(message: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

function errorOf(action: string, code: string, message: string): string {
  const error = `<Code>${code}</Code><Message>${message}</Message>`;
  return /Vpc|Subnet|Route|Instance|Volume|Snapshot|Tags|SecurityGroup|Image/.test(action)
    ? `<Response><Errors><Error>${error}</Error></Errors><RequestID>1</RequestID></Response>`
    : `<ErrorResponse><Error><Type>Sender</Type>${error}</Error><RequestId>1</RequestId></ErrorResponse>`;
}
