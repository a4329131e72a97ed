import { consumerOf, databaseEntry, idOf, inboxOf, topology, type TenantId } from '@sluice/contracts';
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import { connect, errors, nkeyAuthenticator, type NatsConnection } from '@nats-io/transport-node';
import { natsUsers, newNatsSeed, ownNats, type OwnServer } from '@sluice/testing';
import winston from 'winston';
import { closeNats, connectNats } from './nats.ts';
import { Streams } from './streams.ts';

const names = topology('sluice');
const { streams, subjects, buckets } = names;
const here = 'supervisor/cloud_a/us-east-1';
const there = 'supervisor/cloud_b/us-central1';
const senders = ['main-api', 'audit', 'notifier', here, there] as const;
type Known = (typeof senders)[number];

const quiet = winston.createLogger({ silent: true });
const { users, environmentOf } = natsUsers(senders);
const connections = new Map<Known, NatsConnection>();
let server: OwnServer;

const as = (sender: Known): NatsConnection => {
  const nats = connections.get(sender);
  if (!nats) throw new Error(`${sender} is not connected`);
  return nats;
};
beforeAll(async () => {
  server = await ownNats(users);
  for (const sender of senders)
    connections.set(
      sender,
      await connectNats({ NATS_URL: server.url, ...environmentOf(sender) }, sender, sender, quiet),
    );
  const owned = new Streams({
    nats: as('main-api'),
    streams: Object.values(streams),
    owner: true,
    log: quiet,
  });
  await owned.start();
  await owned.check();
  await owned.stop();
  const { streams: manager } = await jetstreamManager(as('main-api'));
  for (const bucket of Object.values(buckets))
    await manager.add({ name: `KV_${bucket}`, subjects: [`$KV.${bucket}.>`], allow_direct: true });
});
afterAll(async () => {
  for (const nats of connections.values()) await closeNats(nats);
  await server.remove();
});

/** Whether NATS has taken a message into a stream. */
async function says(sender: Known, subject: string): Promise<boolean> {
  return await allowed(jetstream(as(sender), { timeout: 2_000 }).publish(subject, '{}'));
}

/** Whether NATS answers: an error of JetStream's own is an answer, too. */
async function asks(sender: Known, subject: string, question: unknown = {}): Promise<boolean> {
  return await allowed(as(sender).request(subject, JSON.stringify(question), { timeout: 2_000 }));
}

async function allowed(attempt: Promise<unknown>): Promise<boolean> {
  try {
    await attempt;
    return true;
  } catch (error) {
    const cause = error instanceof errors.RequestError ? error.cause : error;
    if (cause instanceof errors.PermissionViolationError) return false;
    throw error;
  }
}

async function reads(sender: Known, subject: string): Promise<boolean> {
  const nats = as(sender);
  const failed = new Promise<boolean>((resolve) => {
    const subscription = nats.subscribe(subject, {
      callback: (error) => {
        if (error instanceof errors.PermissionViolationError) resolve(false);
      },
    });
    void nats.flush().then(() => {
      resolve(true);
      subscription.unsubscribe();
    });
  });
  return await failed;
}

/** Which of the senders are allowed something. */
async function who(attempt: (sender: Known) => Promise<boolean>): Promise<Known[]> {
  const outcomes = await Promise.all(
    senders.map(async (sender) => ((await attempt(sender)) ? [sender] : [])),
  );
  return outcomes.flat();
}

const tenant = idOf<TenantId>(1);

test.each([
  ['tenant_deleted', subjects.event('main-api', tenant, 'tenant_deleted'), ['main-api']],
  ['deployment_created', subjects.event('main-api', tenant, 'deployment_created'), ['main-api']],
  ["a region's event", subjects.event(here, tenant, 'deployment_failed'), [here]],
  ["a region's event of main-api's type", subjects.event(here, tenant, 'tenant_deleted'), []],
  ['an event of a newer version', subjects.event('main-api', tenant, 'newer'), ['main-api']],
  ['a command', subjects.command('cloud_a', 'us-east-1', 'deployment_delete'), ['main-api']],
  ['a mail', subjects.mail('protection_code'), ['main-api']],
  ['the registration of a region', subjects.report(here, 'region_registered'), [here]],
  ["another region's report", subjects.report(there, 'deployment_status'), [there]],
  ['which keys audit has seen', subjects.report('audit', 'api_keys_used'), ['audit']],
  ['a grant', `$KV.${buckets.grants}.${'0'.repeat(64)}`, ['main-api']],
  ["audit's announcement", `$KV.${buckets.grantAcks}.audit.one`, ['audit']],
  ["a region's announcement", `$KV.${buckets.grantAcks}.supervisor.cloud_a.us-east-1.one`, [here]],
  ["the revision of audit's database", databaseEntry(buckets.databases, 'audit'), ['audit']],
  ["the revision of a region's database", databaseEntry(buckets.databases, there), [there]],
  ["the revision of main-api's database", databaseEntry(buckets.databases, 'main-api'), ['main-api']],
  ["a dead letter of main-api's", subjects.deadLetter('main-api'), ['main-api']],
])('%s is sent by no other', async (_what, subject, speakers) => {
  expect(await who((sender) => says(sender, subject))).toEqual(speakers);
});

const api = (verb: string) => `$JS.API.${verb}`;
const audit = consumerOf(names, 'audit');
const regional = consumerOf(names, here);

test.each([
  ['delete a stream', api(`STREAM.DELETE.${streams.events.name}`), []],
  ['empty a stream', api(`STREAM.PURGE.${streams.events.name}`), []],
  ['delete a message', api(`STREAM.MSG.DELETE.${streams.events.name}`), []],
  ['change a stream', api(`STREAM.UPDATE.${streams.deadLetters.name}`), ['main-api']],
  ['make another stream', api('STREAM.CREATE.MINE'), []],
  ['restore a stream', api(`STREAM.RESTORE.${streams.events.name}`), []],
  ['take a copy of a stream', api(`STREAM.SNAPSHOT.${streams.events.name}`), []],
  ['list the streams', api('STREAM.NAMES'), []],
  ['read a single event', api(`STREAM.MSG.GET.${streams.events.name}`), ['main-api', 'audit']],
  ['read a single mail', api(`STREAM.MSG.GET.${streams.mails.name}`), ['main-api']],
  ['see how far all consumers are', api(`CONSUMER.LIST.${streams.commands.name}`), ['main-api']],
  ['see how many mails wait', api(`STREAM.INFO.${streams.mails.name}`), ['main-api', 'notifier']],
  ["take audit's events", api(`CONSUMER.MSG.NEXT.${audit.stream.name}.${audit.name}`), ['audit']],
  ['read the events otherwise', api(`CONSUMER.CREATE.${streams.events.name}.mine`), ['main-api']],
  ['read the events as before 2.9', api(`CONSUMER.DURABLE.CREATE.${streams.events.name}.mine`), []],
  ["take a region's commands", api(`CONSUMER.MSG.NEXT.${regional.stream.name}.${regional.name}`), [here]],
  ["end audit's consumer", api(`CONSUMER.DELETE.${audit.stream.name}.${audit.name}`), ['main-api', 'audit']],
  ["end a region's consumer", api(`CONSUMER.DELETE.${regional.stream.name}.${regional.name}`), ['main-api']],
  ["make audit's consumer", api(`CONSUMER.CREATE.${audit.stream.name}.${audit.name}`), ['main-api']],
  [
    "make a region's consumer",
    api(`CONSUMER.CREATE.${regional.stream.name}.${regional.name}.${regional.filter}`),
    ['main-api'],
  ],
  ['change the bucket of databases', api(`STREAM.UPDATE.KV_${buckets.databases}`), ['main-api']],
  [
    "read the revision of a region's database",
    api(`DIRECT.GET.KV_${buckets.databases}.${databaseEntry(buckets.databases, here)}`),
    [here],
  ],
  ['read a revision otherwise', api(`DIRECT.GET.KV_${buckets.databases}`), []],
  ['make a consumer of the grants', api(`CONSUMER.CREATE.KV_${buckets.grants}.mine`), []],
  ["acknowledge audit's events", `$JS.ACK.${audit.stream.name}.${audit.name}.1.1.1.1.0`, ['audit']],
])('who may %s', async (_what, subject, speakers) => {
  expect(
    await who(async (sender) => {
      // nobody answers where nobody may: only whether NATS takes the question counts
      return await asks(sender, subject).catch((error: unknown) => {
        if (error instanceof errors.TimeoutError || error instanceof errors.NoRespondersError) return true;
        if (error instanceof errors.RequestError) return true;
        throw error;
      });
    }),
  ).toEqual(speakers);
});

test('nobody reads along, not even the answers to others', async () => {
  for (const subject of ['>', 'sluice.>', '_INBOX.>', '$KV.>', '$JS.>', `${inboxOf('audit')}.*`])
    expect([subject, await who((sender) => reads(sender, subject))]).toEqual([
      subject,
      subject.startsWith(inboxOf('audit')) ? ['audit'] : [],
    ]);
  expect(await who((sender) => reads(sender, '$SYS.>'))).toEqual([]);
});

test('main-api alone answers what the others ask about the grants', async () => {
  expect(await who((sender) => reads(sender, subjects.grantsConfirmation))).toEqual(['main-api']);
  as('main-api').subscribe(subjects.grantsConfirmation, {
    callback: (_, message) => void message.respond('yes'),
  });
  for (const sender of ['main-api', 'audit', here] as const)
    expect((await as(sender).request(subjects.grantsConfirmation)).string()).toBe('yes');
});

test('everybody who checks rights follows the grants, and notifier, who does not, cannot', async () => {
  const follow = async (sender: Known) =>
    (await asks(sender, api(`DIRECT.GET.KV_${buckets.grants}`), { seq: 1 })) &&
    (await reads(sender, `${subjects.grantsStored}.>`));
  expect(await who(follow)).toEqual(['main-api', 'audit', here, there]);
});

test('without a key, and with one that is not known, nobody comes in', async () => {
  for (const authenticator of [undefined, nkeyAuthenticator(new TextEncoder().encode(newNatsSeed()))])
    await expect(connect({ servers: server.url, authenticator })).rejects.toThrow(errors.AuthorizationError);
});
