import { execFile } from 'node:child_process';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { eventually, repository } from '@sluice/testing';
import type { Program } from './program.ts';

const matching = (pattern: RegExp): unknown => expect.stringMatching(pattern);

/** How clients connect to the deployment `nouns`, which exists; at the end nothing may connect to it. */
export function connectTests(
  program: () => Program,
  refused: (args: string[], code: number, said: RegExp) => Promise<void>,
): void {
  let sluice: Program;
  beforeAll(() => (sluice = program()));

  test('lines that connect work as they are, and have the login only where it is asked for', async () => {
    const { password } = await sluice.json<{ password: string }>('credentials', 'show', 'nouns');
    const open = await sluice.run(['connect', 'nouns']);
    expect(open).toMatchObject({
      code: 0,
      stdout: matching(/Node\.js[^]*Python[^]*Go:[^]*Java[^]*\.NET[^]*Rust/),
    });
    expect(open.stdout + open.stderr).not.toContain(password);
    const { stdout: lines } = await sluice.run(['connect', 'nouns', '--language', 'node', '--show-login']);
    const code = `${lines}console.log((await connection.flush(), connection.info.jetstream)); await connection.close();`;
    const node = ['--input-type=module', '--eval', code];
    const ran = await promisify(execFile)(process.execPath, node, { cwd: join(repository, 'test-e2e') });
    expect(ran.stdout).toBe('true\n');

    const ca = join(sluice.config, '../ca.pem');
    const written = await sluice.run(['connect', 'nouns', '--nats-context', 'orders', '--ca-file', ca]);
    expect(written).toMatchObject({ code: 0, stdout: '' });
    expect(await readFile(ca, 'utf8')).toMatch(/^-----BEGIN CERTIFICATE-----/);
    const context = join(sluice.config, '../.config/nats/context/orders.json');
    expect(JSON.parse(await readFile(context, 'utf8'))).toMatchObject({
      description: 'Sluice: default/nouns/nouns',
      url: matching(/^nats:/),
      password,
    });
    expect((await stat(context)).mode & 0o777).toBe(0o600);
    await writeFile(context, '{"description": "mine"}');
    await refused(['connect', 'nouns', '--nats-context', 'orders'], 2, /has not written/);
    await writeFile(ca, 'a key');
    await refused(['connect', 'nouns', '--ca-file', ca], 2, /no certificates/);
  }, 240_000);

  test('the commands of the guide for those who come from nats and rpk', async () => {
    const guide = await readFile(join(repository, 'docs/cli/from-nats-and-rpk.md'), 'utf8');
    const commands = [...guide.matchAll(/^\|.*\| `sluice (.*?)` +\|$/gm)].map(([, command = '']) =>
      [...command.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? ''),
    );
    expect(commands.length).toBeGreaterThan(15);
    const env = { SLUICE_PLACE: 'default/nouns/nouns', XDG_CONFIG_HOME: join(sluice.config, '../xdg') };
    for (const command of commands) {
      // it has no end; another test has it
      if (command[0] === 'sub') continue;
      if (command[0] === 'consumers' && command[1] === 'list') await addConsumer();
      const { code, stderr } = await sluice.run(command, { env });
      expect({ command, code, stderr }).toMatchObject({ command, code: 0 });
    }
    async function addConsumer() {
      const subject = '$JS.API.CONSUMER.DURABLE.CREATE.ORDERS.billing';
      const config = { durable_name: 'billing', ack_policy: 'explicit' };
      const request = JSON.stringify({ stream_name: 'ORDERS', config });
      await sluice.json('pub', subject, request, '--no-ack', '--deployment', 'nouns');
    }
  }, 240_000);

  test('a deployment that is stopped, a rule that does not admit one, a connection that ends: what to do is said', async () => {
    const stream = ['streams', 'create', 'GONE', 'nouns', '--subjects', 'gone'];
    expect(await sluice.run(stream)).toMatchObject({ code: 0 });
    const pub = ['pub', 'gone', 'x'.repeat(4_000), '--count', '300', '--deployment', 'nouns'];
    expect(await sluice.run(pub)).toMatchObject({ code: 0 });
    const cut = await sluice.held(['messages', 'export', 'GONE', 'nouns'], async () => {
      for (const { id } of await sluice.json<{ id: number }[]>('access', 'list', 'nouns'))
        await sluice.run(['access', 'remove', String(id), 'nouns', '--yes']);
      await eventually(() =>
        refused(['streams', 'list', 'nouns'], 4, /sluice access add default\/nouns\/nouns --me/),
      );
    });
    expect(cut).toMatchObject({
      code: 4,
      stderr: matching(/No access rule .* your address is 127\.0\.0\.1/),
    });
    expect(await sluice.run(['connect', 'nouns'])).toMatchObject({
      code: 0,
      stderr: matching(/sluice access add/),
    });
    await sluice.json('access', 'add', 'nouns', '--me');
    await eventually(async () => {
      expect(await sluice.run(['streams', 'delete', 'GONE', 'nouns', '--yes'])).toMatchObject({ code: 0 });
    });
    await sluice.json('deployments', 'stop', 'nouns', '--wait');
    await refused(['streams', 'list', 'nouns'], 6, /sluice deployments start default\/nouns\/nouns/);
  }, 240_000);
}
