import { rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { eventually } from '@sluice/testing';
import { stackUnderTest, type Launched } from './fixtures/launcher-under-test.ts';

let stack: Awaited<ReturnType<typeof stackUnderTest>>;
beforeEach(async () => {
  stack = await stackUnderTest();
});
afterEach(async () => {
  await stack.remove();
});

const front = () => stack.readyz();
const isFrontStarted = (starts: number) =>
  eventually(async () => {
    const now = await front();
    expect(now.starts).toBe(starts);
    return now;
  });

const launchReady = (environment?: Record<string, string>) => stack.launchReady(environment);
const stopOrderly = (launched: Launched) => stack.stopOrderly(launched);

test('a service is run in place of the stack, with an inspector, until development ends', async () => {
  const launched = await launchReady();
  const own = await front();
  const developed = stack.develop('front', '--inspect=127.0.0.1:0');
  const theirs = await isFrontStarted(2);
  expect(() => process.kill(own.pid, 0)).toThrow('ESRCH');
  await eventually(() => expect(developed.said()).toContain('Debugger listening on ws://127.0.0.1:'));

  developed.kill('SIGINT');
  expect(await developed.ended).toBe(0);
  const again = await isFrontStarted(3);
  expect(again.pid).not.toBe(theirs.pid);
  expect(launched.said()).toContain('front is run by npm run dev.\nfront is run by the stack again.');
  expect(launched.said()).not.toContain('ended unexpectedly');
  await stopOrderly(launched);
});

test('the stack takes the service back when development is killed', async () => {
  const launched = await launchReady();
  const developed = stack.develop('front', '--inspect=127.0.0.1:0');
  const theirs = await isFrontStarted(2);
  developed.kill('SIGKILL');
  await isFrontStarted(3);
  await eventually(() => expect(() => process.kill(theirs.pid, 0)).toThrow('ESRCH'));
  expect(launched.said()).not.toContain('ended unexpectedly');
  await stopOrderly(launched);
});

test('a change of its sources starts the service again, also after it could not start', async () => {
  const program = join(dirname(stack.home), 'program.ts');
  const works = `import '${join(import.meta.dirname, 'fixtures/small-service.ts')}';\n`;
  await writeFile(program, works);
  const launched = await launchReady({ SMALL_PROGRAM: program });
  const developed = stack.develop('front', '--inspect=127.0.0.1:0');
  await isFrontStarted(2);

  await writeFile(program, `${works}// changed\n`);
  await isFrontStarted(3);
  await writeFile(program, 'this does not compile');
  await eventually(() =>
    expect(developed.said()).toContain('front ended (exit code 1) and waits for a change.'),
  );
  await writeFile(program, works);
  await isFrontStarted(4);
  // as most editors save
  await writeFile(`${program}.new`, works);
  await rename(`${program}.new`, program);
  await isFrontStarted(5);
  await writeFile(program, works);
  await isFrontStarted(6);

  developed.kill('SIGTERM');
  expect(await developed.ended).toBe(0);
  await stopOrderly(launched);
});

test('development ends with the stack', async () => {
  const launched = await launchReady();
  const developed = stack.develop('front', '--inspect=127.0.0.1:0');
  await isFrontStarted(2);
  launched.kill('SIGINT');
  expect(await launched.ended).toBe(0);
  expect(await developed.ended).toBe(0);
  expect(developed.said()).toContain('The stack has ended.');
  expect(await stack.processes()).toEqual([]);
});

describe('a mistake is explained in one sentence', () => {
  test('there is no stack', async () => {
    const developed = stack.develop('front');
    expect(await developed.ended).toBe(1);
    expect(developed.said()).toBe(`No stack runs on ${stack.home}: run npm start in another terminal.\n`);
  });

  test('there is no such service, or it is in development already', async () => {
    const launched = await launchReady();
    const unknown = stack.develop('nothing');
    expect(await unknown.ended).toBe(1);
    expect(unknown.said()).toBe('Which service? front, back\n');

    const first = stack.develop('front', '--inspect=127.0.0.1:0');
    await isFrontStarted(2);
    const second = stack.develop('front', '--inspect=127.0.0.1:0');
    expect(await second.ended).toBe(1);
    expect(second.said()).toBe('npm run dev front runs already.\n');
    first.kill('SIGINT');
    expect(await first.ended).toBe(0);
    await stopOrderly(launched);
  });
});
