import type { Database } from '@sluice/region-store/tables';
import { countNodes, listRegionNodes, type RegionNode } from './region-nodes.store.ts';

/** What the operator of a region scrapes of all its nodes: families of metrics, a series of each for a node. */

const metricsOf = {
  node: [
    ...['cpu_percent', 'memory_percent', 'disk_percent', 'disk_free_bytes'],
    ...['network_received_bytes_total', 'network_sent_bytes_total'],
  ],
  broker: [
    ...['cpu_percent', 'memory_bytes', 'connections', 'subscriptions', 'slow_consumers_total'],
    ...['messages_received_total', 'messages_sent_total', 'bytes_received_total', 'bytes_sent_total'],
    ...['streams', 'consumers', 'messages_stored', 'stored_bytes'],
  ],
} as const;
const runtimes = ['node', 'broker'] as const;
const measured = [...new Set(runtimes.flatMap((runtime) => metricsOf[runtime]))];

interface Family {
  name: string;
  help: string;
  type: 'gauge' | 'counter';
  /** further labels and the value of each series of a node */
  series(node: RegionNode): (readonly [labels: string, value: number])[];
}

/** The names of metrics are ours: an agent on a customer's machine adds none. */
const families: readonly Family[] = [
  {
    name: 'sluice_node_info',
    help: 'Nodes of the region with what they are, always 1',
    type: 'gauge',
    series: ({ name, tier, agent_version, broker }) => [
      [
        `,name=${quoted(name)},tier=${quoted(tier)},agent_version=${quoted(agent_version ?? '')},broker_version=${quoted(broker?.version ?? '')}`,
        1,
      ],
    ],
  },
  {
    name: 'sluice_node_up',
    help: "Whether the node's agent sends heartbeats",
    type: 'gauge',
    series: ({ is_silent }) => [['', is_silent ? 0 : 1]],
  },
  {
    name: 'sluice_broker_up',
    help: 'Whether the broker runs, of nodes whose broker is not stopped on purpose',
    type: 'gauge',
    series: ({ is_silent, is_wanted, broker }) =>
      is_wanted ? [['', !is_silent && broker?.status === 'running' ? 1 : 0]] : [],
  },
  ...measured.map((metric): Family => ({
    name: `sluice_${metric}`,
    help: `${metric.replaceAll('_', ' ')}, as reported by the node's agent`,
    type: metric.endsWith('_total') ? 'counter' : 'gauge',
    series: ({ samples }) =>
      runtimes.flatMap((runtime) => {
        const value = samples?.[runtime]?.[metric];
        const isOurs = (metricsOf[runtime] as readonly string[]).includes(metric);
        return isOurs && value !== undefined ? [[`,runtime="${runtime}"`, value] as const] : [];
      }),
  })),
];

/** as JSON writes it, except for control characters, which no label here has */
const quoted = (text: string) =>
  `"${text.replaceAll(/[\\"]/g, String.raw`\$&`).replaceAll('\n', String.raw`\n`)}"`;

const pageSize = 500;
/** of the nodes of a region; the others are counted */
const mostNodes = 20_000;
/** for how long a reading is used again, milliseconds: several Prometheus scrape */
const keptMilliseconds = 10_000;
/** nodes between two turns of the event loop */
const atOnce = 200;

export interface RegionExpositionOptions {
  database: Database;
  /** older samples are left out */
  freshSeconds: number;
}

/**
 * The newest measurements of all nodes of the region in Prometheus's text format, piece by piece. The nodes are read before the first
 * piece, page by page, once for all who ask within ten seconds.
 */
export function regionExposition({ database, freshSeconds }: RegionExpositionOptions) {
  let kept: Promise<Reading> | undefined;

  async function read(): Promise<Reading> {
    const total = await countNodes(database);
    const nodes: RegionNode[] = [];
    for (;;) {
      const limit = Math.min(pageSize, mostNodes - nodes.length);
      const page = await listRegionNodes(database, { after: nodes.at(-1)?.id ?? 0, limit, freshSeconds });
      nodes.push(...page);
      if (page.length < limit || nodes.length >= mostNodes) break;
    }
    return { nodes, omitted: Math.max(0, total - nodes.length) };
  }

  function reading(): Promise<Reading> {
    if (kept) return kept;
    const started = read();
    kept = started;
    const forget = () => {
      if (kept === started) kept = undefined;
    };
    started.then(() => setTimeout(forget, keptMilliseconds).unref(), forget);
    return started;
  }

  return async (): Promise<AsyncIterable<string>> => textOf(await reading());
}

interface Reading {
  nodes: readonly RegionNode[];
  omitted: number;
}

async function* textOf({ nodes, omitted }: Reading): AsyncGenerator<string> {
  const labels = nodes.map(
    ({ tenant_id, deployment_id, node }) =>
      `tenant="${tenant_id}",deployment="${deployment_id}",node=${quoted(node)}`,
  );
  yield `${headOf({
    name: 'sluice_node_metrics_omitted',
    help: `Nodes beyond the first ${mostNodes} of the region, whose metrics are left out`,
    type: 'gauge',
  })}sluice_node_metrics_omitted ${omitted}\n`;
  for (const family of families) {
    yield headOf(family);
    for (let from = 0; from < nodes.length; from += atOnce) {
      let text = '';
      for (const [at, node] of nodes.slice(from, from + atOnce).entries())
        for (const [more, value] of family.series(node))
          text += `${family.name}{${labels[from + at]}${more}} ${value}\n`;
      if (text !== '') yield text;
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
}

const headOf = ({ name, help, type }: Pick<Family, 'name' | 'help' | 'type'>) =>
  `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n`;
