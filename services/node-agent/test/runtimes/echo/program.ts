import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { z } from 'zod';
import { configurationSchema } from './files.ts';

/**
 * A "broker" that sends back what it gets, with a prefix. It reads its configuration again on SIGHUP and tells its port
 * and the configuration that it has taken up in a file.
 */

const [configurationFile = ''] = process.argv.slice(2);
const read = (): z.infer<typeof configurationSchema> =>
  configurationSchema.parse(JSON.parse(readFileSync(configurationFile, 'utf8')));

let configuration = read();
if (configuration.fatal !== null) {
  console.error(`echo ${process.pid} fatal: ${configuration.fatal}`);
  process.exit(3);
}

const server = createServer((socket) => {
  socket.on('error', () => undefined);
  socket.on('data', (bytes) => socket.write(`${configuration.prefix}${bytes.toString()}`));
});

function tell(): void {
  const { port } = server.address() as AddressInfo;
  const unfinished = `${configuration.statusFile}.new`;
  writeFileSync(unfinished, JSON.stringify({ pid: process.pid, port, prefix: configuration.prefix }));
  renameSync(unfinished, configuration.statusFile);
}

process.on('SIGHUP', () => {
  configuration = read();
  tell();
});
process.on('SIGTERM', () => process.exit(0));
server.listen(0, '127.0.0.1', tell);
