import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { AckPolicy, jetstream, jetstreamManager } from '@nats-io/jetstream';
import { eventually } from '@sluice/testing';
import { consume, deadLetter, make, nameOf, sight, sighted } from '../messages.ts';
import { widgetService } from '../widget-service.ts';
import { sqlOf } from '@sluice/service';
import { beginAttempt } from '@sluice/messaging';

const program = fileURLToPath(new URL('../../test/killed-by-a-message.ts', import.meta.url));
const on = widgetService({ per: 'test' });

async function consumerInfo() {
  return (await jetstreamManager(on.nats)).consumers.info(on.topology.streams.events.name, 'reader');
}

/** Starts the program again and again, as something that looks after it would. */
function keepStarting(): () => number {
  const { PATH = '' } = process.env;
  let child: ChildProcess;
  let isOver = false;
  let deaths = 0;
  const running = (async () => {
    while (!isOver) {
      const env = { ...on.environment, PATH, PORT: '0' };
      child = spawn(process.execPath, [program], { env, stdio: 'ignore' });
      const [, signal] = (await once(child, 'exit')) as [number | null, string | null];
      if (signal === 'SIGKILL' && !isOver) deaths += 1;
    }
  })();
  const stop = async () => {
    isOver = true;
    child.kill('SIGKILL');
    await running;
  };
  on.onClose(stop);
  return () => deaths;
}

test('a message that kills its process is dead-lettered after few deaths, and starves no other meanwhile', async () => {
  const widgets = await on.widgets();
  const names = ['a', 'b', 'c', 'd', 'e'];
  for (const name of ['deadly', ...names]) await make(widgets, name);
  const deaths = keepStarting();
  await eventually(async () => expect(await sighted(widgets)).toEqual(names), { timeoutMs: 30_000 });
  const deathsBefore = deaths();
  const letter = await eventually(() => deadLetter(widgets), { timeoutMs: 60_000 });
  expect(letter.header.get('Sluice-Reason')).toBe('3 processes have ended while they handled it');
  // those behind it did not wait for its end
  expect(deathsBefore).toBeLessThanOrEqual(2);
  expect(deaths()).toBe(4);
  await eventually(async () => expect((await consumerInfo()).num_ack_pending).toBe(0));
  expect(await on.sql('TABLE message_attempts')).toEqual([]);
}, 100_000);

test('a message that may have killed a process is handled after others, and alone', async () => {
  const widgets = await on.widgets();
  for (const name of ['suspect', 'slow', 'next', 'last']) await make(widgets, name);
  // another process has fetched them, and ended
  const { name } = on.topology.streams.events;
  const manager = await jetstreamManager(on.nats);
  await manager.consumers.add(name, { durable_name: 'reader', ack_policy: AckPolicy.Explicit });
  const fetched = await (await jetstream(on.nats).consumers.get(name, 'reader')).fetch({ max_messages: 4 });
  for await (const message of fetched) {
    if (message.seq === 1) {
      const place = { consumer: 'reader', sequence: 1, storedAt: String(message.timestampNanos) };
      await beginAttempt(sqlOf(widgets.runtime.pool), place, 'another');
    }
    message.nak();
  }
  let atWork = 0;
  const company: [string, number][] = [];
  await consume(
    widgets,
    async (message, tx) => {
      atWork += 1;
      company.push([nameOf(message), atWork]);
      if (nameOf(message) === 'slow') await tx.query('SELECT pg_sleep(3)');
      atWork -= 1;
      await sight(message, tx);
    },
    { concurrency: 4 },
  );
  await eventually(async () => expect((await sighted(widgets)).at(-1)).toBe('suspect'));
  expect(company).toContainEqual(['suspect', 1]);
  expect(await sighted(widgets)).toEqual(expect.arrayContaining(['slow', 'next', 'last']));
  expect(await on.sql('TABLE message_attempts')).toEqual([]);
});
