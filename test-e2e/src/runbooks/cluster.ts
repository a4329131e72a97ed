import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { jetstreamManager } from '@nats-io/jetstream';
import { client, connectBroker, eventually, publishAndRead, type Client, type Login } from '@sluice/testing';
import { deadLetter } from './dead-letter.ts';
import { streamOf } from './moved-stream.ts';
import type { Place } from './steps.ts';

const patience = { timeoutMs: 600_000, everyMs: 2_000 };
const messages = 100;
const regions = {
  cloud_a: { region: 'us-east-1', port: 30082 },
  cloud_b: { region: 'us-central1', port: 30083 },
} as const;
type Cloud = keyof typeof regions;
/** a region, and the port of its supervisor */
interface Where {
  region: string;
  port: number;
}
const clouds = Object.keys(regions) as Cloud[];

/** What is there, as kept in a file: a run can go on where a former one ended. */
interface Kept {
  tenant_id: number;
  division_id: number;
  api_key: string;
  environment: number;
  deployments: Record<Cloud, number>;
}

/** The installation that the runbooks are run on, seen from outside. */
export class Cluster implements Place {
  readonly region = {
    namespace: 'sluice-cloud-a-us-east-1',
    service: 'supervisor',
    database: 'supervisor_cloud_a_us_east_1',
  };
  /** the tag of images that the cluster has beside those of the manifests */
  readonly version: string;
  /** where commands are run */
  readonly checkout: string;
  readonly env: NodeJS.ProcessEnv;
  /** the address of its machine */
  readonly #host: string;
  readonly #folder: string;
  #kept: Kept | undefined;
  /** a key that is deleted after the backup */
  #doomed: { id: number; token: string } | undefined;
  #lostDivision = 0;

  private constructor(
    folder: string,
    checkout: string,
    env: NodeJS.ProcessEnv,
    host: string,
    version: string,
  ) {
    [this.#folder, this.checkout, this.env, this.#host, this.version] = [
      folder,
      checkout,
      env,
      host,
      version,
    ];
  }

  /** @param folder what is kept between runs, with the home of the commands */
  static async open(folder: string, checkout: string, kubeconfig: string, version: string): Promise<Cluster> {
    const env = { ...process.env, KUBECONFIG: kubeconfig, HOME: folder };
    const { stdout: host } = await promisify(execFile)(
      'kubectl',
      ['get', 'nodes', '-o', 'jsonpath={.items[0].status.addresses[?(@.type=="InternalIP")].address}'],
      { env },
    );
    const cluster = new Cluster(folder, checkout, env, host, version);
    const kept = await readFile(join(folder, 'installed.json'), 'utf8').catch(() => undefined);
    if (kept !== undefined) cluster.#kept = JSON.parse(kept) as Kept;
    return cluster;
  }

  get isInstalled(): boolean {
    return this.#kept !== undefined;
  }
  get regionUrl(): string {
    return this.#urlOf('cloud_a');
  }
  get apiKey(): string {
    return this.#installed.api_key;
  }
  get apiUrl(): string {
    return this.#url(30080);
  }
  get deploymentsPath(): string {
    return `${this.#division}/environments/${this.#installed.environment}/deployments`;
  }
  get otherRegionUrl(): string {
    return this.#urlOf('cloud_b');
  }
  publish(url: string): Promise<void> {
    return streamOf(this.apiKey).publish(url);
  }
  stored(url: string): Promise<number> {
    return streamOf(this.apiKey).stored(url);
  }
  get deployment(): number {
    return this.#installed.deployments.cloud_a;
  }

  async kubectl(...args: string[]): Promise<string> {
    const { stdout } = await promisify(execFile)('kubectl', args, { env: this.env, maxBuffer: 64_000_000 });
    return stdout;
  }

  /** Takes the first tenant over that was printed, and makes deployments with messages. */
  async enter(output: string): Promise<void> {
    const seeded = JSON.parse(/^\{.*"api_key".*\}$/m.exec(output)?.[0] ?? '') as Kept;
    this.#kept = { ...seeded, environment: 0, deployments: { cloud_a: 0, cloud_b: 0 } };
    const made = await eventually(async () => {
      const answer = await this.#main().post(`${this.#division}/environments`, { name: 'runbooks' });
      return this.#expect(answer, 201);
    }, patience);
    this.#kept.environment = Number(made['id']);
    for (const cloud of clouds) this.#kept.deployments[cloud] = await this.#create(cloud);
    for (const cloud of clouds) await this.#fill(cloud);
    await writeFile(join(this.#folder, 'installed.json'), JSON.stringify(this.#kept));
    await this.healthy();
  }

  /** Waits until all APIs answer, deployments run with all their messages, and the audit log verifies. */
  async healthy(): Promise<void> {
    const { tenant_id, environment, deployments } = this.#installed;
    await eventually(async () => {
      for (const cloud of clouds) {
        const id = deployments[cloud];
        const { status, nodes } = await this.#region(cloud, id);
        const states = [status, ...nodes.map((node) => node.status)].join(', ');
        if (states !== 'initialized, healthy') throw new Error(`the deployment ${id} is ${states}`);
        const path = `${this.#division}/environments/${environment}/deployments/${id}`;
        const shown = this.#expect(await this.#main().get(path), 200);
        if (shown['status'] !== 'initialized')
          throw new Error(`main-api shows it as ${String(shown['status'])}`);
        const connection = await connectBroker(await this.#broker(cloud), await this.#login(cloud));
        const { state } = await (await jetstreamManager(connection)).streams.info('orders');
        await connection.close();
        if (state.messages !== messages) throw new Error(`${state.messages} messages`);
      }
      const verified = this.#expect(
        await client(this.#url(30081), this.apiKey).get(`/audit/tenants/${tenant_id}/verify`),
        200,
      );
      if (verified['intact'] !== true) throw new Error(`the audit log: ${JSON.stringify(verified)}`);
    }, patience);
  }

  async deadLetter(): Promise<number> {
    const file = join(this.#folder, 'sluice-secrets/secrets/nats-operator.nk');
    return await this.deadLetterBy((await readFile(file, 'utf8')).trim());
  }

  /** @param seed that of the user nats-operator */
  async deadLetterBy(seed: string): Promise<number> {
    const { tenant_id } = this.#installed;
    return await this.withNats(async (address) => await deadLetter(address, seed, tenant_id));
  }

  /** Opens a way to NATS of the control plane while `work` lasts, which gets its address. */
  async withNats<Result>(work: (address: string) => Promise<Result>): Promise<Result> {
    const local = 14_223;
    const forward = ['-n', 'sluice-data', 'port-forward', 'service/nats', `${local}:4222`];
    const tunnel = execFile('kubectl', forward, { env: this.env });
    try {
      return await work(`127.0.0.1:${local}`);
    } finally {
      tunnel.kill();
    }
  }

  /** The images of a Deployment's pods that run. */
  async images(namespace: string, name: string): Promise<string[]> {
    const label = `app.kubernetes.io/name=${name}`;
    const path = 'jsonpath={.items[*].spec.containers[0].image}';
    return (await this.kubectl('-n', namespace, 'get', 'pods', '-l', label, '-o', path)).trim().split(/\s+/);
  }

  /** How often the services of a Deployment have said so. */
  async said(namespace: string, name: string, phrase: string): Promise<number> {
    const log = await this.kubectl(
      '-n',
      namespace,
      'logs',
      '-l',
      `app.kubernetes.io/name=${name}`,
      '--tail=-1',
    );
    return log.split(phrase).length - 1;
  }

  /** Has a Deployment so many pods, and waits for them. */
  async scale(namespace: string, name: string, replicas: number): Promise<void> {
    await this.kubectl('-n', namespace, 'scale', `deployment/${name}`, `--replicas=${replicas}`);
    const selector = ['-l', `app.kubernetes.io/name=${name}`, '--timeout=10m'];
    await (replicas === 0
      ? this.kubectl('-n', namespace, 'wait', '--for=delete', 'pod', ...selector)
      : this.kubectl('-n', namespace, 'rollout', 'status', `deployment/${name}`));
  }

  /** Before the backup: a key that is deleted after it. */
  async prepareRestore(): Promise<void> {
    this.#doomed = await this.makeKey();
    if ((await this.statusesOf(this.#doomed.token)).some((status) => status !== 200))
      throw new Error('the key does not open');
  }

  /** After it. */
  async changeAfterBackup(): Promise<void> {
    await this.deleteKey(this.#doomed?.id ?? 0);
    const made = await this.#main().post(`${this.#tenant}/divisions`, { name: `lost ${Date.now()}` });
    this.#lostDivision = Number(this.#expect(made, 201)['id']);
  }

  /** What was removed stays so, what was made is lost, and its id is not given out again. */
  async restored(): Promise<void> {
    const statuses = await this.statusesOf(this.#doomed?.token ?? '');
    if (statuses.some((status) => status !== 401)) throw new Error(`the deleted key: ${statuses.join(', ')}`);
    const lost = await this.#main().get(`${this.#tenant}/divisions/${this.#lostDivision}`);
    this.#expect(lost, 404);
    const made = await eventually(async () => {
      const answer = await this.#main().post(`${this.#tenant}/divisions`, { name: `next ${Date.now()}` });
      return this.#expect(answer, 201);
    }, patience);
    if (Number(made['id']) <= this.#lostDivision)
      throw new Error(`the id ${String(made['id'])} is given out again`);
  }

  /** Whether a deployment can be created in a region; else why not. */
  async creationRefused(cloud: Cloud): Promise<void> {
    await eventually(
      async () => {
        const path = `${this.deploymentsPath}/managed`;
        const place = { cloud, region: regions[cloud].region, tier: 'small', cluster: 'standalone' };
        const answer = await this.#main().post(path, { name: `refused-${Date.now()}`, ...place });
        const text = JSON.stringify(answer.body);
        if (answer.status !== 400 || !text.includes('takes no new deployments')) {
          if (answer.status === 202) await this.#remove(Number(answer.headers.get('svc-deployment')));
          throw new Error(`${answer.status} ${text}`);
        }
      },
      { ...patience, everyMs: 10_000 },
    );
  }

  /** The production example in the checkout, for a cluster of one machine without load balancers. */
  async productionOnOneMachine(): Promise<void> {
    for (const folder of ['control-plane', 'regions/cloud-a-us-east-1', 'regions/cloud-b-us-central1']) {
      const file = join(this.checkout, 'k8s/examples/production', folder, 'kustomization.yaml');
      const up = folder.includes('/') ? '../../../..' : '../../..';
      const text = await readFile(file, 'utf8');
      const changed = text
        .replace(
          'components:\n',
          `components:\n  - ${up}/components/one-machine\n  - ${up}/examples/local/settings\n`,
        )
        .replace(/(AGENT_API_URL=[^\]]+)/, '$1, KUBERNETES_SERVICE_TYPE=NodePort, BROKER_PLAIN_TEXT=true');
      await writeFile(
        file,
        changed
          .replace(`  - ${up}/components/edge\n`, '')
          .replace(`  - ${up}/components/data-in-cluster\n`, ''),
      );
    }
  }

  /** Creates a deployment, waits until it runs, and deletes it: the supervisor has the rights for both. */
  async createsAndRemoves(cloud: Cloud, at: Where = regions[cloud]): Promise<void> {
    const id = await this.#create(cloud, `passing-${Date.now()}`, at);
    await eventually(async () => {
      const { status } = await this.#region(cloud, id, at);
      if (status !== 'initialized') throw new Error(`the deployment ${id} is ${status}`);
    }, patience);
    await this.#remove(id);
    const namespace = `sluice-${cloud.replace('_', '-')}-${at.region}-d${id}`;
    await this.kubectl('wait', '--for=delete', `namespace/${namespace}`, '--timeout=10m');
  }

  /** Deletes all deployments, and waits until nothing of them is in the cluster. */
  async deleteAll(): Promise<void> {
    for (const id of Object.values(this.#installed.deployments)) await this.#remove(id);
    await eventually(async () => {
      const left = await this.kubectl('get', 'namespaces', '-l', 'sluice.example/owner', '-o', 'name');
      if (left !== '') throw new Error(left);
    }, patience);
  }

  /** A key of the tenant that can read it. */
  async makeKey(): Promise<{ id: number; token: string }> {
    const expiry_at = new Date(Date.now() + 3_600_000).toISOString();
    const input = { name: `key ${Date.now()}`, permissions: { tenant: ['info:read'] }, expiry_at };
    const made = this.#expect(await this.#main().post(`${this.#tenant}/api_keys`, input), 201);
    return { id: Number(made['id']), token: String(made['token']) };
  }

  async deleteKey(id: number): Promise<void> {
    this.#expect(await this.#main().delete(`${this.#tenant}/api_keys/${id}`), 204);
  }

  /** What main-api and a supervisor answer to a key. */
  async statusesOf(token: string): Promise<number[]> {
    const answers = [
      client(this.#url(30080), token).get(this.#tenant),
      client(this.#urlOf('cloud_a'), token).get(`${this.#tenant}/summary`),
    ];
    return (await Promise.all(answers)).map(({ status }) => status);
  }

  /** Waits until main-api offers a region. */
  async offers(cloud: string, region: string): Promise<void> {
    await eventually(async () => {
      const answer = await this.#main().get<{ key: string }[]>(`${this.#tenant}/clouds/${cloud}/regions`);
      if (!JSON.stringify(answer.body).includes(`"${region}"`)) throw new Error(JSON.stringify(answer.body));
    }, patience);
  }

  /**
   * Asks all layers again and again.
   * @returns ends it, and says what was not answered
   */
  watch(): () => Promise<string[]> {
    const failures: string[] = [];
    const ended = new AbortController();
    const probes = [
      this.#url(30080) + this.#tenant,
      `${this.#url(30081)}/audit${this.#tenant}?results=1`,
      `${this.#urlOf('cloud_a')}${this.#tenant}/summary`,
    ];
    const options = () => ({ headers: { 'svc-api-key': this.apiKey }, signal: AbortSignal.timeout(20_000) });
    const ask = async (probe: string): Promise<string | undefined> => {
      const answer = await fetch(probe, options()).catch((error: unknown) => String(error));
      if (typeof answer === 'string') return answer;
      const text = await answer.text();
      return answer.status === 200 ? undefined : `${answer.status} ${text.slice(0, 300)}`;
    };
    const watching = probes.map(async (probe) => {
      while (!ended.signal.aborted) {
        let failure = await ask(probe);
        // a machine that is too busy for a lease says so, and is asked again
        if (failure?.includes('"retryable":true')) {
          await pause(2_000);
          failure = await ask(probe);
        }
        if (failure !== undefined) failures.push(`${probe}: ${failure}`);
        await pause(200);
      }
    });
    return async () => {
      ended.abort();
      await Promise.all(watching);
      return failures;
    };
  }

  /** Waits until the supervisor has made the sealing key of the node anew, and the node runs with it. */
  async sealedAnew(before: string): Promise<void> {
    await eventually(async () => {
      const now = await this.sealing();
      if (now === before || now.includes('""')) throw new Error(`the key and the pod are ${now}`);
    }, patience);
  }

  /** The sealing key's Secret and the node's pod, as they are now. */
  async sealing(): Promise<string> {
    const node = await this.node();
    const space = `sluice-cloud-a-us-east-1-d${this.deployment}`;
    const uidOf = (object: string) =>
      this.kubectl('-n', space, 'get', object, '-o', 'jsonpath={.metadata.uid}').catch(() => '');
    return JSON.stringify([await uidOf(`secret/node-${node}-sealing`), await uidOf(`pod/node-${node}-0`)]);
  }

  /** The node of the deployment. */
  async node(): Promise<number> {
    const { nodes } = await this.#region('cloud_a', this.deployment);
    return nodes[0]?.id ?? 0;
  }

  /** The machine of the cluster. */
  async machine(): Promise<string> {
    return await this.kubectl('get', 'nodes', '-o', 'jsonpath={.items[0].metadata.name}');
  }

  /** Plans a maintenance of the deployment's node for now, and waits until its broker is stopped. */
  async beginMaintenance(): Promise<void> {
    await this.#maintenance('plan', '--node', String(await this.node()), '--at', 'now');
    const id = String(await this.lastMaintenance());
    await eventually(async () => {
      const shown = await this.#maintenance('show', id);
      if (!/ stopped$/m.test(shown)) throw new Error(shown);
    }, patience);
  }

  async lastMaintenance(): Promise<number> {
    const all = JSON.parse(await this.#maintenance('list', '--json')) as { id: number }[];
    return all.at(-1)?.id ?? 0;
  }

  #maintenance(...args: string[]): Promise<string> {
    const admin = [
      'exec',
      'deployment/admin',
      '--',
      'sluice-admin',
      '--service=supervisor-cloud-a-us-east-1',
    ];
    return this.kubectl('-n', 'sluice', ...admin, 'maintenance', ...args);
  }

  /** `stack.json`, as `npm start` writes it. */
  async writeStackFile(): Promise<void> {
    await writeFile(join(this.checkout, 'stack.json'), JSON.stringify(this.#addressed));
  }

  /** Where it is, and the broker of a deployment. */
  async used() {
    const broker = (await this.#broker('cloud_a')) ?? '';
    return { ...this.#addressed, broker, login: await this.#login('cloud_a') };
  }

  get #addressed() {
    const { tenant_id, division_id, api_key } = this.#installed;
    return {
      ...{ tenant_id, division_id, api_key, base_url: this.#url(30080), audit_url: this.#url(30081) },
      supervisors: clouds.map((cloud) => ({ cloud, region: regions[cloud].region, url: this.#urlOf(cloud) })),
    };
  }

  get #installed(): Kept {
    if (!this.#kept) throw new Error('nothing is installed: kubernetes comes first');
    return this.#kept;
  }
  get #tenant(): string {
    return `/tenants/${this.#installed.tenant_id}`;
  }
  get #division(): string {
    return `${this.#tenant}/divisions/${this.#installed.division_id}`;
  }
  #url(port: number): string {
    return `http://${this.#host}:${port}`;
  }
  #urlOf(cloud: Cloud): string {
    return this.#url(regions[cloud].port);
  }
  #main(): Client {
    return client(this.#url(30080), this.apiKey);
  }
  #supervisor(cloud: Cloud): Client {
    return client(this.#urlOf(cloud), this.apiKey);
  }

  #expect<Body>({ status, body }: { status: number; body: Body }, wanted: number): Body {
    if (status !== wanted)
      throw new Error(`${status} instead of ${wanted}: ${JSON.stringify(body).slice(0, 500)}`);
    return body;
  }

  async #create(
    cloud: Cloud,
    name = `orders-${cloud.replace('_', '-')}`,
    { region }: Where = regions[cloud],
  ): Promise<number> {
    const path = `${this.deploymentsPath}/managed`;
    const place = { cloud, region, tier: 'small', cluster: 'standalone' };
    return await eventually(async () => {
      const answer = await this.#main().post(path, { name, ...place });
      this.#expect(answer, 202);
      return Number(answer.headers.get('svc-deployment'));
    }, patience);
  }

  async #remove(id: number): Promise<void> {
    await this.#main().delete(
      `${this.#division}/environments/${this.#installed.environment}/deployments/${id}`,
    );
  }

  async #region(cloud: Cloud, id: number, { port }: Where = regions[cloud]) {
    const answer = await client(this.#url(port), this.apiKey).get<{
      status: string;
      endpoints: { broker_tcp: string | null };
      nodes: { id: number; status: string }[];
    }>(`/deployments/${id}`);
    return this.#expect(answer, 200);
  }

  async #broker(cloud: Cloud): Promise<string | null> {
    return (await this.#region(cloud, this.#installed.deployments[cloud])).endpoints.broker_tcp;
  }

  async #login(cloud: Cloud): Promise<Login> {
    const path = `/deployments/${this.#installed.deployments[cloud]}/credentials`;
    return this.#expect(await this.#supervisor(cloud).get<Login>(path), 200);
  }

  /** Lets clients in and stores messages. */
  async #fill(cloud: Cloud): Promise<void> {
    const id = this.#installed.deployments[cloud];
    await eventually(async () => {
      const { status } = await this.#region(cloud, id);
      if (status !== 'initialized') throw new Error(`the deployment ${id} is ${status}`);
    }, patience);
    const allowed = { broker_tcp: true, broker_http: false, broker_websocket: false, broker_udp: false };
    const rule = { name: 'all', cidr_blocks: ['0.0.0.0/0'], rules: allowed };
    this.#expect(await this.#supervisor(cloud).post(`/deployments/${id}/access_rules`, rule), 201);
    const connection = await eventually(
      async () => connectBroker(await this.#broker(cloud), await this.#login(cloud)),
      patience,
    );
    await publishAndRead(connection, messages);
    await connection.close();
  }
}
