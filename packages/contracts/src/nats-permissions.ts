import { eventTypes, type EventType } from './events.ts';
import { isSender, subjectPartOf, type Sender } from './senders.ts';
import type { StreamDeclaration, Topology } from './subjects.ts';

/**
 * Who may say and read what on NATS, in one place: the permissions of the NATS users follow from it, and what a
 * consumer believes of whom.
 */

/** What a NATS user may do, as nats-server's configuration says it. Everything else is refused. */
export interface NatsPermissions {
  /** the account that it has to itself; default: the one with the streams, in which answers go to any subject that a request names */
  account?: string;
  publish: string[];
  subscribe: string[];
  /** whether it may answer requests that it receives */
  answers: boolean;
  /** of `subscribe`, what is heard of the account with the streams */
  hears?: string[];
  /** of `subscribe`, what is answered to the account with the streams */
  serves?: string[];
}

/** The subjects on which a sender may send messages, with NATS' wildcards. */
export function sendableSubjects({ namespace, subjects }: Topology, sender: Sender): string[] {
  if (sender === 'main-api')
    return [`${namespace}.events.main-api.>`, `${namespace}.commands.>`, `${namespace}.mails.>`];
  const speaker = sender === 'audit' || sender === 'notifier' ? sender : 'region';
  const types = Object.entries<EventType>(eventTypes).filter(([, { saidBy }]) =>
    [saidBy].flat().includes(speaker),
  );
  return [`${subjects.reportsOf(sender)}.>`, ...types.map(([type]) => subjects.eventsOf(sender, type))];
}

/**
 * The only sender whose NATS user may publish on this subject; undefined where there is none. Events and reports name their sender,
 * commands and mails are main-api's.
 */
export function senderFor(names: Topology, subject: string): Sender | undefined {
  const tokens = subject.split('.');
  const [, kind, service = '', cloud, region] = tokens;
  const named = service === 'supervisor' ? `supervisor/${cloud}/${region}` : service;
  const sender = kind === 'commands' || kind === 'mails' ? 'main-api' : named;
  if (!isSender(sender)) return undefined;
  const type = tokens.at(-1) ?? '';
  // of a later release, whose NATS users may send it
  if (kind === 'events' && !Object.hasOwn(eventTypes, type))
    return matches(names.subjects.eventsOf(sender, type).split('.'), tokens) ? sender : undefined;
  return patternsOf(names, sender).some((pattern) => matches(pattern, tokens)) ? sender : undefined;
}

/**
 * Whether messages on this subject are signed, beside being bound to their sender by its NATS user: what a region is commanded, a
 * region's address, and the last message about a tenant.
 */
export function isSigned(subject: string): boolean {
  const [, kind] = subject.split('.');
  if (kind === 'commands') return true;
  return subject.endsWith(kind === 'reports' ? '.region_registered' : '.tenant_deleted');
}

/** by sender; what a namespace's are does not change */
const knownPatterns = new WeakMap<Topology, Map<Sender, string[][]>>();

/** The subjects of a sender as their tokens: they are compared with every message that comes. */
function patternsOf(names: Topology, sender: Sender): string[][] {
  const ofNames = knownPatterns.get(names) ?? new Map<Sender, string[][]>();
  knownPatterns.set(names, ofNames);
  const patterns =
    ofNames.get(sender) ?? sendableSubjects(names, sender).map((subject) => subject.split('.'));
  ofNames.set(sender, patterns);
  return patterns;
}

function matches(pattern: readonly string[], tokens: readonly string[]): boolean {
  const hasRest = pattern.at(-1) === '>';
  if (hasRest ? tokens.length < pattern.length : tokens.length !== pattern.length) return false;
  return pattern.every(
    (token, place) => token === '*' || token === tokens[place] || (hasRest && place === pattern.length - 1),
  );
}

/**
 * Everything that a sender's NATS user may do.
 * @param besideFormer whether what the release before needs is allowed as well, for the time of an upgrade
 */
export function natsPermissions(names: Topology, sender: Sender, besideFormer = false): NatsPermissions {
  const consumers = consumersOf(names, sender).flatMap((consumer) => [
    consumer,
    redriveOf(names, consumer.name),
  ]);
  const publish = [
    '$JS.API.INFO',
    ...sendableSubjects(names, sender),
    ...streamsOf(names, sender).flatMap(({ name }) => lookAt(name)),
    ...consumers.flatMap(consume),
    ...readsAgain(names, sender),
    ...readsByPlace(names, sender),
    ...consumersOf(names, sender).map(({ name }) => names.subjects.deadLetter(name)),
    ...(sender === 'notifier' ? [] : checkGrants(names, sender)),
    ...recordDatabase(names, sender),
  ];
  const inbox = `${inboxOf(sender)}.>`;
  const { grantsStored, grantsConfirmation, notifierRequests } = names.subjects;
  const former = besideFormer ? formerPublish(names, sender) : [];
  if (sender === 'main-api')
    return {
      publish: [...publish, notifierRequests, ...keepStreams(names), ...former],
      subscribe: [inbox, `${grantsStored}.>`, grantsConfirmation],
      answers: true,
    };
  const hears = sender === 'notifier' ? [] : [`${grantsStored}.>`];
  const serves = sender === 'notifier' ? [notifierRequests] : [];
  return {
    account: subjectPartOf(sender),
    // what both releases do is named once: each becomes an import of the account
    publish: [...new Set([...publish, ...former])],
    subscribe: [inbox, ...hears, ...serves],
    hears,
    serves,
    answers: serves.length > 0,
  };
}

/** The streams that a sender writes to or reads from. */
export function streamsOf(names: Topology, sender: Sender): StreamDeclaration[] {
  const own = [...sendableSubjects(names, sender), names.subjects.deadLetter('')];
  const read = consumersOf(names, sender).map(({ stream }) => stream.name);
  return Object.values<StreamDeclaration>(names.streams).filter(
    ({ name, subjects }) =>
      read.includes(name) ||
      own.some((subject) => subjects.some((all) => subject.startsWith(all.slice(0, -1)))),
  );
}

/** Where a sender gets its answers; only its own NATS user may read there. */
export const inboxOf = (sender: Sender) => `_INBOX_${subjectPartOf(sender)}`;

/** How an instance of a service calls itself; it announces the grants that it has applied under that name alone. */
export const instanceOf = (sender: Sender, unique: string) => `${subjectPartOf(sender)}.${unique}`;

/** A durable consumer, which the replicas of a service share. */
export interface ConsumerDeclaration {
  stream: StreamDeclaration;
  name: string;
  /** the subjects that it gets, where these are not all of the stream */
  filter?: string;
}

/** The messages that a sender reads itself. */
export function consumerOf({ streams, subjects }: Topology, sender: Sender): ConsumerDeclaration {
  switch (sender) {
    case 'main-api':
      return { stream: streams.reports, name: 'main-api' };
    case 'audit':
      return { stream: streams.events, name: 'audit' };
    case 'notifier':
      return { stream: streams.mails, name: 'notifier-mails' };
    default: {
      const [, cloud = '', region = ''] = sender.split('/');
      return {
        stream: streams.commands,
        name: `supervisor-${cloud}-${region}`,
        filter: subjects.commandsOf(cloud, region),
      };
    }
  }
}

/** All that a sender reads. */
export function consumersOf(names: Topology, sender: Sender): ConsumerDeclaration[] {
  const read = consumerOf(names, sender);
  return sender === 'notifier' ? [read, notifierEvents(names), notifierChannels(names)] : [read];
}

/** How the notifier reads the events that channels subscribe to. */
export const notifierEvents = ({ streams }: Topology): ConsumerDeclaration => ({
  stream: streams.events,
  name: 'notifier-events',
});

/** How the notifier reads the channels that main-api has. */
export const notifierChannels = ({ streams, subjects }: Topology): ConsumerDeclaration => ({
  stream: streams.commands,
  name: 'notifier-channels',
  filter: subjects.channelMessages,
});

/** How a consumer gets the dead letters that it is to try again. */
export function redriveOf({ streams, subjects }: Topology, consumer: string) {
  return {
    stream: streams.deadLetters,
    name: `${consumer}-redrive`,
    filter: subjects.redrive(consumer),
  } satisfies ConsumerDeclaration;
}

/** The NATS user of operators, who handle dead letters. */
export const operator = 'sluice-admin';

/** Where an operator's answers come. */
export const operatorInbox = `_INBOX_${operator}`;

/** What an operator's NATS user may do: read dead letters, have them tried again, and remove them. */
export function operatorPermissions({ streams: { deadLetters }, subjects }: Topology): NatsPermissions {
  return {
    account: operator,
    publish: [
      '$JS.API.INFO',
      ...lookAt(deadLetters.name),
      ...['GET', 'DELETE'].map((verb) => `$JS.API.STREAM.MSG.${verb}.${deadLetters.name}`),
      subjects.redrive('*'),
    ],
    subscribe: [`${operatorInbox}.>`],
    answers: false,
  };
}

const lookAt = (stream: string) => [`$JS.API.STREAM.INFO.${stream}`];

/** Reading by a consumer that main-api has made: who makes one names the subject to which it delivers. */
function consume({ stream, name }: ConsumerDeclaration): string[] {
  return [
    `$JS.API.CONSUMER.INFO.${stream.name}.${name}`,
    `$JS.API.CONSUMER.MSG.NEXT.${stream.name}.${name}`,
    `$JS.ACK.${stream.name}.${name}.>`,
  ];
}

/**
 * Deleting the own consumer of the events, which main-api then makes anew: how a service whose database was restored reads them again.
 * Only events stay in their stream when they were acknowledged.
 */
function readsAgain(names: Topology, sender: Sender): string[] {
  return consumersOf(names, sender)
    .filter(({ stream }) => stream.name === names.streams.events.name)
    .map(({ stream, name }) => `$JS.API.CONSUMER.DELETE.${stream.name}.${name}`);
}

/** Reading an event by its place: audit records them in the order of their stream, also those that another replica had got. */
function readsByPlace({ streams }: Topology, sender: Sender): string[] {
  return sender === 'audit' ? [`$JS.API.STREAM.MSG.GET.${streams.events.name}`] : [];
}

/** Reading the grants, announcing which are applied, and asking main-api whether they are current. */
function checkGrants({ buckets, subjects }: Topology, sender: Sender): string[] {
  return [
    ...lookAt(`KV_${buckets.grants}`),
    `$JS.API.DIRECT.GET.KV_${buckets.grants}`,
    ...lookAt(`KV_${buckets.grantAcks}`),
    `$KV.${buckets.grantAcks}.${subjectPartOf(sender)}.>`,
    subjects.grantsConfirmation,
  ];
}

/** Recording the revision of its own database, and reading it at its start. */
function recordDatabase({ buckets }: Topology, sender: Sender): string[] {
  const entry = databaseEntry(buckets.databases, sender);
  const stream = `KV_${buckets.databases}`;
  return [...lookAt(stream), `$JS.API.DIRECT.GET.${stream}.${entry}`, entry];
}

/** The subject of a sender's entry in the bucket of databases. */
export const databaseEntry = (bucket: string, sender: Sender) => `$KV.${bucket}.${subjectPartOf(sender)}`;

/** What services of the release before need besides. A release adds here what the next one takes away. */
const formerPublish: (names: Topology, sender: Sender) => string[] = () => [];

/** Consumers of a bucket that are not shared and end with the connection. */
const ownConsumersOf = (stream: string) => [
  ...['CREATE', 'INFO', 'MSG.NEXT', 'DELETE'].map((verb) => `$JS.API.CONSUMER.${verb}.${stream}.*`),
  `$JS.API.CONSUMER.CREATE.${stream}.*.>`,
];

/** What main-api alone does: it makes the streams, buckets and consumers, publishes the grants, and sees who has applied them. */
function keepStreams({ streams, buckets }: Topology): string[] {
  const kept = [
    ...Object.values<StreamDeclaration>(streams).map(({ name }) => name),
    `KV_${buckets.grants}`,
    `KV_${buckets.grantAcks}`,
    `KV_${buckets.databases}`,
  ];
  return [
    ...kept.flatMap((name) => [`$JS.API.STREAM.CREATE.${name}`, `$JS.API.STREAM.UPDATE.${name}`]),
    ...Object.values<StreamDeclaration>(streams).flatMap(({ name }) => [
      `$JS.API.CONSUMER.CREATE.${name}.>`,
      `$JS.API.CONSUMER.INFO.${name}.*`,
      // one that is ahead of a stream that was restored begins anew
      `$JS.API.CONSUMER.DELETE.${name}.*`,
      // how far the consumers of all services have got
      `$JS.API.CONSUMER.LIST.${name}`,
      `$JS.API.STREAM.MSG.GET.${name}`,
    ]),
    `$KV.${buckets.grants}.>`,
    // what stands there, where it is not what was thought, and what is long gone
    ...['GET', 'DELETE'].map((verb) => `$JS.API.STREAM.MSG.${verb}.KV_${buckets.grants}`),
    ...lookAt(`KV_${buckets.grantAcks}`),
    ...ownConsumersOf(`KV_${buckets.grantAcks}`),
  ];
}
