import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What feeds are compared with: open answers of `node:http`, to each of which POST writes an event. Prints its port. */
const open = new Set<ServerResponse>();
const server = createServer((request, response) => {
  if (request.method === 'POST') {
    for (const reader of open) reader.write('event: change\ndata: {"kind":"division"}\nid: 1\n\n');
    return void response.writeHead(204).end();
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
  open.add(response);
  response.once('close', () => open.delete(response));
});
server.listen(0, '127.0.0.1', () => process.stdout.write(`${(server.address() as AddressInfo).port}\n`));
