import type { TenantId } from './ids.ts';
import { subjectPartOf, type Sender } from './senders.ts';

/**
 * Names of the subjects, streams and buckets on NATS. A namespace keeps several stacks apart on one server. The second
 * token of a subject says which stream it belongs to. main-api makes the streams as declared here; the other services
 * wait until it has.
 */

const days = 24 * 60 * 60;

export interface StreamDeclaration {
  name: string;
  subjects: string[];
  /** `limits` keeps messages for everybody until they age out, `workqueue` until their one consumer has them */
  retention: 'limits' | 'workqueue';
  /** seconds; 0: no limit */
  maxAgeSeconds: number;
  /** beyond which messages are refused, and wait in the outbox of their sender; otherwise the oldest give way */
  limits?: { bytes: number; messagesPerSubject: number };
}

export function topology(namespace: string) {
  const stream = (kind: string) => `${namespace.toUpperCase()}_${kind}`;
  return {
    namespace,
    streams: {
      /** facts, read by audit and notifier */
      events: {
        name: stream('EVENTS'),
        subjects: [`${namespace}.events.>`],
        retention: 'limits',
        maxAgeSeconds: 30 * days,
      },
      /** from main-api to a region, or of channels to the notifier; one that is away for long finds them all */
      commands: {
        name: stream('COMMANDS'),
        subjects: [`${namespace}.commands.>`],
        retention: 'workqueue',
        maxAgeSeconds: 0,
        // a region that is away for weeks leaves the others their share
        limits: { bytes: 512 * 2 ** 20, messagesPerSubject: 100_000 },
      },
      /** from a region, or another service, to main-api */
      reports: {
        name: stream('REPORTS'),
        subjects: [`${namespace}.reports.>`],
        retention: 'workqueue',
        maxAgeSeconds: 0,
      },
      /** to be sent by the notifier, with sealed contents */
      mails: {
        name: stream('MAILS'),
        subjects: [`${namespace}.mails.>`],
        retention: 'workqueue',
        maxAgeSeconds: 7 * days,
      },
      /** messages that no consumer could handle, kept for a person to look at */
      deadLetters: {
        name: stream('DEAD_LETTERS'),
        subjects: [`${namespace}.dead.>`],
        retention: 'limits',
        maxAgeSeconds: 90 * days,
      },
    } satisfies Record<string, StreamDeclaration>,
    subjects: {
      event: (sender: Sender, tenantId: TenantId, type: string) =>
        `${namespace}.events.${subjectPartOf(sender)}.${tenantId}.${type}`,
      /** the events of a type that a sender sends, of all tenants */
      eventsOf: (sender: Sender, type: string) => `${namespace}.events.${subjectPartOf(sender)}.*.${type}`,
      command: (cloud: string, region: string, type: string) =>
        `${namespace}.commands.${cloud}.${region}.${type}`,
      commandsOf: (cloud: string, region: string) => `${namespace}.commands.${cloud}.${region}.>`,
      /** what main-api sends the notifier of channels */
      channelMessage: (type: string) => `${namespace}.commands.notifier.${type}`,
      channelMessages: `${namespace}.commands.notifier.*`,
      report: (sender: Sender, type: string) => `${namespace}.reports.${subjectPartOf(sender)}.${type}`,
      reportsOf: (sender: Sender) => `${namespace}.reports.${subjectPartOf(sender)}`,
      mail: (template: string) => `${namespace}.mails.${template}`,
      /** where main-api asks the notifier; the contents are sealed */
      notifierRequests: `${namespace}.requests.notifier`,
      /** where instances ask main-api whether the grants bucket is the one that it keeps */
      grantsConfirmation: `${namespace}.grants.confirm`,
      /** where NATS says which revision of the grants it has stored, with the key behind it */
      grantsStored: `${namespace}.grants.stored`,
      deadLetter: (consumer: string) => `${namespace}.dead.${consumer}`,
      /** of all consumers */
      deadLetters: `${namespace}.dead.*`,
      /** a dead letter that its consumer is to try again, and no other */
      redrive: (consumer: string) => `${namespace}.dead.redrive.${consumer}`,
    },
    buckets: {
      /** grants, by tenant and the SHA-256 of their token */
      grants: `${namespace}-grants`,
      /** the grant revision that each running instance has applied, by instance */
      grantAcks: `${namespace}-grant-acks`,
      /** the revision that each service's database has had, by sender */
      databases: `${namespace}-databases`,
    },
  } as const;
}

export type Topology = ReturnType<typeof topology>;
