import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { createServer, request, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { haproxyProgram } from '@sluice/embedded';
import { eventually, freePort, testFolder } from '@sluice/testing';
import { repository } from '../settings.ts';

const undo: (() => unknown)[] = [];
afterAll(async () => {
  for (const step of undo.reverse()) await step();
});

/** The status and body that a path of a host is answered with. */
async function ask(port: number, path: string, host: string): Promise<[number | undefined, string]> {
  const asked = request({ port, path, headers: { host } }).end();
  const [answer] = (await once(asked, 'response')) as [IncomingMessage];
  return [answer.statusCode, await text(answer)];
}

test('what is for the operator is not found at the front door, nor are mails; the rest passes', async () => {
  const haproxy = await haproxyProgram();
  if (haproxy === undefined) return console.warn('The front door is not looked at: there is no HAProxy.');
  const service = createServer((_request, response) => response.end('from the service'));
  await once(service.listen(0, '127.0.0.1'), 'listening');
  undo.push(() => service.close());
  const [port, health] = [await freePort(), await freePort()];
  const file = await readFile(join(repository, 'infra/front-door/haproxy.cfg'), 'utf8');
  const behind = `127.0.0.1:${(service.address() as AddressInfo).port}`;
  const configuration = file
    .replace('bind :8080', `bind 127.0.0.1:${port}`)
    .replace('127.0.0.1:8081', `127.0.0.1:${health}`)
    .replaceAll(/(main-api|audit|console|mail|supervisor-cloud_[ab]):8080/g, behind);
  const changed = join(await testFolder(), 'haproxy.cfg');
  await writeFile(changed, configuration);
  const environment = { ...process.env, SLUICE_DOMAIN: 'example.test' };
  const door = spawn(haproxy, ['-db', '-f', changed], { env: environment, stdio: 'ignore' });
  undo.push(async () => {
    door.kill('SIGKILL');
    await once(door, 'exit');
  });

  const passed = [200, 'from the service'];
  const hosts = ['api', 'audit', 'console', 'us-east-1.cloud-a.supervisor', 'us-central1.cloud-b.supervisor'];
  await eventually(async () => expect(await ask(port, '/', 'api.example.test')).toEqual(passed));
  for (const host of hosts.map((part) => `${part}.example.test`)) {
    for (const path of ['/healthz', '/openapi.json', '/docs/', '/deployments/1/metrics', '/tenants/1'])
      expect([path, ...(await ask(port, path, host))]).toEqual([path, ...passed]);
    for (const path of [
      '/metrics',
      '/readyz',
      '/METRICS',
      '/metrics/',
      '//readyz',
      '/%6detrics',
      '/readyz?a',
    ])
      expect([path, (await ask(port, path, host))[0]]).toEqual([path, 404]);
  }
  for (const host of ['mail.example.test', 'example.test', 'anything'])
    expect((await ask(port, '/', host))[0]).toBe(404);
});
