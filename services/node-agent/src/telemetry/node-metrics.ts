import { readFile, statfs } from 'node:fs/promises';
import { cpus, freemem, loadavg, totalmem } from 'node:os';

export type Metrics = Record<string, number>;

const percent = (part: number, whole: number) => (whole > 0 ? Math.min(100, (100 * part) / whole) : 0);

export function nodeMetrics(folder: string): () => Promise<Metrics> {
  let former = processorTimes();
  return async () => {
    const now = processorTimes();
    const [busy, all] = [now.busy - former.busy, now.all - former.all];
    former = now;
    const memory = totalmem() - freemem();
    return {
      cpu_percent: percent(busy, all),
      load_average: loadavg()[0] ?? 0,
      memory_bytes: memory,
      memory_percent: percent(memory, totalmem()),
      ...(await diskMetrics(folder)),
      ...(await networkMetrics()),
    };
  };
}

function processorTimes(): { busy: number; all: number } {
  const times = cpus().map((processor) => processor.times);
  const all = times.reduce((sum, { user, nice, sys, idle, irq }) => sum + user + nice + sys + idle + irq, 0);
  return { all, busy: all - times.reduce((sum, { idle }) => sum + idle, 0) };
}

async function diskMetrics(folder: string): Promise<Metrics> {
  const { blocks, bfree, bavail, bsize } = await statfs(folder);
  // as `df` tells it: what is kept back for the system counts neither as used nor as free
  const used = blocks - bfree;
  return {
    disk_bytes: used * bsize,
    disk_free_bytes: bavail * bsize,
    disk_percent: percent(used, used + bavail),
  };
}

async function networkMetrics(): Promise<Metrics> {
  const table = await readFile('/proc/net/dev', 'utf8').catch(() => '');
  const counters = table.split('\n').flatMap((line) => {
    const [, name, numbers = ''] = /^\s*([^:\s]+):(.*)$/.exec(line) ?? [];
    return name === undefined || name === 'lo' ? [] : [numbers.trim().split(/\s+/).map(Number)];
  });
  if (counters.length === 0) return {};
  const total = (column: number) => counters.reduce((sum, row) => sum + (row[column] ?? 0), 0);
  return { network_received_bytes_total: total(0), network_sent_bytes_total: total(8) };
}

export function agentMetrics(): () => Metrics {
  let former = { used: process.cpuUsage(), at: performance.now() };
  return () => {
    const now = { used: process.cpuUsage(), at: performance.now() };
    const used = now.used.user + now.used.system - former.used.user - former.used.system;
    const elapsed = (now.at - former.at) * 1_000;
    former = now;
    return {
      // of one processor, as brokers tell it, too
      cpu_percent: elapsed > 0 ? (100 * used) / elapsed : 0,
      memory_bytes: process.memoryUsage.rss(),
      uptime_seconds: process.uptime(),
    };
  };
}
