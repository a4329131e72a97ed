import { randomUUID } from 'node:crypto';
import { idOf, signer, signingKeysSchema, type Sender, type TenantId } from '@sluice/contracts';
import { jetstream } from '@nats-io/jetstream';
import { headers } from '@nats-io/transport-node';
import * as messaging from '@sluice/messaging';
import { eventually, makeSigningKeys, metricsOf, say, signAs, testKeys } from '@sluice/testing';
import { consume, deadLetter, make, nameOf, origin, sight, sighted } from '../messages.ts';
import { widgetService, type WidgetService } from '../widget-service.ts';

const on = widgetService({ per: 'test' });
const tenant = idOf<TenantId>(1);
const event = (type: string, name = type) => ({
  id: randomUUID(),
  type,
  correlation_id: null,
  data: { name },
});
const region: Sender = 'supervisor/cloud_a/us-east-1';
const strangers = makeSigningKeys();
const signAsStranger = signer(signingKeysSchema.parse(strangers.signing.get('main-api')));

/** Publishes an event with a signature of any kind. */
async function publish(
  { runtime: { nats, topology } }: WidgetService,
  { type, data = event(type), sender = 'main-api' }: { type: string; data?: object; sender?: Sender },
  sign: (subject: string, text: string) => Promise<string> | undefined,
): Promise<void> {
  const subject = topology.subjects.event(sender, tenant, type);
  const text = JSON.stringify(data);
  const header = headers();
  const signature = await sign(subject, text);
  if (signature !== undefined) header.set('Sluice-Signature', signature);
  await jetstream(nats).publish(subject, text, { headers: header });
}

const signed = signAs('main-api');

const deletion = { type: 'tenant_deleted' };
type Sign = Parameters<typeof publish>[2];
/** A signature of main-api for another subject or another text than those that are sent. */
const forOther =
  (subjectOf: (subject: string) => string, more = ''): Sign =>
  (subject, text) =>
    signed(subjectOf(subject), `${text}${more}`);
const ofCreation = (subject: string) => subject.replace('tenant_deleted', 'division_created');

test.each<[string, RegExp, Parameters<typeof publish>[1], Sign]>([
  ['is not signed', /it is not signed/, deletion, () => undefined],
  ['has no signature, but something', /does not hold/, deletion, async () => 'word of honour'],
  ['is signed by a stranger under a known name', /does not hold/, deletion, signAsStranger],
  ['was signed for another subject', /does not hold/, deletion, forOther(ofCreation)],
  ['was changed on its way', /does not hold/, deletion, forOther((subject) => subject, ' ')],
  ['is signed by audit', /audit may not send/, deletion, signAs('audit')],
  ['is signed by a region', /us-east-1 may not send/, deletion, signAs(region)],
  [
    'is on the subject of a region and of a type that is signed by main-api',
    /no service may send .*us-east-1.1.tenant_deleted/,
    { ...deletion, sender: region },
    signAs(region),
  ],
  [
    "is a region's by its subject, and main-api's by its content",
    /it says that it is tenant_deleted, but was sent as .*deployment_failed/,
    { type: 'deployment_failed', data: event('tenant_deleted'), sender: region },
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

test('a handler gets the sender of a message, as its subject names it', async () => {
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
    topology.subjects.event(region, tenant, 'deployment_failed'),
    event('deployment_failed'),
  );
  await eventually(() => expect(senders).toEqual(['main-api: mine', `${region}: deployment_failed`]));
});

/** Sends the last message about a tenant, which is signed. */
const endTenant = (widgets: WidgetService, name: string) =>
  widgets.work(origin, async (tx) =>
    tx.emit('tenant_deleted', { tenant_id: tenant }, { name, audit_retention_days: 1 }),
  );

const set = (text: string | undefined) => (JSON.parse(text ?? '') as { keys: { kid: string }[] }).keys;
const next = makeSigningKeys(['main-api']);
const laterKeys = set(next.signing.get('main-api')).map((key) => ({ ...key, kid: 'main-api:later' }));
const SIGNING_KEYS = JSON.stringify({ keys: [...laterKeys, ...set(testKeys.signing.get('main-api'))] });
const trusted = set(next.trusted).map((key) => ({ ...key, kid: 'main-api:later' }));
const TRUSTED_KEYS = JSON.stringify({ keys: [...set(testKeys.trusted), ...trusted] });
const signLater = signer(signingKeysSchema.parse(SIGNING_KEYS));

test('a message under a key that is not known yet waits for it, and holds up no others', async () => {
  const former = await on.widgets();
  await consume(former, sight);
  await publish(
    former,
    { type: 'tenant_deleted', data: event('tenant_deleted', 'under the new key') },
    signLater,
  );
  await make(former, 'next');
  await eventually(async () => expect(await sighted(former)).toEqual(['next']));
  await former.stop();

  const widgets = await on.widgets({ TRUSTED_KEYS });
  await consume(widgets, sight);
  await eventually(async () => expect(await sighted(widgets)).toContain('under the new key'));
});

test('while a key replaces another one, both count', async () => {
  // of two keys, the one in front signs
  const former = await on.widgets({ TRUSTED_KEYS });
  await consume(former, sight);
  await endTenant(former, 'by the former key');
  await eventually(async () => expect(await sighted(former)).toEqual(['by the former key']));
  await former.stop();

  const widgets = await on.widgets({ SIGNING_KEYS, TRUSTED_KEYS });
  await consume(widgets, sight);
  await endTenant(widgets, 'by the later key');
  await eventually(async () => expect(await sighted(widgets)).toContain('by the later key'));
  const stream = await jetstream(widgets.runtime.nats).streams.get(
    widgets.runtime.topology.streams.events.name,
  );
  const message = await stream.getMessage({ seq: 2 });
  const head = message?.header.get('Sluice-Signature').split('.')[0] ?? '';
  expect(JSON.parse(Buffer.from(head, 'base64url').toString())).toMatchObject({ kid: 'main-api:later' });
});

test('a service without keys signs nothing', async () => {
  await expect(messaging.signAs('notifier', {})('a subject', '{}')).rejects.toThrow('has no SIGNING_KEYS');
});

test("a service does not start with another sender's key", async () => {
  await expect(on.widgets({ SIGNING_KEYS: testKeys.signing.get('audit') ?? '' })).rejects.toThrow(
    'The first of SIGNING_KEYS is a key of audit, and this is main-api.',
  );
});
