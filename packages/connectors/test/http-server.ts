import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export interface ReceivedRequest {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
}

export class RecordingServer {
  readonly received: ReceivedRequest[] = [];
  readonly #server: Server;
  answer: (request: ReceivedRequest, response: ServerResponse) => unknown = (_, response) => response.end();

  constructor() {
    this.#server = createServer((request, response) => {
      void text(request).then((body) => {
        const { method = '', url: path = '', headers } = request;
        const received = { method, path, headers, body };
        this.received.push(received);
        this.answer(received, response);
      });
    });
    beforeAll(async () => {
      this.#server.listen(0, '127.0.0.1');
      await once(this.#server, 'listening');
    });
    afterAll(() => {
      this.#server.closeAllConnections();
      this.#server.close();
    });
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }
  async connections(): Promise<number> {
    return await new Promise((resolve) => this.#server.getConnections((_, count) => resolve(count)));
  }
  answers(status: number, body = '', headers: Record<string, string> = {}): void {
    this.answer = (_, response) => response.writeHead(status, headers).end(body);
  }
}
