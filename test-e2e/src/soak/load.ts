import { setTimeout as delay } from 'node:timers/promises';
import { supervisorOf, type Stack } from '@sluice/testing';
import { oneOf } from '../storm/random.ts';
import type { Acknowledged, Team } from '../storm/workload.ts';

/** A request that was sent, and what came of it. Times are milliseconds since 1970. */
export interface Asked {
  what: string;
  begunAt: number;
  endedAt: number;
  /** undefined: answered as it should be */
  failure?: string;
}

interface Request {
  what: string;
  method: 'GET' | 'PUT';
  url: string;
  key: string;
  body?: object;
  /** what has happened once it was answered */
  done?: () => void;
}

const requestMilliseconds = 10_000;
/** requests under way; more are not sent, which counts as a failure */
const mostInFlight = 500;
/** of so many requests one is a change */
const readsPerChange = 20;

/** Clients of all layers that read, and now and then rename an environment. Nothing is repeated: failures are counted. */
export class Load {
  readonly asked: Asked[] = [];
  readonly acknowledged: Acknowledged[] = [];
  readonly #stack: Stack;
  readonly #teams: readonly Team[];
  readonly #random: () => number;
  #inFlight = 0;
  #renamed = 0;

  constructor(stack: Stack, teams: readonly Team[], random: () => number) {
    this.#stack = stack;
    this.#teams = teams;
    this.#random = random;
  }

  /** As many as are answered when so many clients ask one after the other. @returns requests per second */
  async measureMost(clients: number, seconds: number): Promise<number> {
    const ask = async (until: number) => {
      let answered = 0;
      while (performance.now() < until) if (await this.#ask(this.#next())) answered++;
      return answered;
    };
    const during = async (length: number) => {
      const until = performance.now() + length * 1_000;
      const counts = await Promise.all(Array.from({ length: clients }, () => ask(until)));
      return counts.reduce((sum, count) => sum + count, 0) / length;
    };
    // what is hot is compiled first
    await during(seconds / 2);
    const most = await during(seconds);
    this.asked.length = 0;
    return most;
  }

  /** Sends so many a second, whether they are answered or not, until `until` resolves. */
  async keepAsking(perSecond: number, until: Promise<unknown>): Promise<void> {
    let isOver = false;
    void until.then(() => (isOver = true));
    const begun = performance.now();
    const running = new Set<Promise<unknown>>();
    let sent = 0;
    while (!isOver) {
      const due = Math.floor(((performance.now() - begun) / 1_000) * perSecond);
      for (; sent < due; sent++) {
        const one = this.#ask(this.#next()).finally(() => running.delete(one));
        running.add(one);
      }
      await delay(10);
    }
    await Promise.all(running);
  }

  #next(): Request {
    const { base_url, audit_url } = this.#stack;
    const team = oneOf(this.#teams, this.#random);
    if (!team) throw new Error('there is no team');
    const { tenant_id, division_id, environment_id, api_key: key } = team;
    const tenant = `/tenants/${tenant_id}`;
    const environments = `${tenant}/divisions/${division_id}/environments`;
    const environment = `${environments}/${environment_id}`;
    if (this.#random() < 1 / readsPerChange) {
      const name = `soak ${++this.#renamed}`;
      const done = () =>
        void this.acknowledged.push({ type: 'environment_updated', at: Date.now(), team, name });
      return { what: 'rename', method: 'PUT', url: base_url + environment, key, body: { name }, done };
    }
    const read = (what: string, url: string): Request => ({ what, method: 'GET', url, key });
    const cloud = this.#random() < 0.5 ? 'cloud_a' : 'cloud_b';
    const reads = [
      read('tenant', base_url + tenant),
      read('environments', base_url + environments),
      read('deployments', `${base_url}${environment}/deployments?results=25`),
      read('summary', `${supervisorOf(this.#stack, cloud).url}${tenant}/summary`),
      read('audit', `${audit_url}/audit${tenant}?results=20`),
    ];
    return oneOf(reads, this.#random) ?? read('tenant', base_url + tenant);
  }

  /** @returns whether it was answered as it should be */
  async #ask({ what, method, url, key, body, done }: Request): Promise<boolean> {
    const begunAt = Date.now();
    const failure =
      this.#inFlight >= mostInFlight ? 'not sent' : await this.#send({ what, method, url, key, body });
    this.asked.push({ what, begunAt, endedAt: Date.now(), ...(failure !== undefined && { failure }) });
    if (failure === undefined) done?.();
    return failure === undefined;
  }

  async #send({ method, url, key, body }: Omit<Request, 'done' | 'body'> & { body: object | undefined }) {
    this.#inFlight++;
    try {
      const response = await fetch(url, {
        method,
        headers: { 'svc-api-key': key, ...(body && { 'content-type': 'application/json' }) },
        ...(body && { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(requestMilliseconds),
      });
      await response.arrayBuffer();
      return response.ok ? undefined : String(response.status);
    } catch (error) {
      const { name, cause } = error as Error & { cause?: { code?: string } };
      return cause?.code ?? name;
    } finally {
      this.#inFlight--;
    }
  }
}
