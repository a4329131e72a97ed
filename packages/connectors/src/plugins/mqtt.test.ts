import type { ConfigValue } from '@sluice/contracts';
import { eventually } from '@sluice/testing';
import { connectAsync, type MqttClient } from 'mqtt';
import { startMosquitto, TestMqtt } from '../../test/fixtures/mqtt.ts';
import { aMessage, configOf, testContext, unending } from '../../test/fixtures/plugin.ts';
import { connectorDestinations as destinations } from '../destination-guard.ts';
import { ConfigRefused, type Sink, type Source } from '../plugin.ts';
import { mqttSink } from './mqtt-sink.ts';
import { mqttSource } from './mqtt-source.ts';

let mqtt: TestMqtt;
const closing: (() => unknown)[] = [];
beforeAll(async () => {
  mqtt = await TestMqtt.start();
});
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});
afterAll(() => mqtt.remove());

async function aSink(values: Record<string, ConfigValue> = {}): Promise<Sink> {
  const config = configOf(mqttSink, { ...mqtt.values, topic: 'out/{stream}', ...values });
  const sink = await mqttSink.open(config, await testContext());
  closing.push(() => sink.close());
  return sink;
}

async function aSource(values: Record<string, ConfigValue> = {}): Promise<Source> {
  const config = configOf(mqttSource, { ...mqtt.values, topics: ['in/#'], ...values });
  const source = await mqttSource.open(config, await testContext(), null);
  closing.push(() => source.close());
  return source;
}

/** All that comes under a topic from now on, as `topic payload`. */
async function heard(client: MqttClient, topic: string): Promise<string[]> {
  closing.push(() => client.endAsync(true));
  const texts: string[] = [];
  client.on('message', (of, payload) => void texts.push(`${of} ${payload.toString()}`));
  await client.subscribeAsync(topic, { qos: 1 });
  return texts;
}

const read = async (source: Source) => {
  const { records, position } = await source.read(AbortSignal.timeout(10_000));
  const [record] = records;
  if (!record) throw new Error('nothing was read');
  return { ...record, text: Buffer.from(record.payload).toString(), position };
};

test.each(['1', '2'])('a sink publishes messages in order, with quality of service %s', async (qos) => {
  const texts = await heard(await mqtt.client(), 'out/#');
  const sink = await aSink({ qos });
  const batch = Array.from({ length: 120 }, (_, n) => aMessage(n));
  expect(await sink.write(batch, unending())).toEqual([]);
  await eventually(() => expect(texts).toEqual(batch.map((_, n) => `out/orders ${n}`)));
});

test('a sink goes on after the broker was away, with what it has not published', async () => {
  const texts = await heard(
    await mqtt.client({ reconnectPeriod: 50, clientId: 'reader', clean: false }),
    'out/#',
  );
  const sink = await aSink();
  await sink.write([aMessage('before')], unending());
  await mqtt.hangUp();
  const batch = [aMessage('after')];
  await expect(sink.write(batch, unending())).rejects.toThrow();
  await mqtt.listen();
  expect(await sink.write(batch, unending())).toEqual([]);
  await eventually(() => expect(texts).toEqual(['out/orders "before"', 'out/orders "after"']));
});

test('a message is acknowledged when it is kept, and comes again otherwise', async () => {
  const client = await mqtt.client();
  closing.push(() => client.endAsync(true));
  const session = { client_id: 'a-session' };
  const first = await aSource(session);
  const isSubscribed = mqtt.subscription(session.client_id);
  const reading = read(first);
  await isSubscribed;
  for (const text of ['one', 'two', 'three']) await client.publishAsync(`in/${text}`, text, { qos: 1 });
  const one = await reading;
  expect(one).toMatchObject({ text: 'one', headers: { 'mqtt-topic': 'in/one' } });
  await first.acknowledge?.(one.position);
  expect((await read(first)).text).toBe('two');
  await first.close();
  const second = await aSource(session);
  for (const text of ['two', 'three']) {
    const next = await read(second);
    expect(next.text).toBe(text);
    await second.acknowledge?.(next.position);
  }
});

test('a source goes on after the broker was away', async () => {
  const client = await mqtt.client({ reconnectPeriod: 50 });
  closing.push(() => client.endAsync(true));
  const source = await aSource({ client_id: 'another-session' });
  const isSubscribed = mqtt.subscription('another-session');
  const reading = read(source);
  await isSubscribed;
  await client.publishAsync('in/again', 'again', { qos: 1 });
  const before = await reading;
  await mqtt.hangUp();
  // the broker does not hear it
  await source.acknowledge?.(before.position);
  await mqtt.listen();
  const again = await eventually(() => read(source));
  expect(again.text).toBe('again');
  await source.acknowledge?.(again.position);
  await client.publishAsync('in/next', 'next', { qos: 1 });
  expect((await read(source)).text).toBe('next');
});

test('TLS is verified by the authority that the configuration names', async () => {
  const values = { tls: 'verify', host: 'localhost', port: mqtt.tlsPort, tls_ca: mqtt.ca };
  expect(await (await aSink(values)).write([aMessage()], unending())).toEqual([]);
  const unknown = await aSink({ tls: 'verify', host: 'localhost', port: mqtt.tlsPort });
  await expect(unknown.write([aMessage()], unending())).rejects.toThrow(/certificate/);
});

test('a login that the broker refuses is said without the password', async () => {
  const login = { username: 'ada', password: 'wrong-password' };
  const write = (await aSink(login)).write([aMessage()], unending());
  await expect(write).rejects.toThrow(/refused/);
  await expect(write).rejects.not.toThrow(/wrong-password/);
  const right = await aSink({ ...login, password: 'secret-of-ada' });
  expect(await right.write([aMessage()], unending())).toEqual([]);
  await expect(aSink({ password: 'alone' })).rejects.toThrow(ConfigRefused);
});

test('addresses that connectors may not reach are refused, also behind a name', async () => {
  const guarded = await testContext({ destinations: destinations({ allowed: [], refused: [] }) });
  const config = (host: string) => configOf(mqttSink, { ...mqtt.values, topic: 'x', host });
  await expect(mqttSink.open(config('127.0.0.1'), guarded)).rejects.toThrow(ConfigRefused);
  const named = await mqttSink.open(config('localhost'), guarded);
  closing.push(() => named.close());
  await expect(named.write([aMessage()], unending())).rejects.toThrow(/may not/);
});

test.each(['a/+', 'a/#', '{unknown}'])('a sink does not take %s as its topic', (topic) => {
  expect(() => configOf(mqttSink, { ...mqtt.values, topic })).toThrow(/topic/);
});

test('with MQTT 5 headers are user properties, both ways', async () => {
  const mosquitto = await startMosquitto();
  if (!mosquitto) return;
  closing.push(() => mosquitto.remove());
  const values = { port: mosquitto.port, version: '5' };
  const client = await connectAsync(`mqtt://127.0.0.1:${mosquitto.port}`, { protocolVersion: 5 });
  closing.push(() => client.endAsync(true));
  const source = await aSource({ ...values, topics: ['out/#', 'in/#'], client_id: 'five' });
  await client.publishAsync('in/first', 'first', { qos: 1, retain: true });
  const first = await read(source);
  expect(first).toMatchObject({ text: 'first', headers: { 'mqtt-retain': 'true' } });
  await source.acknowledge?.(first.position);
  const sink = await aSink(values);
  const message = aMessage('five', { headers: { tenant: 'a', 'nats-forged': 'x' } });
  expect(await sink.write([message], unending())).toEqual([]);
  expect(await read(source)).toMatchObject({
    text: '"five"',
    headers: { tenant: 'a', 'svc-message': message.id, 'mqtt-topic': 'out/orders' },
  });
});
