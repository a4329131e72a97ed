import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export interface Received {
  method: string;
  url: string;
  headers: IncomingMessage['headers'];
  body: string;
}

/** Answers the request with this number, from 0. */
export type Script = (answer: ServerResponse, request: Received, number: number) => void;

/** A server whose answers a test writes, for the faults that a real one has too rarely. */
export async function faultyServer(script: Script) {
  const requests: Received[] = [];
  const server = createServer((request, answer) => {
    void text(request).then((body) => {
      const { method = '', url = '', headers } = request;
      const received = { method, url, headers, body };
      requests.push(received);
      script(answer, received, requests.length - 1);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export function answerJson(
  answer: ServerResponse,
  status: number,
  body: object,
  headers: Record<string, string> = {},
): void {
  const type = status >= 400 ? 'application/problem+json' : 'application/json';
  answer.writeHead(status, { 'content-type': type, 'svc-request': 'a'.repeat(32), ...headers });
  answer.end(JSON.stringify(body));
}

/** A problem document, as the APIs answer it. */
export function answerProblem(
  answer: ServerResponse,
  status: number,
  code: string,
  headers: Record<string, string> = {},
  more: object = {},
): void {
  const retryable = [408, 425, 429, 500, 502, 503, 504].includes(status);
  const problem = {
    type: 'about:blank',
    title: code,
    status,
    code,
    detail: `It is ${code}.`,
    instance: 'a'.repeat(32),
    retryable,
  };
  answerJson(answer, status, { ...problem, ...more }, headers);
}
