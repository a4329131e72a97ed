import fc from 'fast-check';
import { removeNodes, running, runningNode, createNode } from '#test/node.ts';
import { everybody } from '#test/supervisor.ts';
import { createSupervisorClock } from './clock.ts';

afterEach(removeNodes);

const apart = fc.integer({ min: -1e9, max: 1e9 });
const share = fc.double({ min: 0, max: 1, noNaN: true });

test('after an answer the clock is wrong by no more than the answer took, whenever the supervisor looked at its own', () => {
  const exchange = fc.record({ elapsed: fc.integer({ min: 0, max: 30_000 }), share });
  fc.assert(
    fc.property(apart, fc.array(exchange, { minLength: 1, maxLength: 5 }), (ahead, exchanges) => {
      const clock = createSupervisorClock();
      for (const { elapsed, share: waited } of exchanges) {
        const told = Math.round(Date.now() - elapsed * waited) + ahead;
        clock.learn(String(told), elapsed);
      }
      const best = Math.min(...exchanges.map(({ elapsed }) => elapsed));
      // some milliseconds pass in this test
      expect(Math.abs(clock.offset - ahead)).toBeLessThan(best + 50);
    }),
  );
});

test('a clock that is right is not touched, however long an answer took', () => {
  const clock = createSupervisorClock();
  clock.learn(String(Date.now() - 20_000), 30_000);
  expect(clock.offset).toBe(0);
});

test.each([undefined, '', 'soon', '-5', '1e3', '1'.repeat(16)])(
  'what is no time changes nothing: %s',
  (told) => {
    const clock = createSupervisorClock();
    clock.learn(told, 10);
    expect(clock.offset).toBe(0);
  },
);

test.each([
  ['six seconds ahead', -6_000],
  ['seventy seconds behind', 70_000],
  ['years behind', 1e12],
])('an agent whose clock is %s enrols, polls and reports without being refused', async (_, ahead) => {
  const { supervisor, startAgent } = await createNode();
  supervisor.clockAhead = ahead;
  startAgent();
  await supervisor.heard(running);
  await supervisor.desire({ access_rules: everybody });
  await supervisor.hears(running);
  expect(supervisor.refusals).toEqual([]);
});

/** Nothing but refusals of heartbeats and polls, so many of each at most. */
function expectRefusals(refusals: readonly string[], most: number): void {
  for (const path of ['/agent/v1/heartbeats', '/agent/v1/desired'])
    expect(refusals.filter((refusal) => refusal === `${path} 401`).length).toBeLessThanOrEqual(most);
  expect(refusals.filter((refusal) => !refusal.endsWith(' 401'))).toEqual([]);
}

test.each([-90_000, 90_000])(
  "when the supervisor's clock jumps by %i ms, agents are hardly refused",
  async (jump) => {
    const { supervisor, startAgent, agent } = await runningNode();
    supervisor.clockAhead = jump;
    await supervisor.hears(running);
    await supervisor.desire({ access_rules: everybody });
    // twice where the answer to a poll that was held meanwhile tells the former time once more
    expectRefusals(supervisor.refusals, 2);
    // an agent that starts again has to learn it anew
    agent.child.kill('SIGKILL');
    await agent.ended;
    startAgent();
    await supervisor.hears(running);
    expectRefusals(supervisor.refusals, 3);
  },
);

test('one token serves for many requests, and none for longer than it is valid', async () => {
  const { supervisor } = await runningNode();
  for (let beat = 0; beat < 5; beat++) await supervisor.hears(running);
  expect(supervisor.tokens.size).toBeLessThanOrEqual(2);
  // the first refusal tells the time
  supervisor.clockAhead = 120_000;
  await supervisor.hears(running);
  expect(supervisor.tokens.size).toBeLessThanOrEqual(4);
});
