import { setTimeout as sleep } from 'node:timers/promises';
import type { ClusterState } from '../runtime.ts';
import { streamsIn, type Group, type Jsz } from './monitoring.ts';

/** Reads until each copy was seen up to date once, and the pause between: under load each is behind for moments. */
const looks = 5;
const betweenLooks = 100;
const mostBehind = 20;

interface Asked {
  jsz: () => Promise<Jsz>;
  isWell: () => Promise<boolean>;
}

/**
 * How the server is as one of a cluster. What a leader knows of the copies of others is the truth; the server's own word that it is well
 * comes before its copies are up to date.
 * @param name its own in the cluster
 * @param others the names of the others that there are to be
 */
export async function readClusterState(
  { jsz, isWell }: Asked,
  name: string,
  others: readonly string[],
): Promise<ClusterState> {
  let found = await jsz();
  let behind = copiesBehind(found, name, others);
  for (let look = 1; look < looks && behind.size > 0; look++) {
    await sleep(betweenLooks);
    found = await jsz();
    const still = copiesBehind(found, name, others);
    behind = new Map([...still].filter(([copy]) => behind.has(copy)));
  }
  const streams = streamsIn(found);
  const groups = [found.meta_cluster, ...streams.map(({ cluster }) => cluster)];
  return {
    leader: found.meta_cluster?.leader === name,
    healthy: groups.every((group) => (group?.leader ?? '') !== '') && (await isWell()),
    behind: [...new Set(behind.values())].sort().slice(0, mostBehind),
    alone: streams.filter(({ config }) => config.num_replicas === 1 && config.storage === 'file').length,
  };
}

/** The number of groups with copies on other servers that this one leads: the cluster itself, streams, consumers. */
export function groupsLedBy(jsz: Jsz, name: string): number {
  const ofStreams = streamsIn(jsz).flatMap(({ cluster, consumer_detail }) => [
    cluster,
    ...(consumer_detail ?? []).map((consumer) => consumer.cluster),
  ]);
  const led = [jsz.meta_cluster, ...ofStreams].filter((group) => group?.leader === name);
  return led.filter((group) => (group?.replicas ?? []).length > 0).length;
}

/** Copies that are not up to date of what this server leads: their servers, by group and server. */
function copiesBehind(jsz: Jsz, name: string, others: readonly string[]): Map<string, string> {
  const behind = new Map<string, string>();
  const look = (what: string, group: Group | undefined, expected: readonly string[] = []) => {
    if (group?.leader !== name) return;
    const replicas = group.replicas ?? [];
    const lacking = expected.filter((other) => !replicas.some((replica) => replica.name === other));
    const late = replicas
      .filter(({ current, offline }) => offline || !current)
      .map((replica) => replica.name);
    for (const other of [...lacking, ...late]) behind.set(`${what} ${other}`, other);
  };
  look('meta', jsz.meta_cluster, others);
  for (const stream of streamsIn(jsz)) {
    look(`stream ${stream.name}`, stream.cluster);
    for (const consumer of stream.consumer_detail ?? [])
      look(`consumer ${stream.name} ${consumer.name}`, consumer.cluster);
  }
  return behind;
}
