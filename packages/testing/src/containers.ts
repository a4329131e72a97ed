import { randomBytes } from 'node:crypto';
import { request } from 'node:http';
import { natsRelease } from '@sluice/system/nats-server';
import type { Servers } from './servers.ts';

const defaultSocket = '/var/run/docker.sock';
const patienceMs = 1_000;
const startTimeoutMs = 120_000;
const natsMinor = natsRelease.replace(/\.\d+$/, '');
const password = randomBytes(12).toString('hex');

/** Whether a Docker daemon answers, at `DOCKER_HOST` or at its usual socket. Takes a second at most. */
export async function dockerAnswers(): Promise<boolean> {
  const address = URL.parse(process.env.DOCKER_HOST ?? `unix://${defaultSocket}`);
  if (address === null) return false;
  const where =
    address.protocol === 'unix:'
      ? { socketPath: address.pathname }
      : { host: address.hostname, port: Number(address.port) };
  return await new Promise((answer) => {
    const ping = request({ ...where, path: '/_ping', timeout: patienceMs }, (response) => {
      response.resume();
      answer(response.statusCode === 200);
    });
    ping.on('timeout', () => ping.destroy(new Error('Docker is silent')));
    ping.on('error', () => answer(false));
    ping.end();
  });
}

/** PostgreSQL and NATS in containers; undefined, with a word on the console, where they cannot be started. */
export async function startContainers(): Promise<Servers | undefined> {
  const { GenericContainer, Wait } = await import('testcontainers');
  const starting = Promise.allSettled([
    new GenericContainer('postgres:17')
      .withEnvironment({ POSTGRES_PASSWORD: password })
      .withCommand(['postgres', '-c', 'fsync=off', '-c', 'max_connections=400'])
      .withExposedPorts(5432)
      // Not by a command in the container: there PostgreSQL is the first process, which inherits those whose parent was too slow and
      // was killed, and takes their end for the crash of a process of its own. The first time it is ready only to be set up.
      .withWaitStrategy(Wait.forLogMessage('database system is ready to accept connections', 2))
      .withStartupTimeout(startTimeoutMs)
      .start(),
    new GenericContainer(`nats:${natsMinor}`)
      .withCommand(['-js'])
      .withExposedPorts(4222)
      .withWaitStrategy(Wait.forLogMessage('Server is ready'))
      .withStartupTimeout(startTimeoutMs)
      .start(),
  ]);
  const [postgres, nats] = await starting;
  if (postgres.status === 'fulfilled' && nats.status === 'fulfilled') {
    return {
      postgresUrl: `postgresql://postgres:${password}@${postgres.value.getHost()}:${postgres.value.getMappedPort(5432)}/postgres`,
      natsUrl: `nats://${nats.value.getHost()}:${nats.value.getMappedPort(4222)}`,
      stop: async () => {
        await Promise.all([postgres.value.stop(), nats.value.stop()]);
      },
      // Testcontainers' own reaper removes them
      abandon: () => {},
    };
  }
  for (const outcome of [postgres, nats]) {
    if (outcome.status === 'fulfilled') await outcome.value.stop();
    else console.warn(`No test server from Docker, so an embedded one is used: ${String(outcome.reason)}`);
  }
  return undefined;
}
