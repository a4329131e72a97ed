import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { testFolder } from '@sluice/testing';

const program = join(import.meta.dirname, '../src/main.ts');

interface Options {
  env?: NodeJS.ProcessEnv;
  /** Whether it has written enough: it gets Ctrl-C then. */
  isEnough?: (stdout: string) => boolean;
}

/**
 * Runs the program as a process, against a server of the test.
 * @param args in which `URL` stands for the address of the server
 */
export async function against(
  listener: RequestListener,
  args: readonly string[],
  { env = {}, isEnough = () => false }: Options = {},
) {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const given = args.map((one) => (one === 'URL' ? url : one));
  const begun = performance.now();
  const child = spawn(process.execPath, [program, ...given], {
    env: {
      SLUICE_CONFIG_DIR: await testFolder(),
      SLUICE_URL: url,
      SLUICE_API_KEY: 'svc_secret',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [stdout, stderr] = ['', ''];
  child.stderr.on('data', (piece: Buffer) => (stderr += piece.toString()));
  child.stdout.on('data', (piece: Buffer) => {
    stdout += piece.toString();
    if (isEnough(stdout)) child.kill('SIGINT');
  });
  const [code] = (await once(child, 'close')) as [number];
  server.closeAllConnections();
  server.close();
  return { code, stdout, stderr, milliseconds: performance.now() - begun };
}
