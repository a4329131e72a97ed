import { once } from 'node:events';
import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { createAuthority, issueCertificate } from '@sluice/system/authority';

export interface Received {
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
}

/** A server that takes entries, by HTTPS with an authority of its own. */
export class SinkServer {
  readonly received: Received[] = [];
  /** 200 with nothing in it by default */
  answer: (response: ServerResponse, request: Received) => unknown = (response) => response.end();
  #server: Server | undefined;
  #authority = '';

  constructor() {
    beforeAll(async () => {
      const validity = { from: new Date(), days: 1 };
      const authority = await createAuthority('Sinks of tests', validity);
      const names = { dns: ['localhost'], addresses: ['127.0.0.1'] };
      const { certificate, private_key } = await issueCertificate(authority, names, validity);
      this.#authority = authority.certificate;
      this.#server = createServer({ cert: certificate, key: private_key }, (request, response) => {
        void text(request).then((body) => {
          const { url: path = '', headers } = request;
          const received = { path, headers, body };
          this.received.push(received);
          this.answer(response, received);
        });
      });
      this.#server.listen(0, '127.0.0.1');
      await once(this.#server, 'listening');
    });
    afterAll(() => {
      this.#server?.closeAllConnections();
      this.#server?.close();
    });
  }

  get url(): string {
    return `https://localhost:${(this.#server?.address() as AddressInfo).port}`;
  }
  /** what clients trust */
  get authority(): string {
    return this.#authority;
  }
  /** the names in the data of all entries that have come, in the order in which they came */
  get names(): string[] {
    return this.received.flatMap(({ body }) => namesIn(body));
  }
}

const namesIn = (lines: string): string[] =>
  lines
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => (JSON.parse(line) as { data?: { name?: string } }).data?.name ?? 'none');
