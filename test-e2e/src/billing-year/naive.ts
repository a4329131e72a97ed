import {
  monthAfter,
  monthOf,
  secondsPerPrice,
  spentIn,
  totalOf,
  within,
  type Charged,
  type Spans,
} from './charged.ts';
import {
  createSeconds,
  followSeconds,
  lookSeconds,
  type Action,
  type Plan,
  type PlannedDeployment,
  type Shape,
} from './plan.ts';
import { costOf, listAt, type NaivePrices } from './naive-prices.ts';

/**
 * What everything costs, by the plan and the prices of the catalogue alone: nothing of the services is used here. A deployment costs the
 * price of its shape in each second in which its brokers run or are upgraded.
 *
 * Two rules say what faults may lose. Deployments that main-api has forgotten, since it was restored from a copy made before their
 * creation, cost nothing. Where a region is restored, only what was in the copy or had come to main-api counts of the time before, and the
 * deployments go on as they were in the copy.
 */

export interface Costs {
  charged: Charged[];
  /** cents a month that run at the end; null while nothing that costs does */
  runs: Record<string, bigint> | null;
  /** what that comes to until the month is over by the lists that are published, in cents a month times seconds */
  forecast: bigint;
  /** as the region and main-api know it */
  exists: boolean;
}

/** What is known of a deployment at the time of the answer to a restored region: by restore, then by deployment. */
export type KnownAt = Map<Plan['regionRestores'][number], Map<number, Spans>>;

interface State {
  status: 'none' | 'creating' | 'initialized' | 'upgrading' | 'stopped' | 'gone';
  isStopped: boolean;
  limitedUntil: number | null;
  /** when the brokers follow what is wanted; null: they have */
  followsAt: number | null;
  shape: Shape | null;
  after: Partial<Shape>;
  endsAt: number | null;
  limit: number | null;
}

/** What a deployment has cost until a time. */
export function costsUntil(
  plan: Plan,
  deployment: PlannedDeployment,
  lists: readonly NaivePrices[],
  known: KnownAt,
  until: number,
): Costs {
  const { cloud } = plan.regions[deployment.region]!;
  const restores = plan.regionRestores.filter(({ region }) => region === deployment.region);
  const away = plan.away.filter(({ region }) => region === deployment.region);
  const created = deployment.actions[0]!.at;
  const forgottenAt =
    plan.mainRestores.find(({ copyAt, at }) => created > copyAt && created <= at)?.at ?? Infinity;
  if (forgottenAt <= until) return { charged: [], runs: null, forecast: 0n, exists: false };

  const validFroms = plan.priceChanges
    .filter(({ tenant }) => tenant === null || tenant === deployment.tenant)
    .map(({ validFrom }) => validFrom);

  let charged: Charged[] = [];
  let now = created;
  /** the region waits for main-api's answer */
  let waits = false;
  let state: State = {
    ...{ status: 'none', isStopped: false, limitedUntil: null, followsAt: null },
    ...{ shape: null, after: {}, endsAt: null, limit: null },
  };
  const copies = new Map<object, State>();

  /** What is paid each month for what runs now; a deployment of the tier free is no usage. */
  function runs(at = now, knownAt = Infinity): Record<string, bigint> | null {
    const isRunning = !waits && (state.status === 'initialized' || state.status === 'upgrading');
    const prices = lists[listAt(plan, deployment.tenant, at, knownAt)]!;
    const cents = isRunning && state.shape ? costOf(prices, cloud, state.shape) : {};
    return totalOf(cents) > 0n ? cents : null;
  }
  /** What it costs from `until` to the end of the month, if nothing changes but prices. */
  function forecast(): bigint {
    const end = monthAfter(until);
    const changes = validFroms.filter((at) => at > until && at < end);
    const begins = [until, ...changes.toSorted((one, other) => one - other)];
    return begins.reduce((sum, from, index) => {
      const seconds = (begins[index + 1] ?? end) - from;
      return sum + BigInt(seconds) * totalOf(runs(from, until) ?? {});
    }, 0n);
  }
  function runTo(to: number): void {
    const cents = runs();
    for (let from = now; from < to && cents;) {
      const end = Math.min(to, monthAfter(from));
      charged.push({ from, to: end, cents });
      from = end;
    }
    now = Math.max(now, to);
  }
  const limitInCentSeconds = () => BigInt(Math.round((state.limit ?? 0) * 100)) * secondsPerPrice;
  const spent = () => spentIn(charged, monthOf(now), now);

  /** Looks at the limit, and at what brokers shall do. */
  function settle(): void {
    if (waits) return;
    const isReached = state.limit !== null && spent() >= limitInCentSeconds();
    if (state.limitedUntil !== null) {
      if (!isReached || now >= state.limitedUntil) state.limitedUntil = null;
    } else if (isReached && state.status === 'initialized' && totalOf(runs() ?? {}) > 0n)
      state.limitedUntil = monthAfter(now);
    follow();
  }
  const mayRun = () => !state.isStopped && state.limitedUntil === null;
  function follow(): void {
    const differs = state.status === 'initialized' ? !mayRun() : state.status === 'stopped' && mayRun();
    if (!differs) state.followsAt = null;
    else state.followsAt ??= now + followSeconds;
  }

  const present = (at: number) => away.find(({ from, to }) => at >= from && at < to)?.to ?? at;
  /** When the limit is next looked at with a result. */
  function nextLook(): number {
    if (waits) return Infinity;
    if (state.limitedUntil !== null) return present(Math.max(state.limitedUntil, now));
    const rate = totalOf(runs() ?? {});
    if (state.limit === null || state.status !== 'initialized' || rate === 0n) return Infinity;
    const reaches = (from: number, before: bigint) => {
      const left = limitInCentSeconds() - before;
      return from + (left <= 0n ? 0 : Number((left + rate - 1n) / rate));
    };
    const second = reaches(now, spent());
    if (second < monthAfter(now)) return present(Math.ceil(second / lookSeconds) * lookSeconds);
    const next = reaches(monthAfter(now), 0n);
    return present(Math.ceil(next / lookSeconds) * lookSeconds);
  }

  function act(action: Action): void {
    const isAtRest = state.status === 'initialized' && state.limitedUntil === null;
    switch (action.do) {
      case 'create':
        state = {
          ...state,
          shape: action.shape,
          limit: action.limit,
          status: 'creating',
          endsAt: now + createSeconds,
        };
        return;
      case 'upgrade':
        if (!isAtRest || state.shape?.tier === 'free') return;
        state.after = {
          tier: action.tier,
          storageSize: Math.max(action.storageSize, state.shape!.storageSize),
        };
        state.status = 'upgrading';
        state.endsAt = now + action.seconds;
        return settle();
      case 'extend':
        if (!isAtRest) return;
        state.shape = { ...state.shape!, nodes: Math.max(action.nodes, state.shape!.nodes) };
        state.status = 'upgrading';
        state.after = {};
        state.endsAt = now + action.seconds;
        return settle();
      case 'limit':
        if (state.status === 'gone' || state.limit === action.limit) return;
        state.limit = action.limit;
        return settle();
      case 'stop':
        state.isStopped = true;
        if (state.status === 'initialized') state.status = 'stopped';
        return settle();
      case 'start':
        state.isStopped = false;
        if (state.status === 'stopped' && state.limitedUntil === null) state.status = 'initialized';
        return settle();
      case 'delete':
        state = { ...state, status: 'gone', followsAt: null, endsAt: null, limitedUntil: null };
    }
  }

  /** What a step of the world is, and what comes first where several are at once. */
  interface Step {
    at: number;
    order: number;
    run: () => void;
  }
  const steps: Step[] = [
    // what runs is counted until then by the list before
    ...validFroms.filter((at) => at > created).map((at) => ({ at, order: 0, run: () => undefined })),
    ...deployment.actions.map((action) => ({ at: action.at, order: 3, run: () => act(action) })),
    ...restores.flatMap((restore): Step[] => [
      { at: restore.copyAt, order: 4, run: () => void copies.set(restore, { ...state }) },
      { at: restore.at, order: 4, run: () => void (waits = true) },
      {
        at: restore.answerAt,
        order: 5,
        run: () => {
          waits = false;
          const spans = known.get(restore)?.get(deployment.key) ?? [];
          charged = charged.flatMap((span) => within(span, spans));
          if (state.status === 'gone' || state.status === 'none') return;
          const copy = copies.get(restore);
          const { limit, shape } = state;
          state =
            copy && copy.status !== 'none'
              ? { ...copy, limit, shape, followsAt: null }
              : {
                  ...state,
                  isStopped: false,
                  limitedUntil: null,
                  followsAt: null,
                  status: 'creating',
                  endsAt: now + createSeconds,
                };
          settle();
        },
      },
    ]),
    ...plan.mainRestores
      .map(({ copyAt, at }): Step[] => {
        let limit: number | null | undefined;
        return [
          {
            at: copyAt,
            order: 4,
            run: () => void (limit = state.status === 'none' ? undefined : state.limit),
          },
          {
            at,
            order: 6,
            run: () => {
              if (limit !== undefined && limit !== state.limit && state.status !== 'gone') {
                state.limit = limit;
                settle();
              }
            },
          },
        ];
      })
      .flat(),
  ].toSorted((one, other) => one.at - other.at || one.order - other.order);

  for (;;) {
    const planned = steps[0];
    const own: Step[] = [];
    if (state.endsAt !== null) {
      const at = present(state.endsAt);
      own.push({ at, order: 1, run: end });
    }
    if (state.followsAt !== null && !waits)
      own.push({ at: present(state.followsAt), order: 1, run: hasFollowed });
    const look = nextLook();
    if (look < Infinity) own.push({ at: look, order: 2, run: settle });
    const next = [...(planned ? [planned] : []), ...own].reduce<Step | undefined>(
      (first, step) =>
        !first || step.at < first.at || (step.at === first.at && step.order < first.order) ? step : first,
      undefined,
    );
    if (!next || next.at > until) break;
    runTo(next.at);
    if (next === planned) steps.shift();
    next.run();
  }
  runTo(until);
  const exists = state.status !== 'none' && state.status !== 'gone';
  return { charged, runs: runs(), forecast: forecast(), exists };

  function end(): void {
    state.endsAt = null;
    if (state.status === 'upgrading') state.shape = { ...state.shape!, ...state.after };
    state.status = 'initialized';
    settle();
  }
  function hasFollowed(): void {
    state.followsAt = null;
    state.status = mayRun() ? 'initialized' : 'stopped';
    settle();
  }
}
