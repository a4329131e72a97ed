import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import type { GatewayRule, Protocol } from '@sluice/contracts';
import { z } from 'zod';
import type { Log } from '../log.ts';
import { isErrorCode, readIfPresent, writePrivately } from '../machine/files.ts';
import { createAdmission } from './admission.ts';
import { breakBoth, splice } from './splice.ts';

/** Rules are looked at again at least this often, in case the clock was set meanwhile. Milliseconds. */
const reviewInterval = 60_000;

const portsSchema = z.record(z.string(), z.int().min(1).max(65535));

export type Ports = Partial<Record<Protocol, number>>;

export interface Gateway {
  /** Begins to listen, on the same ports as the last time if they are free. Until `enforce` nobody is let in. */
  open(): Promise<Ports>;
  /** From now on these rules hold. Connections that none of them lets in any more are cut before this returns. */
  enforce(rules: readonly GatewayRule[]): void;
  /** Stops listening and cuts every connection. */
  close(): Promise<void>;
}

interface Passage {
  protocol: Protocol;
  address: string | undefined;
  client: Socket;
  broker: Socket;
}

/**
 * The only entrance to the broker, which itself listens on loopback: a TCP listener per protocol that passes the
 * connections on that a rule lets in and resets all others.
 * @param options.portsFile where the ports are kept
 * @param options.brokerPort the broker's own port on 127.0.0.1, null while it does not run
 */
export function createGateway(options: {
  host: string;
  portsFile: string;
  protocols: readonly Protocol[];
  brokerPort: (protocol: Protocol) => number | null;
  log: Log;
}): Gateway {
  const { host, portsFile, protocols, brokerPort, log } = options;
  const passages = new Set<Passage>();
  const servers: Server[] = [];
  let admission = createAdmission([]);
  let nextReview: NodeJS.Timeout | undefined;

  function receive(protocol: Protocol, client: Socket): void {
    const address = client.remoteAddress;
    const port = brokerPort(protocol);
    if (port === null || !admission.admits(protocol, address, Date.now())) {
      log.debug('connection refused', { protocol, address });
      client.on('error', () => undefined);
      client.resetAndDestroy();
      return;
    }
    const broker = connect({ host: '127.0.0.1', port, allowHalfOpen: true });
    const passage = { protocol, address, client, broker };
    passages.add(passage);
    const leave = () => {
      if (client.closed && broker.closed) passages.delete(passage);
    };
    client.once('close', leave);
    broker.once('close', leave);
    client.setKeepAlive(true, 60_000);
    splice(client, broker);
  }

  function review(): void {
    clearTimeout(nextReview);
    const now = Date.now();
    for (const { protocol, address, client, broker } of passages) {
      if (!admission.admits(protocol, address, now)) breakBoth(client, broker);
    }
    const end = admission.nextEnd(now);
    if (end !== null) nextReview = setTimeout(review, Math.min(end - now, reviewInterval));
  }

  async function listen(protocol: Protocol, port: number): Promise<number> {
    const server = createServer({ allowHalfOpen: true, pauseOnConnect: true }, (client) => receive(protocol, client));
    try {
      await once(server.listen(port, host), 'listening');
    } catch (error) {
      const taken = isErrorCode(error, 'EADDRINUSE') || isErrorCode(error, 'EACCES');
      if (port === 0 || !taken) throw error;
      log.warn('the port is taken, using another', { protocol, port });
      return await listen(protocol, 0);
    }
    servers.push(server);
    const bound = server.address();
    if (bound === null || typeof bound === 'string') throw new Error('the listener has no port');
    return bound.port;
  }

  return {
    open: async () => {
      const kept = readPorts(await readIfPresent(portsFile));
      const opened = protocols.map(async (name) => [name, await listen(name, kept[name] ?? 0)] as const);
      const ports: Ports = Object.fromEntries(await Promise.all(opened));
      if (protocols.some((name) => ports[name] !== kept[name])) {
        await writePrivately(portsFile, JSON.stringify(ports));
      }
      return ports;
    },
    enforce: (rules) => {
      admission = createAdmission(rules);
      for (const block of admission.unreadable) log.error('an access rule has a block that is not a CIDR', { block });
      review();
    },
    close: async () => {
      clearTimeout(nextReview);
      const closed = servers.map((server) => once(server, 'close'));
      for (const server of servers) server.close();
      for (const { client, broker } of passages) breakBoth(client, broker);
      await Promise.all(closed);
    },
  };
}

function readPorts(text: string | null): Ports {
  if (text === null) return {};
  try {
    return portsSchema.parse(JSON.parse(text));
  } catch {
    return {};
  }
}
