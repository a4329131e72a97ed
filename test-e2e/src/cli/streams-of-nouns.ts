import { randomBytes } from 'node:crypto';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AckPolicy, jetstream, jetstreamManager, type JetStreamManager } from '@nats-io/jetstream';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { eventually } from '@sluice/testing';
import type { Program } from './program.ts';

/** the machine can be busy */
const patienceMs = 60_000;
const matching = (pattern: RegExp): unknown => expect.stringMatching(pattern);

/** Streams, consumers and messages of the deployment `nouns`, which exists, and lets its tests in. */
export function streamTests(
  program: () => Program,
  refused: (args: string[], code: number, said: RegExp) => Promise<void>,
): void {
  let sluice: Program;
  let broker: NatsConnection;
  let manager: JetStreamManager;
  beforeAll(async () => {
    sluice = program();
    const { url } = await sluice.json<{ url: string }>('connect', 'nouns');
    const { username: user, password: pass } = await sluice.json<{ username: string; password: string }>(
      'credentials',
      'show',
      'nouns',
    );
    broker = await connect({ servers: url, user, pass });
    manager = await jetstreamManager(broker, { timeout: patienceMs });
  }, 240_000);
  afterAll(() => broker.close());

  /** A stream with messages, which are of `payload` and the number. */
  async function filled(name: string, count: number, config: object = {}, payload = ''): Promise<void> {
    const subject = name.toLowerCase();
    await manager.streams.add({ name, subjects: [`${subject}.>`], allow_direct: true, ...config });
    const client = jetstream(broker, { timeout: patienceMs });
    const publish = (at: number) => client.publish(`${subject}.${at % 3}`, `${payload}${at + 1}`);
    // a broker takes so many at a time
    for (let begin = 0; begin < count; begin += 50) {
      const length = Math.min(50, count - begin);
      await Promise.all(Array.from({ length }, (_, at) => publish(begin + at)));
    }
  }
  const sequences = (ndjson: string) =>
    ndjson
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { sequence: number }).sequence);

  test('names of streams and consumers are completed, at the broker of the place of the context', async () => {
    await filled('COMPLETED', 1);
    await manager.consumers.add('COMPLETED', { durable_name: 'reader', ack_policy: AckPolicy.Explicit });
    const complete = async (...words: string[]) =>
      (await sluice.run(['complete', '--', ...words], { env: { SLUICE_PLACE: 'default/nouns/nouns' } }))
        .stdout;
    // a shell is not kept waiting: where the broker is slow there are no names
    await eventually(async () => expect(await complete('messages', 'list', '')).toContain('COMPLETED'));
    await eventually(async () =>
      expect(await complete('consumers', 'show', 'COMPLETED', '')).toContain('reader'),
    );
    await manager.streams.delete('COMPLETED');
  }, 120_000);

  test('streams: created, changed with what that deletes, purged and deleted', async () => {
    const create = ['streams', 'create', 'ORDERS', 'nouns', '--subjects', 'orders.>', '--max-age', '7d'];
    expect(await sluice.json(...create, '--dry-run')).toEqual({
      deployment: 'default/nouns/nouns',
      subject: '$JS.API.STREAM.CREATE.ORDERS',
      body: {
        name: 'ORDERS',
        subjects: ['orders.>'],
        max_age: 604_800e9,
        num_replicas: 1,
        allow_direct: true,
      },
    });
    await refused(['streams', 'show', 'ORDERS', 'nouns'], 5, /sluice streams list default\/nouns\/nouns/);
    expect(await sluice.json(...create)).toMatchObject({
      config: { max_age: 604_800e9, allow_direct: true },
    });
    await refused(['streams', 'create', 'OTHER', 'nouns', '--subjects', 'orders.new'], 6, /overlap/);
    await refused(['streams', 'create', 'A.B', 'nouns', '--subjects', 'x'], 7, /name/);

    for (let at = 0; at < 30; at++)
      await jetstream(broker, { timeout: patienceMs }).publish(`orders.${at % 3}`, String(at));
    const edit = ['streams', 'edit', 'ORDERS', 'nouns', '--max-messages', '10', '--max-age', '3d'];
    await refused(edit, 2, /max_msgs: -1 → 10\n[^]*deletes the oldest 20 messages of 30\.\n[^]*--yes/);
    expect(await sluice.json(...edit, '--yes')).toMatchObject({ state: { messages: 10, first_seq: 21 } });
    expect(await sluice.run([...edit, '-o', 'name'])).toEqual({
      code: 0,
      stdout: 'ORDERS\n',
      stderr: matching(/Nothing changes/),
    });
    const purge = ['streams', 'purge', 'ORDERS', 'nouns', '--subject', 'orders.0'];
    await refused(purge, 2, /This deletes 3 messages/);
    expect(await sluice.run([...purge, '--yes'])).toMatchObject({
      stderr: matching(/^3 messages .* are deleted/),
    });
    expect(await sluice.run([...purge.slice(0, 4), '--before', '29', '--yes'])).toMatchObject({ code: 0 });
    expect(await sluice.json('streams', 'list', 'nouns')).toEqual([
      expect.objectContaining({ state: expect.objectContaining({ messages: 2, first_seq: 29 }) as unknown }),
    ]);
    await refused(['streams', 'delete', 'ORDERS', 'nouns'], 2, /with 2 messages .*--yes/s);
    expect(await sluice.run(['streams', 'delete', 'ORDERS', 'nouns', '--yes'])).toMatchObject({ code: 0 });
  }, 240_000);

  test('messages: published in every form and only once, read by sequence, time and subject, exported', async () => {
    await filled('MAIL', 0);
    const bytes = randomBytes(1_000);
    const [binary, large] = ['binary', 'large'].map((name) => join(sluice.config, `../${name}`)) as [
      string,
      string,
    ];
    await writeFile(binary, bytes);
    await writeFile(large, Buffer.alloc(9 * 2 ** 20));
    const pub = (...args: string[]) => ['pub', ...args, '--deployment', 'nouns'];
    const hello = pub('mail.a', '\u001b[2Jhé', '--header', 'Kind: test', '--id', 'one');
    expect(await sluice.json(...hello)).toMatchObject({ stream: 'MAIL', sequence: 1, duplicates: 0 });
    expect(await sluice.json(...hello)).toMatchObject({ sequence: 1, duplicates: 1 });
    expect(await sluice.json(...pub('mail.b', '--file', binary, '--count', '2'))).toMatchObject({
      messages: 2,
    });
    const lines = await sluice.run([...pub('mail.c', '--lines')], { input: 'x\r\n\ny' });
    expect(lines).toMatchObject({ code: 0, stdout: matching(/Messages +3/) });
    await refused(pub('mail.a', '--file', large), 7, /at most/);
    await refused(pub('mail.*', 'x'), 7, /wildcards/);
    await refused(pub('nowhere', 'x'), 5, /sluice streams create/);
    await refused(pub('mail.a'), 2, /stdin is empty/);
    expect(await sluice.run([...pub('nowhere', 'x', '--no-ack')])).toMatchObject({ code: 0 });

    const listed = await sluice.json<object[]>('messages', 'list', 'MAIL', 'nouns');
    expect(listed).toMatchObject([
      {
        sequence: 1,
        subject: 'mail.a',
        headers: { Kind: ['test'], 'Nats-Msg-Id': ['one'] },
        data: '\u001b[2Jhé',
      },
      { data_base64: bytes.toString('base64'), size: 1_000 },
      { data_base64: bytes.toString('base64') },
      { data: 'x' },
      { data: '' },
      { data: 'y' },
    ]);
    const get = (...args: string[]) => ['messages', 'get', 'MAIL', ...args, 'nouns'];
    expect(await sluice.json(...get('last'), '--subject', 'mail.a')).toEqual(listed[0]);
    expect(await sluice.json(...get('1h'))).toEqual(listed[0]);
    expect(await sluice.run([...get('4'), '--raw'])).toMatchObject({ stdout: 'x' });
    await refused(get('99'), 5, /it has 1 to 6/);
    const shown = await sluice.terminal(get('1'), 80);
    expect(shown.stdout).toContain(String.raw`\x1b[2Jhé`);

    const part = ['messages', 'export', 'MAIL', 'nouns', '--from', '2', '--to', '5', '--subject', 'mail.c'];
    expect(sequences((await sluice.run(part)).stdout)).toEqual([4, 5]);
    const file = join(sluice.config, '../mail.ndjson');
    expect(await sluice.run(['messages', 'export', 'MAIL', 'nouns', '--out', file])).toMatchObject({
      code: 0,
      stdout: '',
    });
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    const exported = await readFile(file, 'utf8');
    expect(
      exported
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as object),
    ).toEqual(listed);
    // one by one where the stream is not read directly
    await manager.streams.update('MAIL', { allow_direct: false });
    expect(await sluice.json('messages', 'list', 'MAIL', 'nouns')).toEqual(listed);
    expect(await sluice.json('messages', 'list', 'MAIL', 'nouns', '--limit', '2')).toEqual(listed.slice(-2));
    await manager.streams.delete('MAIL');
  }, 240_000);

  test('reading a work queue takes nothing from its consumers', async () => {
    await filled('JOBS', 5, { retention: 'workqueue' });
    await manager.consumers.add('JOBS', { durable_name: 'workers', ack_policy: 'explicit' });
    expect(await sluice.json('messages', 'list', 'JOBS', 'nouns')).toHaveLength(5);
    expect(
      (await sluice.run(['messages', 'export', 'JOBS', 'nouns'])).stdout.trim().split('\n'),
    ).toHaveLength(5);
    const { state } = await manager.streams.info('JOBS');
    expect(state).toMatchObject({ messages: 5, consumer_count: 1 });
    expect(await sluice.json('consumers', 'list', 'JOBS', 'nouns')).toMatchObject([
      { name: 'workers', num_pending: 5, num_ack_pending: 0, delivered: { stream_seq: 0 } },
    ]);
    await refused(['consumers', 'reset', 'JOBS', 'workers', 'nouns', '--to', '3'], 6, /left for no consumer/);
    await manager.streams.delete('JOBS');
  }, 240_000);

  test('what is purged while it is read is left out, and a stream that is deleted ends the export', async () => {
    // a free deployment takes and gives 100 KB a second: a read lasts for 12 s
    const [count, payload] = [300, 'x'.repeat(4_000)];
    const read = ['messages', 'export', 'BULK', 'nouns'];
    await filled('BULK', count, {}, payload);
    const purged = await sluice.held(read, () => manager.streams.purge('BULK', { seq: 290 }));
    expect(purged).toMatchObject({ code: 0 });
    const found = sequences(purged.stdout);
    expect(found.at(-1)).toBe(count);
    expect(found.length).toBeLessThan(count);
    expect(found).toEqual([...new Set(found)].sort((one, other) => one - other));
    await manager.streams.delete('BULK');

    await filled('BULK', count, {}, payload);
    const deleted = await sluice.held(read, async () => {
      await manager.streams.delete('BULK');
      // of the same name, but another one
      await filled('BULK', 10, {}, payload);
    });
    expect(deleted).toMatchObject({ code: 5, stderr: matching(/was deleted while it was read/) });
    expect(sequences(deleted.stdout).length).toBeGreaterThan(0);
    await manager.streams.delete('BULK');
  }, 240_000);

  test('messages are shown as they come, until Ctrl-C or a number of them', async () => {
    let isDone = false;
    const publishing = (async () => {
      for (let at = 0; !isDone; at++) {
        broker.publish('live.a', `\u001b[31m${at}`);
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    })();
    const sub = ['sub', 'live.>', '--deployment', 'nouns'];
    const stopped = await sluice.stopped([...sub, '-o', 'ndjson']);
    const counted = await sluice.terminal([...sub, '--count', '2'], 80);
    isDone = true;
    await publishing;
    expect(stopped.code).toBe(130);
    expect(JSON.parse(stopped.stdout.split('\n')[0] ?? '')).toMatchObject({
      subject: 'live.a',
      data: matching(/31m/),
    });
    expect(counted).toMatchObject({ code: 0, stdout: matching(/live\.a[^]*\\x1b\[31m\d/) });
    await refused([...sub, '-o', 'json'], 2, /ndjson/);
  }, 240_000);

  test('a consumer begins again where that loses nothing, and it is said before what that repeats', async () => {
    await filled('SALES', 12);
    const consumer = { ack_policy: AckPolicy.Explicit, filter_subjects: ['sales.0', 'sales.1'] };
    await manager.consumers.add('SALES', { ...consumer, durable_name: 'billing' });
    await manager.consumers.add('SALES', { ...consumer, durable_name: 'late', deliver_policy: 'new' });
    await manager.consumers.add('SALES', { ...consumer, name: 'passing', inactive_threshold: 600e9 });
    const pull = await jetstream(broker, { timeout: patienceMs }).consumers.get('SALES', 'billing');
    for await (const message of await pull.fetch({ max_messages: 6 }))
      if (message.seq < 8) await message.ackAck();

    const reset = (name: string, to: string) => ['consumers', 'reset', 'SALES', name, 'nouns', '--to', to];
    // of 4 to 12 six fit, of which 10 and 11 wait; 8 is open
    await refused(reset('billing', '4'), 2, /repeats 4 messages from sequence 4 on[^]*1 message without/);
    expect(await sluice.json(...reset('billing', '4'), '--yes')).toMatchObject({
      num_pending: 6,
      num_ack_pending: 0,
      config: { deliver_policy: 'all' },
    });
    expect(await sluice.json(...reset('billing', '1h'), '--dry-run')).toMatchObject({
      subject: '$JS.API.CONSUMER.RESET.SALES.billing',
      body: { seq: 1 },
    });
    await refused(reset('late', '4'), 6, /--recreate/);
    expect(await sluice.json(...reset('late', '4'), '--recreate', '--yes')).toMatchObject({
      num_pending: 6,
      config: { ...consumer, durable_name: 'late', deliver_policy: 'by_start_sequence', opt_start_seq: 4 },
    });
    await refused([...reset('passing', '4'), '--recreate'], 6, /ephemeral/);
    await refused(reset('none', '4'), 5, /sluice consumers list/);
    await manager.streams.delete('SALES');
  }, 240_000);
}
