import { readdir } from 'node:fs/promises';
import { jetstreamManager } from '@nats-io/jetstream';
import { connect, nkeyAuthenticator } from '@nats-io/transport-node';
import { topology } from '@sluice/contracts';
import {
  client,
  connectBroker,
  eventually,
  publishAndRead,
  type Answer,
  type Client,
  type Layer,
  type Login,
  type ReplicatedStack,
} from '@sluice/testing';
import { tcpOnly, untilRunning, untilUnknown, type Entry, type Shown, type SupervisorView } from './story.ts';

interface Deployment {
  id: number;
  path: string;
}

const patience = { timeoutMs: 30_000, everyMs: 100 };
const place = { cloud: 'cloud_a', region: 'us-east-1' };
const keptMessages = 10;

/** 1.0.0 sets regions' events aside whose type it does not know (docs/operations/upgrade.md); later releases record them. */
const ofNewType = /^no service may send .*\.credentials_read$/;

/**
 * What people do all day, over and over, with the replicas that a stack has just then; beside it a deployment with messages in its
 * broker, and a session, which stay.
 */
export class Workload {
  readonly #stack: ReplicatedStack;
  readonly #tenant: string;
  readonly #division: string;
  #turn = 0;
  #environment = '';
  #kept: Deployment = { id: 0, path: '' };
  #login: Login = { username: '', password: '' };
  #session: Record<string, string> = {};

  private constructor(stack: ReplicatedStack) {
    this.#stack = stack;
    this.#tenant = `/tenants/${stack.tenant_id}`;
    this.#division = `${this.#tenant}/divisions/${stack.division_id}`;
  }

  /** Makes what stays. */
  static async begin(stack: ReplicatedStack): Promise<Workload> {
    const workload = new Workload(stack);
    await workload.#makeWhatStays();
    return workload;
  }

  /**
   * Does one of each and undoes it, and waits until nothing of it is under way.
   * @param label a word, different in each round
   * @throws Error when an answer is not what it should be, a request has no effect, or a message became a dead letter
   */
  async round(label: string): Promise<void> {
    await this.#renameEnvironment(label);
    const deployment = await this.#create('managed', {
      ...{ name: `dep-${label}`, ...place, tier: 'small', cluster: 'standalone' },
    });
    await Promise.all([this.#giveAndTakeRights(label), this.#addAndDeleteRule(label), this.#invite(label)]);
    await this.#untilInitialized(deployment);
    await this.#untilRecorded(deployment, label);
    await this.#delete(deployment);
    await this.#untilUnharmed();
    await this.#untilSettled();
  }

  async #makeWhatStays(): Promise<void> {
    const path = `${this.#division}/deployments/starter`;
    // the region may not have registered yet
    const { headers } = await eventually(() => this.#ask('main-api', 202, 'POST', path, place), patience);
    this.#environment = `${this.#division}/environments/${headers.get('svc-environment')}`;
    this.#kept = this.#deploymentOf(headers);
    const { endpoints } = await this.#untilInitialized(this.#kept);
    this.#login = await this.#loginOf(this.#kept);
    const connection = await connectBroker(endpoints.broker_tcp, this.#login);
    await publishAndRead(connection, keptMessages);
    await connection.close();
    this.#session = { cookie: `sluice_session=${await this.#stack.openSession()}` };
  }

  /** What is in the environment has another shape then. */
  async #renameEnvironment(label: string): Promise<void> {
    const name = `env-${label}`;
    await this.#ask('main-api', 204, 'PUT', this.#environment, { name });
    await eventually(async () => {
      const [row] = await this.#stack.query<{ name: string }>(
        "SELECT spec -> 'environment' ->> 'name' AS name FROM deployments WHERE id = $1",
        [this.#kept.id],
        'supervisor',
      );
      expect(row).toEqual({ name });
    }, patience);
  }

  async #create(variant: string, wanted: object): Promise<Deployment> {
    const path = `${this.#environment}/deployments/${variant}`;
    return this.#deploymentOf((await this.#ask('main-api', 202, 'POST', path, wanted)).headers);
  }

  #deploymentOf(headers: Headers): Deployment {
    const id = Number(headers.get('svc-deployment'));
    return { id, path: `${this.#environment}/deployments/${id}` };
  }

  /** A role, a key that has it, and the end of both: each replica follows. */
  async #giveAndTakeRights(label: string): Promise<void> {
    const permissions = { tenant: ['info:read', 'audit:read'] };
    const roles = `${this.#tenant}/roles`;
    const role = await this.#ask('main-api', 201, 'POST', roles, { name: `role ${label}`, permissions });
    const role_id = Number(role.body['id']);
    const expiry_at = new Date(Date.now() + 3_600_000).toISOString();
    const keys = `${this.#tenant}/api_keys`;
    const key = await this.#ask('main-api', 201, 'POST', keys, { name: `key ${label}`, role_id, expiry_at });
    const rights = { 'svc-api-key': String(key.body['token']) };
    await this.#onEach((url) => answered(url, 200, rights));
    await this.#ask('main-api', 204, 'DELETE', `${keys}/${Number(key.body['id'])}`);
    await this.#onEach((url) => answered(url, 401, rights));
    await this.#ask('main-api', 204, 'DELETE', `${roles}/${role_id}`);
  }

  async #addAndDeleteRule(label: string): Promise<void> {
    const input = { name: `rule ${label}`, remarks: label, cidr_blocks: ['192.0.2.0/24'], rules: tcpOnly };
    const path = `/deployments/${this.#kept.id}/access_rules`;
    const { headers } = await this.#ask('supervisor', 201, 'POST', path, input);
    await this.#ask('supervisor', 204, 'DELETE', `${path}/${headers.get('svc-access-rule')}`);
  }

  async #invite(label: string): Promise<void> {
    const mails = async () => (await readdir(this.#stack.mails).catch(() => [])).length;
    const before = await mails();
    const path = `${this.#tenant}/invitations`;
    const { headers } = await this.#ask('main-api', 201, 'POST', path, { email: `${label}@example.org` });
    await eventually(async () => expect(await mails()).toBe(before + 1), patience);
    await this.#ask('main-api', 204, 'DELETE', `${path}/${headers.get('svc-invitation')}`);
  }

  /** Waits until both layers say that it is ready. */
  async #untilInitialized(deployment: Deployment): Promise<SupervisorView> {
    return await eventually(async () => {
      const view = await untilRunning(this.#shown(deployment), 0);
      expect(view.nodes.map((node) => node.status)).toEqual(['healthy']);
      return view;
    }, patience);
  }

  async #loginOf({ id }: Deployment): Promise<Login> {
    const { body } = await this.#ask('supervisor', 200, 'GET', `/deployments/${id}/credentials`);
    return body as unknown as Login;
  }

  async #delete(deployment: Deployment): Promise<void> {
    await this.#ask('main-api', 202, 'DELETE', deployment.path);
    await untilUnknown(this.#shown(deployment), patience.timeoutMs);
  }

  /** Waits until the audit log tells of all that this round has done, once. */
  async #untilRecorded({ id }: Deployment, label: string): Promise<void> {
    await eventually(async () => {
      const { body } = await this.#ask('audit', 200, 'GET', `/audit${this.#tenant}?results=100`);
      const recorded = (body['items'] as Entry[]).filter(
        ({ data, deployment }) => deployment?.id === id || JSON.stringify(data).includes(label),
      );
      expect(recorded.map(({ type }) => type).sort()).toEqual([
        ...['access_rule_added', 'access_rule_deleted', 'api_key_created', 'api_key_deleted'],
        ...['deployment_created', 'deployment_initialized', 'environment_updated', 'invitation_deleted'],
        ...['member_invited', 'role_created', 'role_deleted'],
      ]);
    }, patience);
  }

  /** What stays is as it was. */
  async #untilUnharmed(): Promise<void> {
    const { endpoints } = await this.#untilInitialized(this.#kept);
    expect(await this.#loginOf(this.#kept)).toEqual(this.#login);
    const connection = await connectBroker(endpoints.broker_tcp, this.#login);
    const { state } = await (await jetstreamManager(connection)).streams.info('orders');
    expect(state.messages).toBe(keptMessages);
    await connection.close();
    await this.#onEach((url) => answered(url, 200, this.#session));
  }

  /** Waits until every message has been handled; none became a dead letter. */
  async #untilSettled(): Promise<void> {
    const { url, operatorSeed } = this.#stack.nats;
    const authenticator = nkeyAuthenticator(new TextEncoder().encode(operatorSeed));
    const nats = await connect({ servers: url, authenticator });
    const { streams } = await jetstreamManager(nats);
    const { commands, reports, mails, deadLetters } = topology('sluice').streams;
    const messagesOf = async ({ name }: { name: string }) => (await streams.info(name)).state.messages;
    try {
      await eventually(async () => {
        for (const stream of [commands, reports, mails])
          expect([stream.name, await messagesOf(stream)]).toEqual([stream.name, 0]);
        for (const layer of ['main-api', 'supervisor', 'audit'] as const)
          expect([layer, await this.#stack.query('SELECT subject FROM outbox', [], layer)]).toEqual([
            layer,
            [],
          ]);
      }, patience);
      for (const layer of ['main-api', 'supervisor', 'audit'] as const)
        expect(await this.#stack.query('SELECT * FROM outbox_dead_letters', [], layer)).toEqual([]);
      const { state } = await streams.info(deadLetters.name);
      const reasons: string[] = [];
      for (let seq = state.first_seq; state.messages > 0 && seq <= state.last_seq; seq++)
        reasons.push(
          (await streams.getMessage(deadLetters.name, { seq }))?.header.get('Sluice-Reason') ?? '',
        );
      expect(reasons.filter((reason) => !ofNewType.test(reason))).toEqual([]);
    } finally {
      await nats.close();
    }
  }

  /** Asks a layer. @throws Error when the answer has another status */
  async #ask(layer: Layer, status: number, method: string, path: string, body?: object): Promise<Answer> {
    const answer = await this.#api(layer).request(method, path, body);
    if (answer.status !== status)
      throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer;
  }

  #shown(deployment: Deployment): Shown {
    return { main: this.#api('main-api'), region: this.#api('supervisor'), ...deployment };
  }

  /** The replicas of a layer in turn. */
  #api(layer: Layer): Client {
    const replicas = this.#stack.of(layer);
    const replica = replicas[this.#turn++ % replicas.length];
    if (!replica) throw new Error(`there is no ${layer}`);
    return client(replica.url, this.#stack.api_key);
  }

  /** Has `check` pass for a request to each replica that answers any. */
  async #onEach(check: (url: string) => Promise<void>): Promise<void> {
    const replicas = this.#stack.replicas.filter(({ layer }) => layer !== 'notifier');
    for (const { url, probe } of replicas) await eventually(() => check(url + probe), patience);
  }
}

async function answered(url: string, status: number, headers: Record<string, string>): Promise<void> {
  const answer = await fetch(url, { headers });
  if (answer.status !== status) throw new Error(`${url}: ${answer.status} ${await answer.text()}`);
}
