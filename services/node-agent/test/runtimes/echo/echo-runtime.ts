import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { readConfig, readIfPresent } from '@sluice/system';
import { z } from 'zod';
import { ConfigurationRefused } from '../../../src/runtimes/runtime.ts';
import type { BrokerRuntime, RuntimeContext, ServingBroker } from '../../../src/runtimes/runtime.ts';
import { configurationSchema, statusSchema } from './files.ts';

const echoEnvironment = z.object({ ECHO_VERSION: z.string().default('1.0.0') });

const nothing = {
  streams: 0,
  topics: 0,
  partitions: 0,
  segments: 0,
  messages: 0,
  consumer_groups: 0,
  clients: 0,
};

/** A runtime beside nats, as another product's would be: it knows the program of this folder and nothing else. */
export function createEchoRuntime({ home, environment }: RuntimeContext): BrokerRuntime {
  const { ECHO_VERSION } = readConfig(echoEnvironment, environment);
  const statusFile = join(home, 'echo-status.json');
  const status = async (pid: number, signal: AbortSignal, prefix?: string) => {
    for (;;) {
      const text = await readIfPresent(statusFile);
      const found = text === null ? null : statusSchema.parse(JSON.parse(text));
      if (found?.pid === pid && (prefix ?? found.prefix) === found.prefix) return found;
      await sleep(5, undefined, { signal });
    }
  };
  return {
    protocols: ['broker_tcp', 'broker_http'],
    configure: ({ values }) => {
      const { BROKER_ECHO_PREFIX: prefix = '', BROKER_ECHO_FATAL: fatal = null, ...others } = values;
      if (prefix.length > 10) throw new ConfigurationRefused('BROKER_ECHO_PREFIX has to be short');
      const configuration: z.infer<typeof configurationSchema> = { prefix, statusFile, fatal };
      return {
        text: JSON.stringify(configuration),
        restartKey: '',
        capacity: { connections: null, memory_store: null, file_store: null },
        unknownKeys: Object.keys(others),
      };
    },
    check: () => Promise.resolve(),
    program: process.execPath,
    arguments: (configurationFile) => [join(import.meta.dirname, 'program.ts'), configurationFile],
    prepare: () => rm(statusFile, { force: true }),
    ready: async (pid, signal): Promise<ServingBroker> => {
      const { port } = await status(pid, signal);
      return {
        version: ECHO_VERSION,
        ports: { broker_tcp: port, broker_http: port },
        probe: () => echo(port, 'ping').then((answer) => answer.endsWith('ping')),
        reload: async () => {
          const text = await readIfPresent(join(home, 'broker.conf'));
          const { prefix } = configurationSchema.parse(JSON.parse(text ?? ''));
          process.kill(pid, 'SIGHUP');
          await status(pid, AbortSignal.timeout(2_000), prefix);
          return true;
        },
        statistics: async () => nothing,
      };
    },
    exitReason: (pid, lines) => lines.findLast((line) => line.startsWith(`echo ${pid} fatal: `)),
  };
}

/** What the echo server at this port answers to `text`; empty when it does not. */
export async function echo(port: number, text: string): Promise<string> {
  const socket = connect({ port, host: '127.0.0.1' });
  try {
    socket.write(text);
    const [answer] = (await once(socket, 'data', { signal: AbortSignal.timeout(1_000) })) as [Buffer];
    return answer.toString();
  } catch {
    return '';
  } finally {
    socket.on('error', () => undefined).destroy();
  }
}
