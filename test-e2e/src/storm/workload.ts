import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import {
  client,
  connectBroker,
  eventually,
  supervisorOf,
  type Answer,
  type Login,
  type Stack,
} from '@sluice/testing';
import { tcpOnly } from '../story.ts';
import { oneOf } from './random.ts';

/** A tenant with its own key: no other may ever see its brokers. */
export interface Team {
  tenant_id: number;
  division_id: number;
  environment_id: number;
  api_key: string;
}

/** A change that was answered with success. */
export interface Acknowledged {
  type: 'deployment_created' | 'deployment_deleted' | 'access_rule_added' | 'environment_updated';
  at: number;
  team: Team;
  /** of the deployment, or the environment's new one */
  name: string;
}

export interface StormDeployment {
  id: number;
  name: string;
  cloud: string;
  team: Team;
  /** when its creation was answered, in milliseconds; undefined when the answer was lost */
  acknowledgedAt: number;
}

const clouds = ['cloud_a', 'cloud_b'] as const;
const requestMilliseconds = 20_000;

export interface WorkloadOptions {
  stack: Stack;
  teams: readonly Team[];
  /** how many creations there should have been by now */
  creationsDue: () => number;
  /** at most this many deployments at a time */
  atATime: number;
  workers: number;
  random: () => number;
}

/** People who create, change and delete deployments all the time, and repeat what was not answered as a client should. */
export class Workload {
  readonly #options: WorkloadOptions;
  readonly live = new Map<string, StormDeployment>();
  readonly acknowledged: Acknowledged[] = [];
  /** requests that were never answered, by what they asked for */
  unanswered = 0;
  /** One rename at a time: with another between it and its repetition, the repetition is a change of its own, with its own entry. */
  readonly #renaming = new Set<Team>();
  #created = 0;
  #stopped = false;
  #running: Promise<unknown> | undefined;

  constructor(options: WorkloadOptions) {
    this.#options = options;
  }

  get created(): number {
    return this.#created;
  }

  start(): void {
    this.#running = Promise.all(Array.from({ length: this.#options.workers }, () => this.#work()));
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#running;
  }

  async #work(): Promise<void> {
    const { random, atATime, creationsDue } = this.#options;
    while (!this.#stopped) {
      const choice = random();
      const full = this.live.size >= atATime;
      const isEmpty = this.live.size < atATime / 2;
      if (!full && this.#created < creationsDue()) await this.#create();
      else if (full || (!isEmpty && choice < 0.4)) await this.#delete();
      else if (choice < 0.8) await this.#addRule();
      else await this.#renameEnvironment();
      await delay(200 + 800 * random());
    }
  }

  async #create(): Promise<void> {
    const { stack, teams, random } = this.#options;
    const team = oneOf(teams, random);
    if (!team) return;
    const name = `storm-${++this.#created}`;
    const cloud = oneOf(clouds, random) ?? 'cloud_a';
    const { region } = supervisorOf(stack, cloud);
    const body = { name, cloud, region, tier: 'small', cluster: 'standalone' };
    const answer = await this.#ask(team, 'POST', `${deploymentsOf(team)}/managed`, body);
    if (answer?.status !== 202) return;
    const at = Date.now();
    const id = Number(answer.headers.get('svc-deployment'));
    const deployment = { id, name, cloud, team, acknowledgedAt: at };
    this.live.set(name, deployment);
    this.acknowledged.push({ type: 'deployment_created', at, team, name });
    await this.#mark(deployment);
  }

  async #delete(): Promise<void> {
    const deployment = oneOf([...this.live.values()], this.#options.random);
    if (!deployment) return;
    const { team, name, id } = deployment;
    this.live.delete(name);
    const answer = await this.#ask(team, 'DELETE', `${deploymentsOf(team)}/${id}`);
    if (answer?.status === 202)
      this.acknowledged.push({ type: 'deployment_deleted', at: Date.now(), team, name });
  }

  async #addRule(): Promise<void> {
    const { stack, random } = this.#options;
    const deployment = oneOf([...this.live.values()], random);
    if (!deployment) return;
    const { team, name, id, cloud } = deployment;
    const answer = await this.#ask(
      team,
      'POST',
      `/deployments/${id}/access_rules`,
      ruleNamed(`rule ${Math.floor(random() * 1e9)}`),
      supervisorOf(stack, cloud).url,
    );
    if (answer?.status === 201)
      this.acknowledged.push({ type: 'access_rule_added', at: Date.now(), team, name });
  }

  async #renameEnvironment(): Promise<void> {
    const { teams, random } = this.#options;
    const team = oneOf(teams, random);
    if (!team || this.#renaming.has(team)) return;
    this.#renaming.add(team);
    const name = `storm ${Math.floor(random() * 1e9)}`;
    const answer = await this.#ask(team, 'PUT', environmentOf(team), { name });
    this.#renaming.delete(team);
    if (answer && answer.status < 300)
      this.acknowledged.push({ type: 'environment_updated', at: Date.now(), team, name });
  }

  /** Writes its name into the broker of a deployment, as soon as there is one; not for ever. */
  async #mark(deployment: StormDeployment): Promise<void> {
    const deadline = Date.now() + 15_000;
    while (Date.now() < deadline && !this.#stopped && this.live.has(deployment.name)) {
      try {
        return await writeName(this.#options.stack, deployment);
      } catch {
        await delay(500);
      }
    }
  }

  /** Asks until there is an answer that means something; undefined when there is none for too long. */
  async #ask(
    team: Team,
    method: string,
    path: string,
    body?: object,
    url = this.#options.stack.base_url,
  ): Promise<Answer | undefined> {
    const headers: Record<string, string> = method === 'POST' ? { 'idempotency-key': randomUUID() } : {};
    try {
      return await eventually(
        async () => {
          const answer = await withLimit(client(url, team.api_key).request(method, path, body, headers));
          if (answer.status >= 500 || answer.status === 401 || answer.status === 429)
            throw new Error(`${answer.status}`);
          return answer;
        },
        { timeoutMs: requestMilliseconds, everyMs: 250 },
      );
    } catch {
      this.unanswered++;
      return undefined;
    }
  }
}

/** A service that hangs answers nothing at all. */
async function withLimit<T>(request: Promise<T>): Promise<T> {
  request.catch(() => undefined);
  return await Promise.race([
    request,
    delay(10_000, undefined, { ref: false }).then((): never => {
      throw new Error('no answer');
    }),
  ]);
}

const environmentOf = ({ tenant_id, division_id, environment_id }: Team) =>
  `/tenants/${tenant_id}/divisions/${division_id}/environments/${environment_id}`;
export const deploymentsOf = (team: Team) => `${environmentOf(team)}/deployments`;

const ruleNamed = (name: string) => ({ name, cidr_blocks: ['127.0.0.1/32'], rules: tcpOnly });

/** Connects to a deployment's broker with its credentials. */
async function connectTo(stack: Stack, { id, cloud, team }: StormDeployment) {
  const region = client(supervisorOf(stack, cloud).url, team.api_key);
  await withLimit(region.post(`/deployments/${id}/access_rules`, ruleNamed('storm')));
  const { body: login } = await withLimit(
    region.get<Login & Record<string, unknown>>(`/deployments/${id}/credentials`),
  );
  const { body } = await withLimit(
    region.get<{ endpoints: { broker_tcp: string | null } }>(`/deployments/${id}`),
  );
  if (!body.endpoints?.broker_tcp) throw new Error('there is no broker yet');
  return { login, connection: await connectBroker(body.endpoints.broker_tcp, login) };
}

async function writeName(stack: Stack, deployment: StormDeployment): Promise<void> {
  const { connection } = await connectTo(stack, deployment);
  try {
    const manager = await jetstreamManager(connection);
    await manager.streams.add({ name: 'OWNER', subjects: ['owner'] });
    await jetstream(connection).publish('owner', `${deployment.team.tenant_id} ${deployment.name}`);
  } finally {
    await connection.close();
  }
}

/** What was written into a deployment's broker, and its password. */
export async function readNames(
  stack: Stack,
  deployment: StormDeployment,
): Promise<{ names: string[]; password: string }> {
  const { connection, login } = await connectTo(stack, deployment);
  try {
    const manager = await jetstreamManager(connection);
    const names: string[] = [];
    const info = await manager.streams.info('OWNER').catch(() => undefined);
    for (let seq = 1; seq <= (info?.state.last_seq ?? 0); seq++)
      names.push((await manager.streams.getMessage('OWNER', { seq }))?.string() ?? '');
    return { names, password: login.password };
  } finally {
    await connection.close();
  }
}
