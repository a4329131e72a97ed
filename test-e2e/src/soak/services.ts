import { setTimeout as delay } from 'node:timers/promises';
import { metricsOf, type Stack } from '@sluice/testing';

/** The addresses of all services of a stack, by name. */
function addressesOf({ base_url, audit_url, supervisors, portBase }: Stack): Map<string, string> {
  return new Map([
    ['main-api', base_url],
    ['audit', audit_url],
    ...supervisors.map(({ cloud, url }): [string, string] => [`supervisor-${cloud}`, url]),
    ['notifier', `http://127.0.0.1:${portBase + 4}`],
  ]);
}

/** for how long all have to be ready until a fault counts as over */
const calmMilliseconds = 2_000;

/** Waits until all services are ready, and stay so for a while. @returns whether they were within `seconds` */
export async function untilReady(stack: Stack, seconds: number): Promise<boolean> {
  const deadline = performance.now() + seconds * 1_000;
  let readySince = Infinity;
  while (performance.now() < deadline) {
    const ready = await Promise.all([...addressesOf(stack).values()].map(isReady));
    if (!ready.every(Boolean)) readySince = Infinity;
    else if (readySince === Infinity) readySince = performance.now();
    if (performance.now() - readySince >= calmMilliseconds) return true;
    await delay(200);
  }
  return false;
}

async function isReady(url: string): Promise<boolean> {
  try {
    const response = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(3_000) });
    await response.arrayBuffer();
    return response.ok;
  } catch {
    return false;
  }
}

/** How much memory a service had, at a time. */
export interface MemorySample {
  at: number;
  service: string;
  /** of the process: another one after a kill */
  startedAt: number;
  bytes: number;
}

/** Looks how much memory the services have; those that do not answer are left out. */
export async function lookAtMemory(stack: Stack): Promise<MemorySample[]> {
  const samples = await Promise.all(
    [...addressesOf(stack)].map(async ([service, url]): Promise<MemorySample[]> => {
      const text = await metricsOf(url).catch(() => '');
      const value = (name: string) => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1] ?? NaN);
      const [bytes, startedAt] = [
        value('process_resident_memory_bytes'),
        value('process_start_time_seconds'),
      ];
      return Number.isFinite(bytes) ? [{ at: Date.now(), service, startedAt, bytes }] : [];
    }),
  );
  return samples.flat();
}
