import { randomUUID } from 'node:crypto';
import { Agent, request, type IncomingMessage } from 'node:http';
import { json } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { agentToken, healthyBeat, type SimulatedNode } from '@sluice/testing';

/** milliseconds for which an agent uses a token, as the node agent does */
const tokenReuse = 45_000;

/** Agents that speak as the node agent does: a poll that is always held, and a heartbeat every `seconds`. */
export interface PlayedAgents {
  /** since the last call of `begin` */
  heartbeats: number;
  failures: number;
  /** of heartbeats */
  milliseconds: number[];
  begin(): void;
  stop(): Promise<void>;
}

/** What agents do beside that. */
export interface MoreOfAgents {
  /** seconds between two batches of metrics, with three samples for each heartbeat; none without it */
  telemetry?: number;
  /** called when an agent is given a state */
  onState?: (node: SimulatedNode, revision: number) => void;
}

/** Plays the agents of the nodes, in turn of each of the supervisors; their heartbeats are spread over `seconds`. */
export function playAgents(
  urls: readonly string[],
  nodes: readonly SimulatedNode[],
  seconds: number,
  { telemetry, onState }: MoreOfAgents = {},
): PlayedAgents {
  const ended = new AbortController();
  const connections = new Agent({ keepAlive: true, maxSockets: Infinity });
  const played: PlayedAgents = {
    ...{ heartbeats: 0, failures: 0, milliseconds: [] },
    begin: () => void Object.assign(played, { heartbeats: 0, failures: 0, milliseconds: [] }),
    async stop() {
      ended.abort();
      await Promise.allSettled(loops);
      connections.destroy();
    },
  };

  async function call({ url, token }: Played, path: string, body?: object): Promise<unknown> {
    const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
    const asked = request(`${url}/agent/v1/${path}`, {
      method: body ? 'POST' : 'GET',
      agent: connections,
      signal: ended.signal,
      headers: { authorization: `Bearer ${token()}`, 'content-type': 'application/json' },
    });
    asked.once('error', reject);
    asked.once('response', resolve);
    asked.end(body && JSON.stringify(body));
    const response = await promise;
    if (response.statusCode === 200) return await json(response);
    if (response.statusCode !== 204) played.failures++;
    await new Promise((ended) => response.resume().once('close', ended));
    return undefined;
  }

  async function beat(agent: Played, offset: number): Promise<void> {
    const begun = performance.now() + offset;
    for (let round = 0; !ended.signal.aborted; round++) {
      await pause(Math.max(0, begun + round * seconds * 1000 - performance.now()), undefined, {
        signal: ended.signal,
      });
      const sent = performance.now();
      // what a broker in use counts is never the same
      const statistics = { ...healthyBeat.statistics, messages: round };
      await call(agent, 'heartbeats', { ...healthyBeat, statistics }).catch(() => played.failures++);
      played.heartbeats++;
      played.milliseconds.push(performance.now() - sent);
    }
  }

  async function poll(agent: Played, node: SimulatedNode, offset: number): Promise<void> {
    await pause(offset, undefined, { signal: ended.signal });
    for (let revision = 1; !ended.signal.aborted;) {
      const state = (await call(agent, `desired?revision=${revision}&wait=30`)) as
        { revision: number } | undefined;
      if (state === undefined) continue;
      revision = state.revision;
      onState?.(node, revision);
    }
  }

  async function tell(agent: Played, every: number, offset: number): Promise<void> {
    const spool = randomUUID();
    const samples = Math.max(1, Math.round(every / seconds));
    await pause(offset, undefined, { signal: ended.signal });
    for (let number = 1; !ended.signal.aborted; number++) {
      const batch = { spool, number, samples: samplesOf(samples, seconds), lines: [] };
      await call(agent, 'telemetry', batch).catch(() => played.failures++);
      await pause(every * 1000, undefined, { signal: ended.signal });
    }
  }

  const loops = nodes.flatMap((node, index) => {
    const agent = { url: urls[index % urls.length] ?? '', token: tokensOf(node) };
    const offset = (index / nodes.length) * seconds * 1000;
    const telling = telemetry === undefined ? [] : [tell(agent, telemetry, offset * (telemetry / seconds))];
    return [beat(agent, offset), poll(agent, node, offset), ...telling];
  });
  for (const loop of loops) loop.catch(() => undefined);
  return played;
}

/** As many samples of a node, its agent and its broker as there are after so many times `seconds`. */
function samplesOf(count: number, seconds: number) {
  return Array.from({ length: count }, (_, index) => {
    const at = new Date(Date.now() - (count - 1 - index) * seconds * 1000).toISOString();
    const load = Math.random() * 60;
    return [
      { at, runtime: 'node', metrics: numbered(load, nodeMetrics) },
      { at, runtime: 'agent', status: 'running', metrics: numbered(load, agentMetrics) },
      { at, runtime: 'broker', status: 'running', metrics: numbered(load, brokerMetrics) },
    ];
  }).flat();
}

const numbered = (first: number, names: readonly string[]) =>
  Object.fromEntries(names.map((name, index) => [name, index === 0 ? first : index * 1_000]));
const agentMetrics = ['cpu_percent', 'memory_bytes', 'uptime_seconds'];
const nodeMetrics = [
  ...['cpu_percent', 'load_average', 'memory_bytes', 'disk_bytes', 'disk_free_bytes'],
  ...['network_received_bytes_total', 'network_sent_bytes_total'],
];
const brokerMetrics = [
  ...['cpu_percent', 'memory_bytes', 'connections', 'connections_total', 'subscriptions'],
  ...['slow_consumers_total', 'messages_received_total', 'messages_sent_total', 'bytes_received_total'],
  ...['bytes_sent_total', 'streams', 'consumers', 'messages_stored', 'stored_bytes', 'stored_memory_bytes'],
];

interface Played {
  /** of its supervisor */
  url: string;
  token: () => string;
}

function tokensOf(node: SimulatedNode): () => string {
  let latest = { token: '', at: -Infinity };
  return () => {
    if (performance.now() - latest.at > tokenReuse)
      latest = { token: agentToken(node), at: performance.now() };
    return latest.token;
  };
}
