import { randomUUID } from 'node:crypto';
import {
  commandSchemas,
  connectors,
  eventSchema,
  regionOptions,
  type DeploymentSpec,
  type Inventory,
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

  register(inventory?: Inventory): Promise<void> {
    const { cloud, region, supervisorUrl: supervisor_url } = this;
    const options = { managed: [...regionOptions], byoc: [...regionOptions] };
    const plugins = connectors.map(({ type, key }) => ({ type, key }));
    const provided = { clusters: false, options, plugins };
    return this.report('region_registered', { cloud, region, supervisor_url, ...provided, inventory });
  }

  async report<Type extends ReportType>(type: Type, data: ReportData<Type>): Promise<void> {
    const message = {
      id: randomUUID(),
      type,
      occurred_at: new Date().toISOString(),
      correlation_id: null,
      data,
    };
    const sender = supervisorOf(this);
    await say(this.#on, sender, this.#on.topology.subjects.report(sender, type), message);
  }

  async status(
    deploymentId: number,
    version: number,
    status: ReportData<'deployment_status'>['status'],
    reason: string | null = null,
    uid?: string,
  ) {
    const changed_at = new Date().toISOString();
    await this.report('deployment_status', {
      uid: uid ?? (await this.uid(deploymentId)),
      deployment_id: idOf<DeploymentId>(deploymentId),
      version,
      status,
      status_reason: reason,
      changed_at,
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

  /** The newest shape that was sent for a deployment, with its generation. */
  shape(deploymentId: number): Promise<{ generation: number; deployment: DeploymentSpec }> {
    return eventually(() => {
      const applied = this.commands
        .filter(({ type }) => type === 'deployment_apply')
        .map(({ data }) => commandSchemas.deployment_apply.parse(data))
        .filter(({ deployment }) => deployment.id === deploymentId);
      const newest = applied.at(-1);
      if (!newest) throw new Error('no shape has come yet');
      return newest;
    });
  }

  async uid(deploymentId: number): Promise<string> {
    return (await this.shape(deploymentId)).deployment.uid;
  }

  /** The event of a type that belongs to a request, by the request id of its answer. */
  event(type: string, headers: Headers): Promise<Event> {
    const request = headers.get('svc-request');
    return eventually(() => {
      const found = this.events.find(
        (event) => event.type === type && event.correlation_id?.replaceAll('-', '') === request,
      );
      if (!found) throw new Error(`no ${type} has come yet`);
      return found;
    });
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
