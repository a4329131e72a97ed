import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** numbers that one answer has at most */
const mostAtOnce = 500;

export interface Numbers {
  /** answers those behind `after` as an array of objects with their `id` */
  url: string;
  /** Makes no more. @returns how many there are: 1, 2, … */
  stop(): number;
  close(): void;
}

/** A server that has a new number every so often, for a source to read. */
export async function serveNumbers(everyMilliseconds: number): Promise<Numbers> {
  const began = Date.now();
  let stopped: number | undefined;
  const made = () => Math.floor(((stopped ?? Date.now()) - began) / everyMilliseconds);
  const server = createServer((request, response) => {
    const { searchParams } = new URL(request.url ?? '/', 'http://numbers');
    const after = Number(searchParams.get('after') ?? 0);
    const length = Math.max(0, Math.min(made() - after, mostAtOnce));
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(Array.from({ length }, (_, index) => ({ id: after + index + 1 }))));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    stop() {
      stopped ??= Date.now();
      return made();
    },
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
