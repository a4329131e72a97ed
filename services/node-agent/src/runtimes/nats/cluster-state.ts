import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { natsAccount } from '@sluice/contracts/broker-schemas';
import type { ClusterState } from '../runtime.ts';

const replicaSchema = z.object({
  name: z.string(),
  current: z.boolean().default(false),
  offline: z.boolean().default(false),
});
const groupSchema = z.object({ leader: z.string().default(''), replicas: z.array(replicaSchema).nullish() });
const consumersSchema = z.array(z.object({ name: z.string(), cluster: groupSchema.optional() })).nullish();
const streamSchema = z.object({
  name: z.string(),
  config: z.object({ num_replicas: z.int().default(1), storage: z.string().default('file') }).optional(),
  cluster: groupSchema.optional(),
  consumer_detail: consumersSchema,
});

/** What is read of `/jsz`, and of `/healthz`, which answers 503 as well. */
export const clusterJszSchema = z.object({
  meta_cluster: groupSchema.optional(),
  account_details: z
    .array(z.object({ name: z.string(), stream_detail: z.array(streamSchema).nullish() }))
    .nullish(),
});
export const healthzSchema = z.object({ status: z.string() });
export type ClusterJsz = z.infer<typeof clusterJszSchema>;

/** How often the server is asked until each copy was seen up to date once, and the time between: under load each is behind for moments. */
const looks = 5;
const betweenLooks = 100;
/** as many as the supervisor takes */
const mostBehind = 20;

interface Asked {
  jsz: () => Promise<ClusterJsz>;
  /** whether the server says that it is well */
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
    alone: streams.filter(({ config }) => config?.num_replicas === 1 && config.storage === 'file').length,
  };
}

/** How many groups that have copies on others this server leads: the cluster itself, streams, consumers. */
export function groupsLedBy(jsz: ClusterJsz, name: string): number {
  const ofStreams = streamsIn(jsz).flatMap(({ cluster, consumer_detail }) => [
    cluster,
    ...(consumer_detail ?? []).map((consumer) => consumer.cluster),
  ]);
  const led = [jsz.meta_cluster, ...ofStreams].filter((group) => group?.leader === name);
  return led.filter((group) => (group?.replicas ?? []).length > 0).length;
}

const streamsIn = ({ account_details }: ClusterJsz) =>
  account_details?.find((account) => account.name === natsAccount)?.stream_detail ?? [];

/** The copies that are not up to date, of what this server leads: by what they are of and whose they are, whose they are. */
function copiesBehind(jsz: ClusterJsz, name: string, others: readonly string[]): Map<string, string> {
  const behind = new Map<string, string>();
  const look = (
    what: string,
    group: z.infer<typeof groupSchema> | undefined,
    expected: readonly string[] = [],
  ) => {
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
