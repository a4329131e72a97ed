import { open, stat } from 'node:fs/promises';
import { readIfPresent, writePrivateFile } from '@sluice/system';
import type { BrokerConfiguration, ServingBroker } from '../runtimes/runtime.ts';
import {
  writeConfiguration,
  type BrokerFiles,
  type BrokerProcess,
  type NamedRuntime,
} from './broker-process.ts';

interface Reload {
  done: boolean;
  /** the reason why the broker refuses it, if it gives one; then its file is as it was */
  refused?: string;
}

const longestReason = 400;
/** bytes of the log that are read for a reason */
const mostRead = 64 * 1024;

export async function reloadOf(
  files: BrokerFiles,
  { pid }: Pick<BrokerProcess, 'pid'>,
  serving: ServingBroker,
  { runtime, configuration }: NamedRuntime & { configuration: BrokerConfiguration },
): Promise<Reload> {
  const former = await readIfPresent(files.configuration);
  const begin = await sizeOf(files.log);
  await writeConfiguration(files, configuration);
  if (await serving.reload().catch(() => false)) return { done: true };
  const reason = runtime.reloadReason?.(pid, await linesSince(files.log, begin));
  if (reason === undefined) return { done: false };
  if (former !== null) await writePrivateFile(files.configuration, former);
  return { done: false, refused: reason.slice(0, longestReason) };
}

async function sizeOf(file: string): Promise<number> {
  return await stat(file).then(
    ({ size }) => size,
    () => 0,
  );
}

async function linesSince(file: string, begin: number): Promise<string[]> {
  const log = await open(file).catch(() => null);
  if (log === null) return [];
  try {
    const size = await sizeOf(file);
    // the log may have been cut meanwhile
    const from = Math.max(size < begin ? 0 : begin, size - mostRead);
    const { bytesRead, buffer } = await log.read(Buffer.alloc(mostRead), 0, mostRead, from);
    return buffer.toString('utf8', 0, bytesRead).split('\n');
  } finally {
    await log.close();
  }
}
