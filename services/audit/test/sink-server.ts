import type { ServerResponse } from 'node:http';
import { httpsReceiver, type HttpsReceiver, type ReceivedRequest } from '@sluice/testing';

/** A server that takes entries, by HTTPS with an authority of its own. */
export class SinkServer {
  /** 200 with nothing in it by default */
  answer: (response: ServerResponse, request: ReceivedRequest) => unknown = (response) => response.end();
  #receiver: HttpsReceiver | undefined;

  constructor() {
    beforeAll(async () => {
      this.#receiver = await httpsReceiver();
      this.#receiver.answer = (request, response) => {
        this.answer(response, request);
        return 'hang';
      };
    });
    afterAll(() => this.#receiver?.stop());
  }

  get received(): ReceivedRequest[] {
    return this.#receiver?.received ?? [];
  }
  get url(): string {
    return this.#receiver?.url ?? '';
  }
  /** what clients trust */
  get authority(): string {
    return this.#receiver?.authority ?? '';
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
