import { randomUUID } from 'node:crypto';
import {
  commandSchemas,
  connectors,
  eventSchema,
  regionOptions,
  type CommandData,
  type CommandType,
  type DeploymentSpec,
  type Event,
  type ReportData,
  type ReportType,
  idOf,
  supervisorOf,
  type DeploymentId,
} from '@sluice/contracts';
import {
  AckPolicy,
  DeliverPolicy,
  jetstream,
  jetstreamManager,
  type ConsumerMessages,
} from '@nats-io/jetstream';
import { eventually, say, type ServiceFixture } from '@sluice/testing';

export interface Command {
  type: string;
  correlation_id: string | null;
  data: unknown;
}

/** Ids of what an event is about. */
type About = { tenant_id?: number } & Partial<
  Record<'division' | 'environment' | 'deployment' | 'user' | 'author', number>
>;

/** where the streams are */
type RegionalStreams = Pick<ServiceFixture, 'nats' | 'topology'>;

/** Plays the supervisor of a region, and listens to all events as audit does. */
export class Region {
  readonly cloud = 'cloud_a';
  readonly region = 'us-east-1';
  readonly supervisorUrl = 'http://supervisor.test:8080';
  readonly commands: Command[] = [];
  readonly events: Event[] = [];
  readonly #on: RegionalStreams;
  #streams: ConsumerMessages[] = [];

  constructor(on: RegionalStreams) {
    this.#on = on;
  }

  /** Joins the namespace, whose streams main-api has made. */
  async open(): Promise<void> {
    await this.#listen();
  }

  async close(): Promise<void> {
    for (const stream of this.#streams.splice(0)) stream.stop();
  }

  /** Registers the region, which provides every option and connector, and no clusters. */
  register(more: Partial<ReportData<'region_registered'>> = {}): Promise<void> {
    const { cloud, region, supervisorUrl: supervisor_url } = this;
    const options = { managed: [...regionOptions], byoc: [...regionOptions] };
    const plugins = connectors.map(({ type, key }) => ({ type, key }));
    const provided = { clusters: false, options, plugins };
    return this.report('region_registered', { cloud, region, supervisor_url, ...provided, ...more });
  }

  /** Reports something. Resolves when main-api has taken it in. */
  async report<Type extends ReportType>(type: Type, data: ReportData<Type>): Promise<void> {
    const occurred_at = new Date().toISOString();
    const message = { id: randomUUID(), type, occurred_at, correlation_id: null, data };
    const sender = supervisorOf(this);
    await say(this.#on, sender, this.#on.topology.subjects.report(sender, type), message);
    await this.reportsTaken();
  }

  async status(
    deploymentId: number,
    version: number,
    status: ReportData<'deployment_status'>['status'] = 'initialized',
    more: Partial<ReportData<'deployment_status'>> = {},
  ) {
    await this.report('deployment_status', {
      uid: more.uid ?? (await this.uid(deploymentId)),
      deployment_id: idOf<DeploymentId>(deploymentId),
      ...{ version, status, status_reason: null, changed_at: new Date().toISOString() },
      ...more,
    });
  }

  async removed(deploymentId: number, uid?: string) {
    await this.report('deployment_removed', {
      uid: uid ?? (await this.uid(deploymentId)),
      deployment_id: idOf<DeploymentId>(deploymentId),
      removed_at: new Date().toISOString(),
    });
  }

  /** Resolves when main-api has taken in all that was reported until now. */
  async reportsTaken(): Promise<void> {
    const manager = await jetstreamManager(this.#on.nats);
    await eventually(async () => {
      const info = await manager.consumers.info(this.#on.topology.streams.reports.name, 'main-api');
      if (info.num_pending + info.num_ack_pending > 0) throw new Error('some reports are still waiting');
    });
  }

  /** The commands of a type about a deployment that have come, oldest first. */
  commandsOf<Type extends CommandType>(type: Type, deploymentId: number): CommandData<Type>[] {
    return this.commands
      .filter((command) => command.type === type)
      .map(({ data }) => commandSchemas[type].parse(data) as CommandData<Type>)
      .filter((data) => deploymentOf(data) === deploymentId);
  }

  /** The same, once at least `count` have come. */
  untilCommanded<Type extends CommandType>(type: Type, deploymentId: number, count = 1) {
    return eventually(() => {
      const found = this.commandsOf(type, deploymentId);
      if (found.length < count) throw new Error(`${found.length} of ${count} commands have come`);
      return found;
    });
  }

  /** The newest shape that was sent for a deployment, with its generation. */
  shape(deploymentId: number): Promise<{ generation: number; deployment: DeploymentSpec }> {
    return eventually(() => {
      const newest = this.commandsOf('deployment_apply', deploymentId).at(-1);
      if (!newest) throw new Error('no shape has come yet');
      return newest;
    });
  }

  async uid(deploymentId: number): Promise<string> {
    return (await this.shape(deploymentId)).deployment.uid;
  }

  /** The event of a type that belongs to a request, by the request id of its answer. */
  event(type: string, headers: Headers): Promise<Event> {
    return eventually(() => {
      const found = this.eventsOfRequests(headers).find((event) => event.type === type);
      if (!found) throw new Error(`no ${type} has come yet`);
      return found;
    });
  }

  /** The events of requests that have come, by the headers of their answers. */
  eventsOfRequests(...answers: Headers[]): Event[] {
    const requests = answers.map((headers) => headers.get('svc-request'));
    return this.events.filter(({ correlation_id }) =>
      requests.includes(correlation_id?.replaceAll('-', '') ?? ''),
    );
  }

  /** The events of a type about something that have come, oldest first. */
  eventsOf(type: string, about: About): Event[] {
    const ids = Object.entries(about) as [keyof About, number][];
    const idIn = (event: Event, name: keyof About) =>
      name === 'tenant_id' ? event.tenant_id : event[name]?.id;
    return this.events.filter(
      (event) => event.type === type && ids.every(([name, id]) => idIn(event, name) === id),
    );
  }

  async #listen(): Promise<void> {
    const { streams, subjects } = this.#on.topology;
    await this.#consume(streams.commands.name, subjects.commandsOf(this.cloud, this.region), (message) =>
      this.commands.push(message as Command),
    );
    await this.#consume(streams.events.name, `${this.#on.topology.namespace}.events.>`, (message) =>
      this.events.push(eventSchema.parse(message)),
    );
  }

  async #consume(stream: string, filter: string, take: (message: unknown) => void): Promise<void> {
    const manager = await jetstreamManager(this.#on.nats);
    const name = `test-${randomUUID()}`;
    await manager.consumers.add(stream, {
      durable_name: name,
      filter_subject: filter,
      ack_policy: AckPolicy.Explicit,
      deliver_policy: DeliverPolicy.All,
    });
    const consumer = await jetstream(this.#on.nats).consumers.get(stream, name);
    const messages = await consumer.consume();
    this.#streams.push(messages);
    void (async () => {
      for await (const message of messages) {
        take(message.json());
        message.ack();
      }
    })();
  }
}

const deploymentOf = (command: { deployment_id?: number; deployment?: { id: number } }) =>
  command.deployment?.id ?? command.deployment_id;
