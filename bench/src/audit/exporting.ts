import { readFileSync } from 'node:fs';
import { largest } from './filling.ts';
import type { Installation } from './installation.ts';
import { knownToken } from './listing.ts';

export interface Exported {
  /** entries a second */
  rate: number;
  /** by which the resident memory of the service grew at most */
  mebibytes: number;
}

/** The whole log of the largest tenant, from a process of the service that does nothing else. */
export async function exporting(on: Installation): Promise<Exported> {
  const service = await on.start();
  const token = await knownToken(on, service.url);
  const before = memoryOf(service.process.pid ?? 0).now;
  const begun = performance.now();
  const answer = await fetch(`${service.url}/audit/tenants/${largest}/export`, {
    headers: { 'svc-api-key': token },
  });
  if (answer.status !== 200 || !answer.body) throw new Error(`an export was answered with ${answer.status}`);
  let lines = 0;
  for await (const piece of answer.body) for (const byte of piece as Uint8Array) if (byte === 10) lines++;
  const rate = lines / ((performance.now() - begun) / 1_000);
  const mebibytes = memoryOf(service.process.pid ?? 0).most - before;
  await service.stop();
  return { rate, mebibytes };
}

/** Resident memory of a process, now and at most, in MiB; NaN where there is no /proc. */
function memoryOf(pid: number): { now: number; most: number } {
  const text = statusText(pid);
  const of = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(text)?.[1]) / 1_024;
  return { now: of('VmRSS'), most: of('VmHWM') };
}

function statusText(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/status`, 'utf8');
  } catch {
    return '';
  }
}
