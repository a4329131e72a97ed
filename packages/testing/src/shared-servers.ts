import { constants } from 'node:os';
import type { TestServers } from './test-servers.ts';

/** What jest's globalSetup started, for its globalTeardown, and for a run that is interrupted before that. */

let shared: TestServers | undefined;

export function keepForTeardown(servers: TestServers): void {
  shared = servers;
  process.once('exit', () => shared?.abandon());
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      void stopShared().finally(() => process.exit(128 + constants.signals[signal]));
    });
  }
}

export async function stopShared(): Promise<void> {
  const servers = shared;
  shared = undefined;
  await servers?.stop();
}
