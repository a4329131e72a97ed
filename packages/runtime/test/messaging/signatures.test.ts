import { randomUUID } from 'node:crypto';
import {
  batchSigner,
  idOf,
  signer,
  signingKeysSchema,
  type TenantId,
  type Topology,
} from '@sluice/contracts';
import { jetstream } from '@nats-io/jetstream';
import { headers } from '@nats-io/transport-node';
import { eventually, makeSigningKeys, metricsOf, say, signAs, testKeys } from '@sluice/testing';
import { consume, deadLetter, emitNamed, make, nameOf, origin, sight, sighted } from '../messages.ts';
import { widgetService, type WidgetService } from '../widget-service.ts';

const on = widgetService({ per: 'test' });
const tenant = idOf<TenantId>(1);
const event = (type: string, name = type) => ({
  id: randomUUID(),
  type,
  correlation_id: null,
  data: { name },
});
const region = 'supervisor/cloud_a/us-east-1';
const strangers = makeSigningKeys();
const signAsStranger = signer(signingKeysSchema.parse(strangers.signing.get('main-api')));

/** Publishes an event with a signature of any kind. */
async function publish(
  { runtime: { nats, topology } }: WidgetService,
  { type, data = event(type) }: { type: string; data?: object },
  sign: (subject: string, text: string) => Promise<string> | undefined,
): Promise<void> {
  const subject = topology.subjects.event(tenant, type);
  const text = JSON.stringify(data);
  const header = headers();
  const signature = await sign(subject, text);
  if (signature !== undefined) header.set('Sluice-Signature', signature);
  await jetstream(nats).publish(subject, text, { headers: header });
}

const signed = signAs('main-api');

test.each<[string, RegExp, Parameters<typeof publish>[1], Parameters<typeof publish>[2]]>([
  ['is not signed', /it is not signed/, { type: 'tenant_deleted' }, () => undefined],
  [
    'has no signature, but something',
    /does not hold/,
    { type: 'tenant_deleted' },
    async () => 'word of honour',
  ],
  ['is signed by a stranger under a known name', /does not hold/, { type: 'tenant_deleted' }, signAsStranger],
  [
    'was signed for another subject',
    /does not hold/,
    { type: 'tenant_deleted' },
    (subject, text) => signed(subject.replace('tenant_deleted', 'division_created'), text),
  ],
  [
    'was changed on its way',
    /does not hold/,
    { type: 'tenant_deleted' },
    (subject, text) => signed(subject, `${text} `),
  ],
  ["is audit's word, who has none", /audit may not say/, { type: 'tenant_deleted' }, signAs('audit')],
  [
    "is a region's, but main-api's to say",
    /us-east-1 may not say/,
    { type: 'tenant_deleted' },
    signAs(region),
  ],
  [
    "is a region's to say by its subject, and main-api's by its content",
    /it says that it is tenant_deleted, but was sent as .*deployment_failed/,
    { type: 'deployment_failed', data: event('tenant_deleted') },
    signAs(region),
  ],
])('a message that %s is a dead letter at once, with its reason', async (_what, reason, message, sign) => {
  const widgets = await on.widgets();
  let handled = 0;
  await consume(widgets, async (message_, tx) => {
    handled += 1;
    await sight(message_, tx);
  });
  await publish(widgets, message, sign);
  expect((await deadLetter(widgets)).header.get('Sluice-Reason')).toMatch(reason);
  expect(await metricsOf(widgets.url)).toMatch(/^sluice_dead_letters_total\{consumer="reader"\} 1$/m);
  await make(widgets, 'next');
  await eventually(async () => expect(await sighted(widgets)).toEqual(['next']));
  expect(handled).toBe(1);
});

/** What vouches for each of these events when they are signed together. */
async function signTogether(sender: string, names: Topology, events: readonly object[]): Promise<string[]> {
  const words = events.map((one) => ({
    context: names.subjects.event(tenant, 'division_created'),
    payload: JSON.stringify(one),
  }));
  return (await batchSigner(signAs(sender))(words)).map((text = '') => text);
}

test('what is sent together is signed together, and what is sent alone by itself', async () => {
  const widgets = await on.widgets();
  await widgets.work(origin, async (tx) => ['a', 'b', 'c'].forEach((name) => emitNamed(tx, name)));
  await consume(widgets, sight);
  await eventually(async () => expect(await sighted(widgets)).toEqual(['a', 'b', 'c']));
  await make(widgets, 'alone');
  await eventually(async () => expect(await sighted(widgets)).toEqual(['a', 'b', 'c', 'alone']));
  const stream = await jetstream(widgets.runtime.nats).streams.get(
    widgets.runtime.topology.streams.events.name,
  );
  const messages = await Promise.all([1, 2, 3].map((seq) => stream.getMessage({ seq })));
  const batch = messages.map((message) => message?.header.get('Sluice-Batch-Signature') ?? '');
  // one signature, and another way from each
  expect(new Set(batch.map((text) => text.split(' ')[0])).size).toBe(1);
  expect(new Set(batch).size).toBe(3);
  const alone = await stream.getMessage({ seq: 4 });
  const hasOwn = [...messages, alone].map((message) => message?.header.has('Sluice-Signature'));
  expect(hasOwn).toEqual([false, false, false, true]);
});

test('a signature of a batch is enough; one that does not hold is none, and does not harm the message', async () => {
  const widgets = await on.widgets();
  const { nats, topology } = widgets.runtime;
  const [mine, other] = [event('division_created', 'mine'), event('division_created', 'other')];
  const known = event('division_created', 'by its own');
  const forged = event('division_created', 'forged');
  const [ofMine = ''] = await signTogether('main-api', topology, [mine, other]);
  const [ofAudit = ''] = await signTogether('audit', topology, [other, mine]);
  const said = async (one: object, batchSignature: string, own?: string) => {
    const subject = topology.subjects.event(tenant, 'division_created');
    const header = headers();
    header.set('Sluice-Batch-Signature', batchSignature);
    if (own) header.set('Sluice-Signature', await signAs(own)(subject, JSON.stringify(one)));
    await jetstream(nats).publish(subject, JSON.stringify(one), { headers: header });
  };
  await consume(widgets, sight);
  await said(mine, ofMine);
  await said(known, 'of another form', 'main-api');
  await said(forged, ofMine);
  await said(other, ofAudit);
  await make(widgets, 'next');
  await eventually(async () => expect(await sighted(widgets)).toEqual(['mine', 'by its own', 'next']));
  expect((await deadLetter(widgets)).header.get('Sluice-Reason')).toMatch(/does not hold/);
  expect((await deadLetter(widgets, 2)).header.get('Sluice-Reason')).toMatch(/audit may not say/);
});

test('what a service sends is signed by it, and who has signed is told', async () => {
  const widgets = await on.widgets();
  const senders: string[] = [];
  await widgets.runtime.consume({
    stream: widgets.runtime.topology.streams.events,
    name: 'reader',
    work: widgets.work,
    handle: async (message, _tx, { sender }) => void senders.push(`${sender}: ${nameOf(message)}`),
  });
  await make(widgets, 'mine');
  const { nats, topology } = widgets.runtime;
  await eventually(() => expect(senders).toEqual(['main-api: mine']));
  await say(
    { nats },
    region,
    topology.subjects.event(tenant, 'deployment_failed'),
    event('deployment_failed'),
  );
  await eventually(() => expect(senders).toEqual(['main-api: mine', `${region}: deployment_failed`]));
});

test('while a key replaces another one, both count', async () => {
  const next = makeSigningKeys(['main-api']);
  const set = (text: string | undefined) => (JSON.parse(text ?? '') as { keys: { kid: string }[] }).keys;
  // of two keys, the one in front signs
  const later = set(next.signing.get('main-api')).map((key) => ({ ...key, kid: 'main-api:later' }));
  const SIGNING_KEYS = JSON.stringify({ keys: [...later, ...set(testKeys.signing.get('main-api'))] });
  const trusted = set(next.trusted).map((key) => ({ ...key, kid: 'main-api:later' }));
  const TRUSTED_KEYS = JSON.stringify({ keys: [...set(testKeys.trusted), ...trusted] });
  const former = await on.widgets({ TRUSTED_KEYS });
  await consume(former, sight);
  await make(former, 'by the former key');
  await eventually(async () => expect(await sighted(former)).toEqual(['by the former key']));
  await former.stop();

  const widgets = await on.widgets({ SIGNING_KEYS, TRUSTED_KEYS });
  await consume(widgets, sight);
  await make(widgets, 'by the later key');
  await eventually(async () => expect(await sighted(widgets)).toContain('by the later key'));
  const stream = await jetstream(widgets.runtime.nats).streams.get(
    widgets.runtime.topology.streams.events.name,
  );
  const message = await stream.getMessage({ seq: 2 });
  const head = message?.header.get('Sluice-Signature').split('.')[0] ?? '';
  expect(JSON.parse(Buffer.from(head, 'base64url').toString())).toMatchObject({ kid: 'main-api:later' });
});

test("a service does not start with another sender's key", async () => {
  await expect(on.widgets({ SIGNING_KEYS: testKeys.signing.get('audit') ?? '' })).rejects.toThrow(
    'The first of SIGNING_KEYS is a key of audit, and this is main-api.',
  );
});
