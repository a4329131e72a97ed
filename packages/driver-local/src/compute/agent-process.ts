import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { open } from 'node:fs/promises';
import { giveToUnprivileged, unprivileged } from '@sluice/system';
import { nodeFiles } from './node-folder.ts';

export async function spawnAgent(
  folder: string,
  entry: string,
  environment: Record<string, string>,
): Promise<ChildProcess> {
  const log = await open(nodeFiles(folder).agentLog, 'a', 0o600);
  try {
    // the agent takes its folder from the environment; among its arguments it tells whose process this is
    const [command, args] = unprivileged(process.execPath, [entry, folder], 'dac_read_search');
    await giveToUnprivileged(folder);
    const child = spawn(command, args, {
      cwd: folder,
      detached: true,
      // nothing of the supervisor's own environment: it holds secrets
      env: { ...inherited(), ...environment, AGENT_HOME: folder },
      stdio: ['ignore', log.fd, log.fd],
    });
    await once(child, 'spawn');
    // its end is noticed by itself; nothing else about it may end the supervisor
    child.on('error', () => undefined);
    child.unref();
    return child;
  } finally {
    await log.close();
  }
}

function inherited(): Record<string, string> {
  const names = ['PATH', 'HOME', 'TMPDIR', 'TZ', 'LANG'];
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = process.env[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

export function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}
