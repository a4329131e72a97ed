import { mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { eventually } from '@sluice/testing';
import pg from 'pg';
import { stackUnderTest, type Launched } from './fixtures/launcher-under-test.ts';
import type { StackFile } from './stack-file.ts';

type Stack = Awaited<ReturnType<typeof stackUnderTest>>;

let stack: Stack;
beforeEach(async () => {
  stack = await stackUnderTest();
});
afterEach(async () => {
  await stack.remove();
});

const readyz = (offset: number) => stack.readyz(offset);
const launchReady = (environment?: Record<string, string>) => stack.launchReady(environment);
const stopOrderly = (launched: Launched) => stack.stopOrderly(launched);

async function stackFile(): Promise<StackFile> {
  return JSON.parse(await readFile(join(stack.home, 'stack.json'), 'utf8')) as StackFile;
}

async function tenantStatus({ base_url, tenant_id, api_key }: StackFile): Promise<number> {
  const answer = await fetch(`${base_url}/tenants/${tenant_id}`, { headers: { 'svc-api-key': api_key } });
  return answer.status;
}

async function databaseUrl(service: string): Promise<string> {
  const password = (await readFile(join(stack.home, 'secrets', `${service}.database`), 'utf8')).trim();
  return `postgres://small_${service}:${password}@127.0.0.1:${stack.portBase + 10}/small_${service}`;
}

describe('a start', () => {
  test('writes where everything is for its owner alone, lets no service into the database of another, and is refused beside another', async () => {
    // on nothing at all
    const launched = stack.launch();
    await launched.ready();
    const file = await stackFile();
    expect(Object.keys(file).sort()).toEqual([
      'api_key',
      'audit_url',
      'base_url',
      'division_id',
      'mail_dir',
      'nats_url',
      'supervisors',
      'tenant_id',
    ]);
    expect((await stat(join(stack.home, 'stack.json'))).mode & 0o777).toBe(0o600);
    expect((await stat(file.mail_dir ?? '')).isDirectory()).toBe(true);
    expect(await tenantStatus(file)).toBe(200);
    expect(launched.said()).toContain(file.api_key);

    const other = new URL(await databaseUrl('front'));
    other.pathname = '/small_back';
    const intruder = new pg.Client({ connectionString: other.href });
    await expect(intruder.connect()).rejects.toThrow('permission denied for database');
    const own = new pg.Client({ connectionString: await databaseUrl('front') });
    await own.connect();
    await own.end();

    const before = await readyz(0);
    const second = stack.launch();
    expect(await second.ended).toBe(1);
    expect(second.said()).toMatch(/^A stack already runs on .* \(process \d+\): .*\.\n$/);
    expect(await readyz(0)).toEqual(before);
    await stopOrderly(launched);
  });

  test('finds data and key of the one before, and makes a new key when stack.json is lost', async () => {
    await stopOrderly(await launchReady());
    const first = await stackFile();

    const second = await launchReady();
    expect(await stackFile()).toEqual(first);
    expect((await readyz(0)).starts).toBe(2);
    await stopOrderly(second);

    await rm(join(stack.home, 'stack.json'));
    const third = await launchReady();
    const renewed = await stackFile();
    expect(renewed.api_key).not.toBe(first.api_key);
    expect(await tenantStatus(renewed)).toBe(200);
    await stopOrderly(third);
  });
});

describe('what ends unexpectedly is started again', () => {
  test('a service that crashes or is killed', async () => {
    const launched = await launchReady();
    await fetch(`http://127.0.0.1:${stack.portBase}/crash`).catch(() => {});
    const second = await eventually(async () => {
      const now = await readyz(0);
      expect(now.starts).toBe(2);
      return now;
    });
    process.kill(second.pid, 'SIGKILL');
    await eventually(async () => expect((await readyz(0)).starts).toBe(3));
    expect(launched.said()).toContain('front ended unexpectedly (exit code 9); it is started again.');
    expect(launched.said()).toContain('front ended unexpectedly (SIGKILL); it is started again.');
    await stopOrderly(launched);
  });

  test('PostgreSQL and NATS, on the same ports with the same data', async () => {
    const launched = await launchReady();
    const postmaster = await readFile(join(stack.home, 'postgres/data/postmaster.pid'), 'utf8');
    const nats = await readFile(join(stack.home, 'nats/nats.pid'), 'utf8');
    process.kill(Number.parseInt(postmaster, 10), 'SIGKILL');
    process.kill(Number(nats), 'SIGKILL');
    await eventually(() => {
      expect(launched.said()).toContain('PostgreSQL ended unexpectedly');
      expect(launched.said()).toContain('NATS ended unexpectedly');
    });
    const file = await stackFile();
    await eventually(async () => {
      expect((await readyz(0)).starts).toBe(1);
      expect(await tenantStatus(file)).toBe(200);
    });
    await eventually(async () => {
      expect(await readFile(join(stack.home, 'nats/nats.pid'), 'utf8')).not.toBe(nats);
    });
    await stopOrderly(launched);
  });

  test('a service that crashes again and again, once the stack has been up: the others need not end with it', async () => {
    const launched = await launchReady();
    const other = await readyz(1);
    for (let start = 2; start <= 6; start++) {
      await fetch(`http://127.0.0.1:${stack.portBase}/crash`).catch(() => {});
      await eventually(async () => expect((await readyz(0)).starts).toBe(start));
    }
    expect(await readyz(1)).toEqual(other);
    await stopOrderly(launched);
  });

  test('but not a service that crashes again and again before: the stack stops and shows the end of its log', async () => {
    const launched = stack.launch({ SMALL_SERVICE: 'crash' });
    expect(await launched.ended).toBe(1);
    expect(launched.said()).toMatch(/(front|back) crashed 5 times within 30 s, so the stack stops\./);
    expect(launched.said()).toContain('this is what went wrong');
    expect(await stack.processes()).toEqual([]);
  });
});

describe('an end', () => {
  test('comes to node agents and brokers, too', async () => {
    const launched = await launchReady({ SMALL_AGENT: 'obliging' });
    await eventually(() => readFile(join(stack.home, 'nodes/front/12/agent.pid')));
    await stopOrderly(launched);
  });

  test('comes by force to agents that do not want to end, and to their brokers', async () => {
    const launched = await launchReady({ SMALL_AGENT: 'stubborn' });
    await eventually(() => readFile(join(stack.home, 'nodes/front/12/agent.pid')));
    await eventually(() => readFile(join(stack.home, 'nodes/back/12/agent.pid')));
    await stopOrderly(launched);
  });

  test('works in the middle of a start', async () => {
    const launched = stack.launch();
    await eventually(() => readFile(join(stack.home, 'run/front.pid')));
    await stopOrderly(launched);
  });

  test('of the launcher by kill -9 ends the services, and the next start ends the rest', async () => {
    const killed = await launchReady({ SMALL_AGENT: 'obliging' });
    await eventually(() => readFile(join(stack.home, 'nodes/front/12/agent.pid')));
    const { pid } = await readyz(0);
    killed.kill('SIGKILL');
    await killed.ended;
    await eventually(() => expect(() => process.kill(pid, 0)).toThrow('ESRCH'));
    const left = await stack.processes();
    expect(left.length).toBeGreaterThanOrEqual(2);

    const next = await launchReady();
    expect((await readyz(0)).starts).toBe(2);
    const running = await stack.processes();
    expect(running.filter((process) => left.includes(process))).toEqual([]);
    await stopOrderly(next);
  });
});

describe('a mistake is explained in one sentence', () => {
  async function refusal(environment: Record<string, string> = {}): Promise<string> {
    const launched = stack.launch(environment);
    expect(await launched.ended).toBe(1);
    expect(await stack.processes()).toEqual([]);
    expect(launched.said().trim().split('\n')).toHaveLength(1);
    return launched.said();
  }

  test.each([0, 1, 10, 11])('the port of base + %i is in use', async (offset) => {
    const port = stack.portBase + offset;
    const other = createServer().listen(port, '127.0.0.1');
    try {
      expect(await refusal()).toMatch(new RegExp(`^Port ${port}, .* SLUICE_PORT_BASE\\.`));
    } finally {
      other.close();
    }
  });

  test('the data folder is a file', async () => {
    await writeFile(stack.home, '');
    expect(await refusal()).toMatch(/cannot be used as data folder .* SLUICE_HOME/);
  });

  test('the folder of PostgreSQL is not one that it can use', async () => {
    await mkdir(join(stack.home, 'postgres/data'), { recursive: true });
    await writeFile(join(stack.home, 'postgres/data/garbage'), 'garbage');
    expect(await refusal()).toContain('is not a data folder that PostgreSQL can use');
  });

  test('the data of PostgreSQL are damaged', async () => {
    await stopOrderly(await launchReady());
    await writeFile(join(stack.home, 'postgres/data/global/pg_control'), 'garbage');
    expect(await refusal()).toMatch(/^PostgreSQL did not start: .*pg_control/);
  });

  test('there is no nats-server', async () => {
    expect(await refusal({ SLUICE_NATS_SERVER: '/does/not/exist' })).toContain(
      'SLUICE_NATS_SERVER names /does/not/exist',
    );
  });

  test('SLUICE_PORT_BASE is not a port', async () => {
    expect(await refusal({ SLUICE_PORT_BASE: 'many' })).toContain('SLUICE_PORT_BASE has to be a number');
  });
});
