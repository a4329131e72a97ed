import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { repository, type Stack } from '@sluice/testing';
import { parse } from 'yaml';
import { seedTenant } from '../second-tenant.ts';
import type { Ended, Program } from './program.ts';

/** `sluice apply`, `diff` and `export` as a process, against the stack of another file. */

const containing = (text: string): unknown => expect.stringContaining(text);
const matching = (pattern: RegExp): unknown => expect.stringMatching(pattern);

/** What the guide for CI has of GitHub and of GitLab. */
interface Pipelines {
  jobs?: Record<string, { steps: { run?: string }[] }>;
  plan?: { script: string[] };
  apply?: { script: string[] };
}

interface Given {
  stack: Stack;
  sluice: Program;
}

/** A tenant of its own, and the program with its key. */
async function tenantOf({ stack, sluice }: Given, name: string) {
  const { api_key: SLUICE_API_KEY } = await seedTenant(stack, name);
  const env = { SLUICE_API_KEY, ON_CALL_ADDRESS: 'on-call@shop.example' };
  const folder = await mkdtemp(join(tmpdir(), 'sluice-apply-'));
  const file = async (text: string, named = 'org.yaml') => {
    await writeFile(join(folder, named), text);
    return join(folder, named);
  };
  const run = (...args: string[]): Promise<Ended> => sluice.run(args, { env });
  return { env, file, run, export: async () => (await run('export')).stdout };
}

/** The example of docs/cli/organization-in-files.md. */
async function example(): Promise<string> {
  const text = await readFile(join(repository, 'docs/cli/organization-in-files.md'), 'utf8');
  return /^```yaml\n(.*?)^```$/ms.exec(text)?.[1] ?? '';
}

/** The requests of `--verbose` that change something. */
const writes = ({ stderr }: Ended): string[] =>
  stderr.split('\n').filter((line) => /^(POST|PUT|DELETE) /.test(line) && !line.includes('/preview '));

const places = (divisions: string[], more = ''): string =>
  `set: more\ndivisions:\n${divisions.map((name) => `  - name: ${name}\n    environments: [{ name: dev }, { name: test }, { name: live }]\n`).join('')}${more}`;

export function applyTests(given: () => Given): void {
  test('the example of the documentation: planned, applied, nothing the second time, and exported into another tenant', async () => {
    const a = await tenantOf(given(), 'Apply first');
    const file = await a.file(await example());
    const more = await a.file(places(['one', 'two']).replace('set: more\n', ''), 'more.yaml');
    const args = ['-f', file, '-f', more];
    expect(await a.run('diff', ...args)).toMatchObject({
      code: 11,
      stderr: '',
      stdout: containing('+ deployment shop/dev/orders'),
    });
    expect(await a.run('apply', ...args)).toMatchObject({ code: 2, stderr: containing('--yes') });
    expect(await a.run('apply', ...args, '--yes')).toMatchObject({ code: 0 });
    const again = await a.run('apply', ...args, '--yes', '--verbose');
    expect({ code: again.code, writes: writes(again), said: again.stdout }).toEqual({
      code: 0,
      writes: [],
      said: matching(/^No change: Apply first, set shop\.\n$/),
    });

    const changed = (await example())
      .replace('What customers see', 'Shop')
      .replace('spend_limit: 20', 'spend_limit: 30')
      .replace('192.0.2.0/24', '198.51.100.0/24')
      .replace('[deployment:manage]', '[deployment:read]')
      .replace('- name: live', '- name: production\n        was: live');
    const five = await a.run('apply', '-f', await a.file(changed), '-f', more, '--yes', '--verbose');
    expect({ code: five.code, writes: writes(five) }).toEqual({
      code: 0,
      writes: Array(5).fill(matching(/ → 20\d /)),
    });

    const exported = await a.export();
    expect(exported).not.toContain('sluice/set');
    const b = await tenantOf(given(), 'Apply second');
    expect(await b.run('apply', '-f', await b.file(exported), '--yes')).toMatchObject({ code: 0 });
    expect(await b.export()).toBe(exported);
  }, 240_000);

  test('the scripts of the guide for CI: the plan of a change, applied, and nothing the second time', async () => {
    const a = await tenantOf(given(), 'Apply in CI');
    const folder = dirname(await a.file(await example()));
    await mkdir(join(folder, 'deploy'));
    await a.file(await example(), 'deploy/org.yaml');
    const guide = await readFile(join(repository, 'docs/cli/ci.md'), 'utf8');
    const [github, gitlab] = [...guide.matchAll(/^(`{3,4})yaml\n(.*?)^\1$/gms)].map(
      ([, , text = '']) => parse(text) as Pipelines,
    );
    const summary = join(folder, 'summary.md');
    const run = (scripts: (string | undefined)[]) => {
      const variables = { ...a.env, GITHUB_STEP_SUMMARY: summary };
      const exported = Object.entries(variables).map(([name, value]) => `export ${name}='${value}'`);
      return given().sluice.shell(['set -e', `cd '${folder}'`, ...exported, ...scripts].join('\n'));
    };
    const ofGithub = (job: string) =>
      (github?.jobs?.[job]?.steps ?? []).flatMap(({ run: script }) => script ?? []);
    const ofGitlab = (job: 'plan' | 'apply') => gitlab?.[job]?.script ?? [];
    expect(await run(ofGithub('plan'))).toMatchObject({ code: 0 });
    expect(await readFile(summary, 'utf8')).toContain('+ deployment shop/dev/orders');
    expect(await run(ofGitlab('plan'))).toMatchObject({ code: 0, stdout: containing('+ division shop') });
    expect(await run(ofGithub('apply'))).toMatchObject({ code: 0, stdout: containing('+ division shop') });
    expect(await run(ofGitlab('apply'))).toMatchObject({ code: 0, stdout: containing('No change') });
    expect(await run(ofGitlab('plan'))).toMatchObject({ code: 0, stdout: containing('No change') });
  }, 240_000);

  test('killed at any moment it goes on where it was, and nothing is there twice', async () => {
    const a = await tenantOf(given(), 'Apply killed');
    const roles =
      'roles: [{ name: one }, { name: two }]\nmembers: [{ email: ada@shop.example, roles: [one] }]\n';
    const file = await a.file(places(['one', 'two', 'three'], roles));
    const { sluice, stack } = given();
    for (let kill = 0; kill < 3; kill++) {
      const env = { ...process.env, ...a.env, SLUICE_URL: stack.base_url, SLUICE_CONFIG_DIR: sluice.config };
      const child = spawn(process.execPath, [sluice.path, 'apply', '-f', file, '--yes'], {
        env,
        stdio: 'ignore',
      });
      await delay(300 + Math.random() * 500);
      child.kill('SIGKILL');
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    }
    expect(await a.run('apply', '-f', file, '--yes')).toMatchObject({ code: 0 });
    expect(await a.run('diff', '-f', file)).toMatchObject({ code: 0 });
    const names = [...(await a.export()).matchAll(/name: (\w+)$/gm)].map(([, name]) => name);
    const ofDivision = (name: string) => [name, 'dev', 'live', 'test'];
    expect(names).toEqual([
      'one',
      'two',
      'default',
      ...ofDivision('one'),
      ...ofDivision('three'),
      ...ofDivision('two'),
    ]);

    const named = ['division one', 'environment one/dev', 'environment one/live'];
    const protecting = places(['two']).replace('{ name: live }', '{ name: live, protected: true }');
    expect(await a.run('apply', '-f', await a.file(protecting), '--yes')).toMatchObject({ code: 0 });
    const fewer = places(['one']).replace(', { name: test }, { name: live }', ', { name: test }');
    const pruned = await a.run('apply', '-f', await a.file(fewer), '--prune', '--yes');
    expect(pruned).toMatchObject({
      code: 0,
      stdout: matching(
        /environment two\/live is not deleted: it is protected[^]*division two is not deleted/,
      ),
      stderr: matching(/deleted {2}division three/),
    });
    expect(named.filter((what) => pruned.stderr.includes(`deleted  ${what}`))).toEqual([
      'environment one/live',
    ]);
  }, 120_000);

  test('what would pass a limit, lacks a right or is no document is said before anything is done', async () => {
    const a = await tenantOf(given(), 'Apply refused');
    const before = await a.export();
    const many = await a.file(places(Array.from({ length: 12 }, (_, at) => `d${at}`)));
    expect(await a.run('apply', '-f', many, '--yes')).toMatchObject({
      code: 6,
      stdout: containing('divisions_limit would be passed: '),
    });
    const role = 'roles: [{ name: r, permissions: { division: [deployment:read] } }]\n';
    expect(await a.run('apply', '-f', await a.file(places(['more'], role)), '--yes')).toMatchObject({
      code: 7,
      stderr: matching(
        /org\.yaml:\d+:\d+: the role r grants deployment:read[^]*Next: write it under environment/,
      ),
    });
    const wrong = await a.file('divisions:\n  - nam: x\n');
    expect(await a.run('diff', '-f', wrong)).toMatchObject({
      code: 7,
      stdout: '',
      stderr: matching(/org\.yaml:2:\d+: /),
    });
    expect(await a.export()).toBe(before);
  }, 60_000);

  test('of two at once the later one fails with what has changed, and says so', async () => {
    const { sluice } = given();
    const a = await tenantOf(given(), 'Apply twice');
    const text = (description: string) => `divisions: [{ name: default, description: ${description} }]`;
    const [first, second] = [await a.file(text('first'), '1.yaml'), await a.file(text('second'), '2.yaml')];
    const later = await sluice.terminal(
      ['apply', '-f', first],
      80,
      [
        {
          at: 'Type yes',
          async type() {
            expect(await a.run('apply', '-f', second, '--yes')).toMatchObject({ code: 0 });
            return 'yes\r';
          },
        },
      ],
      a.env,
    );
    expect(later).toMatchObject({ code: 6, stdout: containing('has changed since it was read') });
    expect(await a.export()).toContain('description: second');
  }, 60_000);
}
