import { request } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { client, type Client } from './client.ts';
import type { Replica, ReplicatedStack } from './replicas.ts';

/** What trials of taking rights away have shown. */
export interface RevocationOutcome {
  trials: number;
  /** requests begun after the answer to the change that still got through: must be none */
  stale: string[];
  /** what was changed on the old right after the answer, by requests begun before it: must be nothing */
  lateEffects: string[];
  /** changes that were made while the right was there */
  changes: number;
  /** requests that were in flight around the changes */
  requests: number;
  /** requests that got through while the right was there: the proof that something was taken away */
  allowed: number;
  /** milliseconds that each change took to answer */
  waits: number[];
}

export interface GivenRight {
  token: string;
  /** what a request shows instead of the token as a key */
  headers?: Record<string, string>;
  /** what the right allows, by layer, where it is not the layer's own probe; null: nothing there */
  probes?: Partial<Record<Replica['layer'], string | null>>;
  /** makes the change that removes the right, and resolves with its answer */
  takeAway: (admin: Client) => Promise<void>;
  /** removes what is left, so that no limit is reached */
  cleanUp: (admin: Client) => Promise<void>;
}

/** Gives a right to a new key. */
export type Right = (admin: Client, trial: number) => Promise<GivenRight>;

/** A request that has begun, and how it ended. */
interface Attempt {
  begun: number;
  where: string;
  status: number;
}

/**
 * Takes rights away, trial after trial, while requests flow to every replica; then asks each replica once more.
 * @param pauseMs between the requests of a client: without one they take all that the machine has
 */
export async function tryRevocations(
  stack: ReplicatedStack,
  rights: Right[],
  trials: number,
  pauseMs = 0,
): Promise<RevocationOutcome> {
  const admins = stack.of('main-api').map(({ url }) => client(url, stack.api_key));
  const outcome: RevocationOutcome = {
    trials,
    stale: [],
    lateEffects: [],
    changes: 0,
    requests: 0,
    allowed: 0,
    waits: [],
  };
  for (let trial = 0; trial < trials; trial++) {
    const giver = admins[trial % admins.length];
    const taker = admins[Math.floor(trial / 2) % admins.length];
    const right = rights[trial % rights.length];
    if (!giver || !taker || !right) throw new Error('there is nothing to try');
    const {
      token,
      headers = { 'svc-api-key': token },
      probes = {},
      takeAway,
      cleanUp,
    } = await right(giver, trial);
    const asked = stack.replicas.flatMap((replica) => {
      const probe = probes[replica.layer] === undefined ? replica.probe : probes[replica.layer];
      return probe ? [{ ...replica, probe }] : [];
    });
    const flow = startFlow(asked, headers, pauseMs);
    const changing = startChanges(stack, headers, trial, pauseMs);
    let changed, answered;
    try {
      await Promise.all([flow.underWay, changing.underWay]);
      changed = performance.now();
      await takeAway(taker);
      answered = performance.now();
      outcome.lateEffects.push(
        ...(await changing.effectsFromNowOn(taker)).map((one) => `trial ${trial}: ${one}`),
      );
    } finally {
      await Promise.all([flow.stop(), changing.stop()]);
    }
    outcome.changes += changing.made;
    const attempts = [
      ...flow.attempts,
      ...(await Promise.all(asked.map((replica) => ask(replica, headers)))),
    ];
    await cleanUp(taker);
    outcome.waits.push(answered - changed);
    outcome.requests += attempts.length;
    outcome.allowed += attempts.filter(({ status }) => status === 200).length;
    for (const { begun, where, status } of attempts) {
      if (begun > answered && status === 200) outcome.stale.push(`trial ${trial}: ${where}`);
    }
  }
  return outcome;
}

const parallelChanges = 2;

/** Requests that change the tenant on the right of a key: many at a time, and one whose body keeps the service waiting. */
function startChanges(
  stack: ReplicatedStack,
  headers: Record<string, string>,
  trial: number,
  pauseMs: number,
) {
  const path = `/tenants/${stack.tenant_id}`;
  const replicas = stack.of('main-api');
  let stopped = false;
  let made = 0;
  const clients = replicas.flatMap(({ url }, replica) =>
    Array.from({ length: parallelChanges }, async (_, i) => {
      for (let n = 0; !stopped; n++) {
        const description = `trial ${trial}: ${replica} ${i} ${n}`;
        const response = await fetch(url + path, {
          method: 'PUT',
          headers: { ...headers, 'content-type': 'application/json' },
          body: JSON.stringify({ description }),
        });
        await response.arrayBuffer();
        if (response.status === 204) made++;
        if (pauseMs > 0) await delay(pauseMs);
      }
    }),
  );
  const slow = replicas.map(({ url }, replica) =>
    beginPut(url + path, headers, JSON.stringify({ description: `trial ${trial}: slow ${replica}` })),
  );
  const stop = async () => {
    stopped = true;
    await Promise.all(clients);
    await Promise.all(slow.map((one) => one.finish()));
  };
  const descriptionOf = async (admin: Client) =>
    (await admin.get<{ description: string }>(path)).body.description;
  return {
    get made() {
      return made;
    },
    underWay: Promise.all(slow.map((one) => one.begun)),
    stop,
    /** @returns what the tenant is called otherwise from now on */
    async effectsFromNowOn(admin: Client): Promise<string[]> {
      const before = await descriptionOf(admin);
      await stop();
      const after = await descriptionOf(admin);
      return before === after ? [] : [`'${before}' became '${after}'`];
    },
  };
}

/** Sends the headers of a request, and its body when it is to be finished. */
function beginPut(url: string, shown: Record<string, string>, body: string) {
  const sent = request(url, {
    method: 'PUT',
    // a connection of its own, so that it is seen to connect
    agent: false,
    headers: { ...shown, 'content-type': 'application/json', 'content-length': body.length },
  });
  const ended = new Promise<void>((resolve) => {
    sent.once('error', () => resolve());
    sent.once('response', (response) => response.resume().once('close', resolve));
  });
  let finished = false;
  const begun = new Promise<void>((resolve) => {
    sent.once('error', () => resolve());
    sent.once('socket', (socket) => socket.once('connect', () => setTimeout(resolve, 5)));
  });
  sent.flushHeaders();
  return {
    begun,
    async finish(): Promise<void> {
      if (!finished) sent.end(body);
      finished = true;
      await ended;
    },
  };
}

/** One client per replica that asks again and again. */
function startFlow(replicas: Replica[], headers: Record<string, string>, pauseMs: number) {
  const attempts: Attempt[] = [];
  let stopped = false;
  const clients = replicas.map(async (replica) => {
    while (!stopped) {
      attempts.push(await ask(replica, headers));
      if (pauseMs > 0) await delay(pauseMs);
    }
  });
  return {
    /** every replica has answered once */
    underWay: (async () => {
      while (new Set(attempts.map(({ where }) => where)).size < replicas.length && !stopped) {
        await new Promise((resolve) => setTimeout(resolve, 1));
      }
    })(),
    attempts,
    async stop(): Promise<void> {
      stopped = true;
      await Promise.all(clients);
    },
  };
}

async function ask({ url, probe, layer }: Replica, headers: Record<string, string>): Promise<Attempt> {
  const begun = performance.now();
  const where = `${layer} ${url}`;
  try {
    const response = await fetch(url + probe, {
      headers,
      signal: AbortSignal.timeout(15_000),
    });
    await response.arrayBuffer();
    return { begun, where, status: response.status };
  } catch {
    return { begun, where, status: 0 };
  }
}
