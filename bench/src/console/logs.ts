import { setTimeout as delay } from 'node:timers/promises';
import type { Page } from 'playwright-core';

type Query = <Row extends object>(statement: string, values?: unknown[]) => Promise<Row[]>;

const linesPerSecond = 200;
const sampleSeconds = 10;

/** Lines as an agent has them stored. Parameters: the deployment, how many. */
const insertLines = `
  INSERT INTO telemetry_lines (deployment_id, at, node_id, runtime, instance_id, level, message)
  SELECT $1, now(), (SELECT min(id) FROM nodes WHERE deployment_id = $1), 'broker', 0, 'info',
         'connection ' || n || ' of a client has been accepted and ' || md5(random()::text) || ' was subscribed'
  FROM generate_series(1, $2::int) n`;

/**
 * The memory of a page that follows logs of 200 lines a second.
 * @param page that shows the logs of the deployment
 * @returns MiB in use after each ten seconds, after a collection of what is not
 */
export async function followLogs(
  page: Page,
  query: Query,
  { deploymentId, seconds }: { deploymentId: number; seconds: number },
): Promise<number[]> {
  const session = await page.context().newCDPSession(page);
  await session.send('HeapProfiler.enable');
  const used = async () => {
    await session.send('HeapProfiler.collectGarbage');
    return (await session.send('Runtime.getHeapUsage')).usedSize / 2 ** 20;
  };
  const samples: number[] = [];
  const begun = performance.now();
  for (let second = 1; second <= seconds; second++) {
    await query(insertLines, [deploymentId, linesPerSecond]);
    if (second % sampleSeconds === 0) samples.push(await used());
    await delay(Math.max(0, second * 1_000 - (performance.now() - begun)));
  }
  return samples;
}
