import { readdirSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';

/** microseconds of CPU time that one tick of Linux's clock stands for */
const tick = 10_000;

/** The CPU time that a process and, with `children`, those it has started have had, in microseconds; NaN where there is no /proc. */
export function cpuOf(pid: number, { children = false } = {}): number {
  try {
    const own = statusOf(pid);
    if (!children) return own.cpu;
    const all = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
    const theirs = all.map((name) => statusOrNothing(Number(name)));
    const living = theirs.filter((status) => status?.parent === pid);
    // those that have ended are counted in the parent
    return living.reduce((sum, status) => sum + (status?.cpu ?? 0), own.cpu + own.endedChildren);
  } catch {
    return NaN;
  }
}

function statusOf(pid: number) {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // the name before may have any characters
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const at = (field: number) => Number(fields[field - 3]);
  return { parent: at(4), cpu: (at(14) + at(15)) * tick, endedChildren: (at(16) + at(17)) * tick };
}

function statusOrNothing(pid: number) {
  try {
    return statusOf(pid);
  } catch {
    return undefined;
  }
}

/** What of a process is in memory, in bytes; NaN where it has none. */
export async function memoryOf(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? NaN) * 1_024;
}
