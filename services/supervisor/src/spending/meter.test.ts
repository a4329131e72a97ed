import fc from 'fast-check';
import { advanced, newMeter, reachesAt, secondsPerPrice, spentCents } from './meter.ts';

const at = (text: string) => new Date(`${text}Z`);
/** one cent a second */
const centASecond = secondsPerPrice;
const meter = (from: string, monthlyCents = centASecond) => ({ ...newMeter(at(from)), monthlyCents });

test('what runs is counted by the second, and the rest of a second with the next', () => {
  const first = advanced(meter('2026-03-10T00:00:00'), at('2026-03-10T00:00:10.900'));
  expect(spentCents(first)).toBe(10);
  expect(spentCents(advanced(first, at('2026-03-10T00:00:11.100')))).toBe(11);
});

test('a price holds from when it is set', () => {
  const dear = {
    ...advanced(meter('2026-03-10T00:00:00'), at('2026-03-10T00:01:00')),
    monthlyCents: 2 * centASecond,
  };
  expect(spentCents(advanced(dear, at('2026-03-10T00:02:00')))).toBe(60 + 120);
  const stopped = { ...dear, monthlyCents: 0 };
  expect(spentCents(advanced(stopped, at('2026-03-20T00:00:00')))).toBe(60);
});

test('a month begins with nothing, and has what ran since it began', () => {
  const next = advanced(meter('2026-03-31T23:00:00'), at('2026-04-01T00:00:07'));
  expect([next.month, spentCents(next)]).toEqual([at('2026-04-01T00:00:00'), 7]);
  const later = advanced(next, at('2026-12-01T00:00:00'));
  expect([later.month, spentCents(later)]).toEqual([at('2026-12-01T00:00:00'), 0]);
});

test('however often, and in whatever order of clocks, it is counted: nothing is counted twice, and nothing is left out', () => {
  const from = at('2026-03-10T00:00:00').getTime();
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 1_000_000_000 })), (steps) => {
      const end = new Date(from + Math.max(0, ...steps));
      const counted = steps.reduce(
        (now, step) => advanced(now, new Date(from + step)),
        meter('2026-03-10T00:00:00'),
      );
      expect(spentCents(counted)).toBe(Math.floor((end.getTime() - from) / 1000));
    }),
  );
});

test('when a limit is reached is known to the second', () => {
  expect(reachesAt(meter('2026-03-10T00:00:00'), 90)).toEqual(at('2026-03-10T00:01:30'));
  expect(reachesAt(meter('2026-03-10T00:00:00'), 0)).toEqual(at('2026-03-10T00:00:00'));
  // too late for this month, so in the next
  expect(reachesAt(meter('2026-03-31T23:59:00'), 90)).toEqual(at('2026-04-01T00:01:30'));
});

test('a limit that only a month of 31 days reaches is reached in the next of these', () => {
  const days = 30.5 * 24 * 3600;
  expect(reachesAt(meter('2026-02-20T00:00:00'), days)).toEqual(at('2026-03-31T12:00:00'));
  expect(reachesAt(meter('2026-03-02T00:00:00'), days)).toEqual(at('2026-05-31T12:00:00'));
});

test('a limit above what any month costs is never reached, nor is any by what costs nothing', () => {
  expect(reachesAt(meter('2026-03-01T00:00:00'), 32 * 24 * 3600)).toBeNull();
  expect(reachesAt(meter('2026-03-01T00:00:00', 0), 0)).toBeNull();
});

test('whoever counts at the moment that was told finds the limit reached, and a second before not', () => {
  fc.assert(
    fc.property(
      fc.date({ min: at('2026-01-01T00:00:00'), max: at('2028-01-01T00:00:00'), noInvalidDate: true }),
      fc.integer({ min: 1, max: 1_000_000_000 }),
      fc.integer({ min: 1, max: 1_000_000_000 }),
      (begin, monthlyCents, limit) => {
        const running = { ...newMeter(begin), monthlyCents };
        const reached = reachesAt(running, limit);
        if (reached === null) return;
        const isReached = (now: Date) => advanced(running, now).centSeconds >= limit * secondsPerPrice;
        expect(isReached(reached)).toBe(true);
        expect(isReached(new Date(reached.getTime() - 1000))).toBe(false);
      },
    ),
  );
});

test('730 hours cost the monthly price to the cent, however often and whenever they are counted', () => {
  const from = at('2026-03-01T00:00:00');
  const hours = 730;
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 1_000_000_000 }),
      fc.array(fc.integer({ min: 0, max: hours * 3_600_000 })),
      (monthlyCents, moments) => {
        const end = advanced(
          moments
            .toSorted((one, other) => one - other)
            .reduce((meter, moment) => advanced(meter, new Date(from.getTime() + moment)), {
              ...newMeter(from),
              monthlyCents,
            }),
          new Date(from.getTime() + hours * 3_600_000),
        );
        expect(spentCents(end)).toBe(monthlyCents);
      },
    ),
  );
});
