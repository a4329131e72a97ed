import {
  consumersOf,
  databaseEntry,
  idOf,
  inboxOf,
  natsPermissions,
  operator,
  operatorInbox,
  operatorPermissions,
  redriveOf,
  topology,
  type NatsPermissions,
  type Sender,
  type TenantId,
} from '@sluice/contracts';
import { ensureGrantBuckets } from '@sluice/grants';
import { ensureBucket, sharedBucketOf } from '@sluice/messaging';
import { natsPublicKey, newNatsSeed, type NatsUser } from '@sluice/embedded';
import { eventually, ownNats } from '@sluice/testing';
import { AckPolicy, jetstream, jetstreamManager, type JetStreamManager } from '@nats-io/jetstream';
import { connect, headers, nkeyAuthenticator, type NatsConnection } from '@nats-io/transport-node';

const names = topology('sluice');
const { streams, subjects, buckets } = names;
const here = 'supervisor/cloud_a/us-east-1';
const there = 'supervisor/cloud_b/us-central1';
const senders: Sender[] = ['main-api', 'audit', 'notifier', here, there];
const attackers = ['audit', 'notifier', here, operator] as const;
type Attacker = (typeof attackers)[number];

const permissionsOf = (user: Attacker) =>
  user === operator ? operatorPermissions(names) : natsPermissions(names, user);
const bucketStreams = Object.values(buckets).map((bucket) => `KV_${bucket}`);
const kept = [...Object.values(streams).map(({ name }) => name), ...bucketStreams];

/** Where nothing of an attacker's may get to: another's subjects, its inbox, and the API by which streams are changed. */
const targetsOf = (attacker: Attacker) =>
  [
    subjects.command('cloud_b', 'us-central1', 'deployment_delete'),
    subjects.report(there, 'region_registered'),
    subjects.mail('protection_code'),
    subjects.event('main-api', idOf<TenantId>(1), 'tenant_deleted'),
    subjects.event(there, idOf<TenantId>(1), 'deployment_failed'),
    subjects.deadLetter('main-api'),
    `$KV.${buckets.grants}.1.${'0'.repeat(64)}`,
    `$KV.${buckets.grantAcks}.supervisor.cloud_b.us-central1.one`,
    databaseEntry(buckets.databases, 'main-api'),
    databaseEntry(buckets.databases, there),
    `${subjects.grantsStored}.x`,
    `${inboxOf('main-api')}.guessed`,
    `${inboxOf(there)}.guessed`,
    ...kept.flatMap((name) =>
      ['DELETE', 'PURGE', 'MSG.DELETE'].map((verb) => `$JS.API.STREAM.${verb}.${name}`),
    ),
    `$JS.API.CONSUMER.DELETE.${streams.commands.name}.supervisor-cloud_b-us-central1`,
  ].filter((target) => !permissionsOf(attacker).publish.includes(target));

/** A server with all that main-api makes, and a user for each attacker. */
async function installation(permit: (permissions: NatsPermissions) => NatsPermissions) {
  const everything = newNatsSeed();
  const seeds = new Map(attackers.map((attacker) => [attacker, newNatsSeed()]));
  const users: NatsUser[] = [...seeds].map(([attacker, seed]) => ({
    nkey: natsPublicKey(seed),
    permissions: permit(permissionsOf(attacker)),
  }));
  const server = await ownNats([{ nkey: natsPublicKey(everything) }, ...users]);
  const connectBy = (seed: string, inboxPrefix: string) =>
    connect({
      servers: server.url,
      authenticator: nkeyAuthenticator(new TextEncoder().encode(seed)),
      inboxPrefix,
      ignoreAuthErrorAbort: true,
    });
  const owner = await connectBy(everything, '_INBOX_owner');
  const manager = await jetstreamManager(owner);
  for (const { name, subjects: all } of Object.values(streams))
    await manager.streams.add({ name, subjects: [...all] });
  await ensureGrantBuckets(manager, names, 1);
  await ensureBucket(manager, { ...sharedBucketOf(buckets.databases), num_replicas: 1 });
  for (const sender of senders)
    for (const read of consumersOf(names, sender).flatMap((each) => [each, redriveOf(names, each.name)]))
      await manager.consumers.add(read.stream.name, {
        durable_name: read.name,
        ack_policy: AckPolicy.Explicit,
        ...(read.filter && { filter_subject: read.filter }),
      });
  // what stood there before, with something for each consumer; an empty message is a question to an API
  const deleted = headers();
  deleted.set('KV-Operation', 'DEL');
  for (const subject of [
    subjects.event('main-api', idOf<TenantId>(1), 'division_created'),
    subjects.command('cloud_a', 'us-east-1', 'one'),
    subjects.command('cloud_b', 'us-central1', 'one'),
    subjects.report(there, 'one'),
    subjects.mail('one'),
    ...senders.flatMap((sender) => consumersOf(names, sender).map(({ name }) => subjects.redrive(name))),
    `$KV.${buckets.grants}.1.${'1'.repeat(64)}`,
    `$KV.${buckets.grantAcks}.supervisor.cloud_b.us-central1.two`,
    databaseEntry(buckets.databases, there),
  ])
    for (const text of ['before', ''])
      await jetstream(owner).publish(subject, text, text ? {} : { headers: deleted });
  const attacker = (name: Attacker) =>
    connectBy(seeds.get(name) ?? '', name === operator ? operatorInbox : inboxOf(name));
  return { server, owner, manager, attacker };
}

/** What there is: streams and consumers as they are configured, without those that the attacker may delete, and each message. */
async function contents(manager: JetStreamManager, attacker: Attacker) {
  const { publish } = permissionsOf(attacker);
  const found: { configured: unknown[]; messages: { place: string; subject: string; text: string }[] } = {
    configured: [],
    messages: [],
  };
  for await (const { config, state } of manager.streams.list()) {
    found.configured.push(config);
    for await (const consumer of manager.consumers.list(config.name))
      if (!publish.includes(`$JS.API.CONSUMER.DELETE.${config.name}.${consumer.name}`))
        found.configured.push(consumer.config);
    for (let seq = Math.max(state.first_seq, 1); seq <= state.last_seq; seq++) {
      const message = await manager.streams.getMessage(config.name, { seq });
      if (message)
        found.messages.push({
          place: `${config.name} ${seq}`,
          subject: message.subject,
          text: message.string(),
        });
    }
  }
  return found;
}

/** A subject that a pattern allows. */
const oneOf = (pattern: string) => pattern.replaceAll('*', '1').replace(/>$/, 'mine');

const config = (more: object) => JSON.stringify({ name: 'MINE', ...more });
const payloads = [
  'placed by an attacker',
  '',
  '1',
  JSON.stringify({ seq: 1, batch: 10 }),
  JSON.stringify({ last_by_subj: `$KV.${buckets.grants}.1.${'1'.repeat(64)}` }),
];

/** Everything that a user may publish, with each target as the subject of the answer, and all that places messages by itself. */
async function attack(nats: NatsConnection, attacker: Attacker): Promise<void> {
  const { publish } = permissionsOf(attacker);
  const rollup = headers();
  rollup.set('Nats-Rollup', 'all');
  for (const target of targetsOf(attacker)) {
    for (const pattern of publish.filter((each) => !each.startsWith('$JS.ACK.')))
      for (const payload of payloads) {
        nats.publish(oneOf(pattern), payload, { reply: target });
      }
    const push = { deliver_subject: target, ack_policy: 'none', deliver_policy: 'all' };
    for (const name of kept)
      for (const [verb, durable] of [
        [`CONSUMER.CREATE.${name}.mine`, 'mine'],
        [`CONSUMER.DURABLE.CREATE.${name}.mine`, 'mine'],
        ...publishedConsumers(attacker).map((own) => [`CONSUMER.CREATE.${name}.${own}`, own]),
      ])
        nats.publish(
          `$JS.API.${verb}`,
          JSON.stringify({
            stream_name: name,
            action: '',
            config: { ...push, name: durable, durable_name: durable },
          }),
        );
    nats.publish(target, 'placed by an attacker');
    await nats.flush();
  }
  for (const verb of ['CREATE', 'UPDATE'])
    for (const [name, more] of [
      ['MINE', { sources: [{ name: streams.mails.name }] }],
      ['MINE', { mirror: { name: streams.mails.name } }],
      ['MINE', { subjects: ['mine'], republish: { src: '>', dest: 'sluice.commands.>' } }],
      ['MINE', { subjects: ['mine'], subject_transform: { src: '>', dest: 'sluice.commands.>' } }],
      [streams.events.name, { subjects: ['sluice.events.>'], republish: { src: '>', dest: 'stolen.>' } }],
    ] as const)
      nats.publish(`$JS.API.STREAM.${verb}.${name}`, config({ ...more, name }));
  for (const name of kept) {
    for (const verb of ['DELETE', 'PURGE']) nats.publish(`$JS.API.STREAM.${verb}.${name}`, '');
    for (const sender of senders.filter((each) => each !== attacker))
      for (const { name: consumer } of consumersOf(names, sender)) {
        nats.publish(`$JS.API.CONSUMER.DELETE.${name}.${consumer}`, '');
        nats.publish(`$JS.ACK.${name}.${consumer}.1.1.1.1.0`, '+TERM');
      }
  }
  for (const pattern of publish.filter((each) => !each.startsWith('$JS.')))
    nats.publish(oneOf(pattern), 'rolled up', { headers: rollup });
  await nats.flush();
}

const publishedConsumers = (attacker: Attacker) =>
  attacker === operator ? [] : consumersOf(names, attacker).map(({ name }) => name);

/** What has come to where the attacker may not publish, or is gone, or is configured otherwise. */
async function damageBy(
  attacker: Attacker,
  permit: (permissions: NatsPermissions) => NatsPermissions = (as) => as,
): Promise<string[]> {
  const { server, owner, manager, attacker: connectAs } = await installation(permit);
  try {
    const before = await contents(manager, attacker);
    const seen: string[] = [];
    const targets = new Set(targetsOf(attacker));
    // a target that main-api or a broker of messages would hear: deliveries keep the subject that they were published on
    const watching = [...targets].map((target) =>
      owner.subscribe(target, { callback: () => void seen.push(target) }),
    );
    await owner.flush();
    const nats = await connectAs(attacker);
    await attack(nats, attacker);
    await nats.close();
    // what the server does later with what it has been asked
    await settled(manager);
    for (const subscription of watching) subscription.unsubscribe();
    const after = await contents(manager, attacker);
    const own = permissionsOf(attacker).publish;
    const mayHold = ({ place, subject }: { place: string; subject: string }) =>
      own.some((pattern) => matches(pattern, subject)) &&
      Object.values(streams).every(
        ({ name, subjects: all }) =>
          !place.startsWith(`${name} `) || all.some((one) => matches(one, subject)),
      );
    const places = new Set(after.messages.map(({ place }) => place));
    const known = new Set(before.messages.map(({ place }) => place));
    return [
      ...seen,
      ...after.messages
        .filter((message) => !known.has(message.place) && !mayHold(message))
        .map(({ place, subject }) => `${place}: ${subject}`),
      ...before.messages.filter(({ place }) => !places.has(place)).map(({ place }) => `gone: ${place}`),
      ...(JSON.stringify(after.configured) === JSON.stringify(before.configured)
        ? []
        : ['configured otherwise']),
    ];
  } finally {
    await owner.close();
    await server.remove();
  }
}

/** Waits until the server stores nothing more. */
async function settled(manager: JetStreamManager): Promise<void> {
  let last = '';
  await eventually(async () => {
    const { api, storage } = await manager.getAccountInfo();
    const now = `${storage} ${api.inflight ?? 0}`;
    const isStill = now === last;
    last = now;
    expect(isStill).toBe(true);
  });
}

function matches(pattern: string, subject: string): boolean {
  const tokens = subject.split('.');
  return pattern
    .split('.')
    .every(
      (token, place, all) =>
        token === '>' ||
        ((token === '*' || token === tokens[place]) && (all.includes('>') || all.length === tokens.length)),
    );
}

test.each(attackers)(
  'nothing that %s is permitted places a message where it may not publish, or takes one away',
  async (attacker) => {
    expect(await damageBy(attacker)).toEqual([]);
  },
  60_000,
);

test('the same users in one account could', async () => {
  const damage = await damageBy('audit', ({ account: _account, ...permissions }) => permissions);
  expect(damage).toContain('gone: SLUICE_COMMANDS 1');
  expect(damage).toContain(`$KV.${buckets.grantAcks}.supervisor.cloud_b.us-central1.one`);
}, 60_000);
