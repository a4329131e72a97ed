import { mkdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { writePrivateFile } from '@sluice/system';
import { z } from 'zod';

/** The files of a node on this machine. The folder belongs to the node's agent; the driver shares these with it. */
export function nodeFiles(folder: string) {
  return {
    token: join(folder, 'enrolment-token'),
    agentPid: join(folder, 'agent.pid'),
    agentLog: join(folder, 'agent.log'),
    /** an argument of the gateways' processes */
    gateways: join(folder, 'gateway'),
    /** an argument of the broker's process */
    brokerConfiguration: join(folder, 'broker.conf'),
  };
}

export async function folderExists(folder: string): Promise<boolean> {
  return await stat(folder).then(
    () => true,
    () => false,
  );
}

/** Creates the folder of a node, for the owner's eyes only. */
export async function makeFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
}

export async function removeFolder(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
}

/** The one-time token that waits for the agent, or undefined. */
export async function readToken(folder: string): Promise<string | undefined> {
  return await readFile(nodeFiles(folder).token, 'utf8').catch(() => undefined);
}

export async function writeToken(folder: string, token: string): Promise<void> {
  await writePrivateFile(nodeFiles(folder).token, token);
}

const pidFileSchema = z.object({ pid: z.int().positive() });

/** The pid that the agent has written down; undefined when there is none, or it is half written. */
export async function readAgentPid(folder: string): Promise<number | undefined> {
  try {
    return pidFileSchema.parse(JSON.parse(await readFile(nodeFiles(folder).agentPid, 'utf8'))).pid;
  } catch {
    return undefined;
  }
}
