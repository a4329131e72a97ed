import { randomUUID } from 'node:crypto';
import type { LogLine, Sample } from '@sluice/contracts';
import { agentToken, client, type SimulatedNode } from '@sluice/testing';

/** The agent of a simulated node, as far as it reports what it measures and logs. */
export function tellingAgent(url: string, node: SimulatedNode) {
  const spool = randomUUID();
  let number = 0;
  const post = (body: object, headers: Record<string, string> = {}) =>
    client(url).request('POST', '/agent/v1/telemetry', body, {
      authorization: `Bearer ${agentToken(node)}`,
      ...headers,
    });
  return {
    spool,
    post,
    /** Sends the next batch. */
    tell: ({ samples = [], lines = [] }: { samples?: object[]; lines?: object[] }) =>
      post({ spool, number: ++number, samples, lines }),
  };
}

const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();

export const aSample = (minutes: number, metrics: Record<string, number>, more: Partial<Sample> = {}) => ({
  at: minutesAgo(minutes),
  runtime: 'node',
  metrics,
  ...more,
});

export const aLine = (minutes: number, message: string, more: Partial<LogLine> = {}) => ({
  at: minutesAgo(minutes),
  runtime: 'broker',
  level: 'info',
  message,
  ...more,
});
