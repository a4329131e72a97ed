import { Agent, request } from 'node:http';
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

/** Plays the agents of the nodes, in turn of each of the supervisors; their heartbeats are spread over `seconds`. */
export function playAgents(
  urls: readonly string[],
  nodes: readonly SimulatedNode[],
  seconds: number,
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

  async function call({ url, token }: Played, path: string, body?: object): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const asked = request(`${url}/agent/v1/${path}`, {
      method: body ? 'POST' : 'GET',
      agent: connections,
      signal: ended.signal,
      headers: { authorization: `Bearer ${token()}`, 'content-type': 'application/json' },
    });
    asked.once('error', reject);
    asked.once('response', (response) => {
      response.resume().once('close', resolve);
      if (response.statusCode !== 204) played.failures++;
    });
    asked.end(body && JSON.stringify(body));
    await promise;
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

  async function poll(agent: Played, offset: number): Promise<void> {
    await pause(offset, undefined, { signal: ended.signal });
    while (!ended.signal.aborted) await call(agent, 'desired?revision=1&wait=30');
  }

  const loops = nodes.flatMap((node, index) => {
    const agent = { url: urls[index % urls.length] ?? '', token: tokensOf(node) };
    const offset = (index / nodes.length) * seconds * 1000;
    return [beat(agent, offset), poll(agent, offset)];
  });
  for (const loop of loops) loop.catch(() => undefined);
  return played;
}

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
