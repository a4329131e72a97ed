import type { NodeId, ReportedCluster } from '@sluice/contracts';
import { serverName, type Route } from '@sluice/region-store/clusters.store';
import { absence, awaitsRestart, listed, undeployed } from './lacking.ts';
import type { Observed, ObservedCluster, ObservedNode, Step } from './phase.ts';

/**
 * The next step of a cluster beside those of every deployment: its nodes learn where the others are, and restart one at a time, each once the
 * one before has all of its copies again. Undefined when there is none.
 */
export function clusterStep(observed: Observed): Step | undefined {
  const { cluster } = observed;
  if (!cluster) return undefined;
  if (!cluster.prepared) return { do: 'prepare_cluster' };
  return routesStep(observed, cluster) ?? turnStep(observed, cluster);
}

/** At the first start brokers get the routes only when all are known: by these they count how many there are to be. */
function routesStep({ nodes }: Observed, { routes }: ObservedCluster): Step | undefined {
  const known = nodes.flatMap(({ id, cluster }) =>
    cluster?.port ? [{ node_id: id, port: cluster.port }] : [],
  );
  const isFirst = routes.length === 0;
  if (isFirst && known.length < nodes.length) return undefined;
  // a node that says nothing for a while is where it was
  const silent = routes.filter(({ node_id }) => !known.some((route) => route.node_id === node_id));
  const next = [...known, ...silent].sort((one, other) => one.node_id - other.node_id);
  const isSame = (route: Route, index: number) =>
    routes[index]?.node_id === route.node_id && routes[index].port === route.port;
  return next.length === routes.length && next.every(isSame)
    ? undefined
    : { do: 'publish_routes', routes: next };
}

function turnStep(observed: Observed, { turn, askedRevision }: ObservedCluster): Step | undefined {
  const { nodes, revision } = observed;
  if (turn === null) {
    const waiting = nodes.filter(awaitsRestart);
    // the one that leads comes last: each time it goes, all others agree on another
    const next = waiting.find(({ cluster }) => cluster?.leader !== true) ?? waiting[0];
    return next && lacksCopies(observed) === null ? { do: 'grant_turn', node: next.id } : undefined;
  }
  const node = nodes.find(({ id }) => id === turn);
  if (!node || node.stopped) return { do: 'end_turn' };
  if (undeployed(node, revision) !== null) return undefined;
  if (askedRevision === null) return { do: 'ask_nodes', node: turn };
  return lacksCopies(observed) === null ? { do: 'end_turn' } : undefined;
}

/** What a cluster lacks until each node has all of its copies and none is about to restart; null for what is none. */
export function lacksQuiet(observed: Observed): string | null {
  const { cluster, nodes } = observed;
  if (!cluster) return null;
  const turn = nodes.find(({ id }) => id === cluster.turn);
  return turn ? `node ${turn.name}: it is being restarted` : lacksCopies(observed);
}

/**
 * What a cluster lacks until each node has all of its copies, by what all of them have reported since the last revision.
 * @param apart a node that need not be well
 */
export function lacksCopies({ cluster, nodes, revision }: Observed, apart?: NodeId): string | null {
  if (!cluster) return null;
  const names = new Map(nodes.map(({ id, name }) => [serverName(id), name]));
  const others = nodes.filter(({ id }) => id !== apart);
  const unwell = listed(others, (node) => {
    const absent = absence(node);
    if (absent !== null) return absent;
    if (node.broker?.status !== 'running') return 'its broker does not run';
    if ((node.applied?.revision ?? 0) < revision) return 'its agent has not said how it is';
    if (node.cluster?.healthy !== true) return 'its copies are not up to date';
    const behind = node.cluster.behind.filter((name) => apart === undefined || name !== serverName(apart));
    const late = behind.map((name) => names.get(name) ?? name);
    return late.length === 0 ? null : `it leads what is not up to date on ${late.join(', ')}`;
  });
  if (unwell !== null) return unwell;
  return others.some((node) => node.cluster?.leader) ? null : 'the cluster has no leader';
}

/**
 * Whether the data of `lost` can be had again from the others: `now`, once the others are well (`later`), or `never`, since there are too few
 * of them or some of it was nowhere else.
 */
export function isRebuildable(
  { cluster, nodes }: Observed,
  lost: readonly ObservedNode[],
): 'now' | 'later' | 'never' {
  if (!cluster) return 'never';
  const others = nodes.filter((node) => !lost.includes(node));
  if (others.length * 2 <= nodes.length) return 'never';
  if (others.some(({ deployed }) => !deployed)) return 'later';
  // what a node said last of what only it has; who has not said anything may have had something
  if (lost.some((node) => node.dataLost || node.cluster?.alone !== 0)) return 'never';
  const gone = new Set(lost.map(({ id }) => serverName(id)));
  const isWell = (state: ReportedCluster | null) =>
    state?.healthy === true && state.behind.every((name) => gone.has(name));
  const areWell = others.every(({ broker, cluster: state }) => broker?.status === 'running' && isWell(state));
  return areWell && others.some((node) => node.cluster?.leader) ? 'now' : 'later';
}

/** Why a cluster is not as it should be although its deployment runs, as people read it; null when it is. */
export function explainsCluster(observed: Observed): string | null {
  const { cluster, nodes } = observed;
  if (!cluster) return null;
  return listed(nodes, ({ deployed, presence, dataGone }) => {
    if (!deployed) return 'it gets its copies from the others';
    return presence === 'none' || dataGone === true
      ? 'its data is gone, and comes from the others once they are well'
      : null;
  });
}
