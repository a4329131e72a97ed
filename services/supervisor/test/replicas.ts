import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { createLog, readConfig } from '@sluice/service-kit';
import { eventually, freePort } from '@sluice/testing';
import { startSupervisor, type ReconcilerParts } from '../src/app.ts';
import { supervisorEnvironment } from '../src/config.ts';
import { call } from './client.ts';

export interface Replica {
  url: string;
  stop(): Promise<void>;
}

/** A supervisor in a process of its own. */
export interface ReplicaProcess extends Replica {
  /** Ends it as a power cut would. */
  kill(): Promise<void>;
}

const main = fileURLToPath(new URL('../src/main.ts', import.meta.url));

/** Starts supervisors with the same environment, and keeps account of those that run. */
export function startReplicas(environment: Record<string, string>) {
  const running = new Set<Replica>();
  const variables = (port: number) => ({
    ...environment,
    PORT: String(port),
    PUBLIC_URL: `http://127.0.0.1:${port}`,
  });

  return {
    /** Starts a replica in this process; `parts` take the place of the reconciler's own. */
    async start(more: Record<string, string> = {}, parts: Partial<ReconcilerParts> = {}): Promise<Replica> {
      const port = await freePort();
      const config = readConfig(supervisorEnvironment, { ...variables(port), ...more });
      const service = await startSupervisor(config, createLog('supervisor', config.LOG_LEVEL), parts);
      const replica: Replica = {
        url: `http://127.0.0.1:${port}`,
        stop: async () => {
          if (running.delete(replica)) await service.stop();
        },
      };
      running.add(replica);
      return replica;
    },

    /** Starts a replica in a process of its own, on a port that is free. */
    async spawn(port: number): Promise<ReplicaProcess> {
      const url = `http://127.0.0.1:${port}`;
      const child = spawn(process.execPath, [main], {
        env: { PATH: process.env.PATH, ...variables(port) },
        stdio: 'ignore',
      });
      const ended = once(child, 'exit');
      const end = (signal: NodeJS.Signals) => async () => {
        if (!running.delete(replica)) return;
        child.kill(signal);
        await ended;
      };
      const replica: ReplicaProcess = { url, stop: end('SIGTERM'), kill: end('SIGKILL') };
      running.add(replica);
      await eventually(async () => expect((await call(`${url}/healthz`, undefined)).status).toBe(200));
      return replica;
    },

    stopAll: async () => void (await Promise.all([...running].map((replica) => replica.stop()))),
  };
}
