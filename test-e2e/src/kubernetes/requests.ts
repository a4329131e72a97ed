import { Agent, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import type { Stack } from '@sluice/testing';
import { quantile } from '../long-run.ts';

/** What `stack.json` says of an installation. */
export type Addressed = Pick<
  Stack,
  'base_url' | 'audit_url' | 'supervisors' | 'tenant_id' | 'division_id' | 'api_key'
>;

interface Request {
  layer: string;
  method: 'GET' | 'PUT';
  url: string;
  status: number;
  body?: () => object;
}

interface Pace {
  workersOfLayer: number;
  pauseMs: number;
  timeoutMs: number;
}

/** Reads and writes of all layers of an installation by clients with kept connections. None is sent twice. */
export class Requests {
  /** what happens meanwhile, for the failures */
  during = 'nothing';
  readonly failures: string[] = [];
  readonly #milliseconds = new Map<string, number[]>();
  readonly #ended = new AbortController();
  readonly #apiKey: string;
  readonly #pace: Pace;
  readonly #working: Promise<unknown>;

  constructor(stack: Addressed, pace: Pace) {
    this.#apiKey = stack.api_key;
    this.#pace = pace;
    this.#working = Promise.all(
      requestsOf(stack).flatMap((what) =>
        Array.from({ length: pace.workersOfLayer }, async () => await this.#work(what)),
      ),
    );
  }

  get count(): number {
    return [...this.#milliseconds.values()].reduce((sum, times) => sum + times.length, 0);
  }

  /** Ends them. @returns a line for each layer */
  async end(): Promise<string[]> {
    this.#ended.abort();
    await this.#working;
    return [...this.#milliseconds].map(([layer, times]) => {
      const at = (share: number) => Math.round(quantile(times, share));
      return `${layer}: ${times.length} requests, p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, longest ${at(1)} ms`;
    });
  }

  async #work(what: Request): Promise<void> {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const times = this.#milliseconds.get(what.layer) ?? [];
    this.#milliseconds.set(what.layer, times);
    while (!this.#ended.signal.aborted) {
      const begun = performance.now();
      const wrong = await this.#ask(what, agent).then(
        ({ status, said }) => (status === what.status ? undefined : `${status} ${said.slice(0, 200)}`),
        (error: Error) => error.message,
      );
      times.push(performance.now() - begun);
      if (wrong !== undefined)
        this.failures.push(`${what.method} ${what.url} during ${this.during}: ${wrong}`);
      await pause(this.#pace.pauseMs);
    }
    agent.destroy();
  }

  async #ask({ method, url, body }: Request, agent: Agent): Promise<{ status: number; said: string }> {
    const { promise, resolve, reject } = Promise.withResolvers<{ status: number; said: string }>();
    const headers = { 'svc-api-key': this.#apiKey, ...(body && { 'content-type': 'application/json' }) };
    const signal = AbortSignal.timeout(this.#pace.timeoutMs);
    request(url, { method, agent, headers, signal }, (response) => {
      text(response).then((said) => resolve({ status: response.statusCode ?? 0, said }), reject);
    })
      .on('error', reject)
      .end(body && JSON.stringify(body()));
    return await promise;
  }
}

function requestsOf(stack: Addressed): Request[] {
  const ofTenant = `/tenants/${stack.tenant_id}`;
  return [
    { layer: 'main-api', method: 'GET', url: `${stack.base_url}${ofTenant}`, status: 200 },
    {
      layer: 'main-api',
      method: 'PUT',
      url: `${stack.base_url}${ofTenant}/divisions/${stack.division_id}`,
      status: 204,
      body: () => ({ name: `division ${crypto.randomUUID()}` }),
    },
    { layer: 'audit', method: 'GET', url: `${stack.audit_url}/audit${ofTenant}?results=5`, status: 200 },
    ...stack.supervisors.map(({ cloud, url }): Request => ({
      layer: `supervisor ${cloud}`,
      method: 'GET',
      url: `${url}${ofTenant}/summary`,
      status: 200,
    })),
  ];
}
