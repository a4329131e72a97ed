import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { ControlServer, socketPath, tellStarter } from '@sluice/system/control';
import type { RuntimeRequest, RuntimeStatus } from './protocol.ts';
import { ConnectorsRuntime } from './runtime.ts';

/** intervals of counts, and of status changes at least; milliseconds */
const statusEvery = 5_000;
const statusAfter = 50;

/**
 * Runs this process as the connectors runtime of a node: `main.ts <folder> <build>`. It goes on by the last state from the agent, also while
 * there is none. SIGTERM ends it, once what is under way has ended.
 */
export async function runConnectors(): Promise<void> {
  process.umask(0o077);
  const [folder = '', build = ''] = process.argv.slice(2);
  const path = socketPath(folder, process.pid);
  let due: NodeJS.Timeout | null = null;
  const reportSoon = () => {
    due ??= setTimeout(() => {
      due = null;
      control.tellStatus();
    }, statusAfter);
  };
  const runtime: ConnectorsRuntime = new ConnectorsRuntime({
    folder: join(folder, 'instances'),
    build,
    log: (level, message, fields = {}) => control.log(level, message, fields),
    onChange: reportSoon,
  });
  const control = new ControlServer<RuntimeRequest, RuntimeStatus>({
    path,
    status: () => runtime.status,
    carryOut: async ({ apply }) => runtime.apply(apply),
    onGone: () => undefined,
  });
  // one instance's mistake in a callback must not end the others
  const survive = (error: unknown) => {
    console.error(error);
    control.log('error', 'an error of a connector was not caught', { reason: String(error) });
  };
  process.on('uncaughtException', survive).on('unhandledRejection', survive);
  const end = async () => {
    await runtime.end();
    rmSync(path, { force: true });
    process.exit(0);
  };
  for (const name of ['SIGTERM', 'SIGINT'] as const) process.once(name, () => void end());
  setInterval(() => control.tellStatus(), statusEvery);
  await control.open();
  tellStarter('ready');
}
