import { createServer, type Server } from 'node:net';
import { eventually, ownPostgres } from '@sluice/testing';
import pg from 'pg';
import winston from 'winston';
import { Notifications } from './notifications.ts';

test('a lost connection comes back, tried at a steady pace, and every listener is called once', async () => {
  const database = await ownPostgres();
  const notifications = new Notifications(database.url, winston.createLogger({ silent: true }));
  const heard: string[] = [];
  await notifications.open();
  await notifications.listen('widgets', (payload) => heard.push(payload));
  await notify(database.url, 'before');
  await eventually(() => expect(heard).toEqual(['before']));

  await database.stop();
  const attempts = await countAttempts(database.port, 8);
  // a quarter of a second lies between two
  expect((attempts.at(-1) ?? 0) - (attempts[0] ?? 0)).toBeGreaterThan(7 * 240);

  await database.start();
  await eventually(() => expect(heard).toEqual(['before', '']));
  await notify(database.url, 'after');
  await eventually(() => expect(heard).toEqual(['before', '', 'after']));
  await notifications.close();
  await database.remove();
});

test('a listener that throws keeps no other from hearing', async () => {
  const database = await ownPostgres();
  const notifications = new Notifications(database.url, winston.createLogger({ silent: true }));
  const heard: string[] = [];
  await notifications.open();
  await notifications.listen('widgets', () => {
    throw new Error('a mistake');
  });
  await notifications.listen('widgets', (payload) => heard.push(payload));
  await notify(database.url, 'one');
  await notify(database.url, 'two');
  await eventually(() => expect(heard).toEqual(['one', 'two']));
  await notifications.close();
  await database.remove();
});

/** Takes the place of the server and hangs up on whoever comes. @returns when they came, in milliseconds */
async function countAttempts(port: number, wanted: number): Promise<number[]> {
  const times: number[] = [];
  const server: Server = createServer((socket) => {
    times.push(performance.now());
    socket.destroy();
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  await eventually(() => expect(times.length).toBeGreaterThanOrEqual(wanted));
  await new Promise((resolve) => server.close(resolve));
  return times.slice(0, wanted);
}

async function notify(url: string, payload: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query("SELECT pg_notify('widgets', $1)", [payload]);
  await client.end();
}
