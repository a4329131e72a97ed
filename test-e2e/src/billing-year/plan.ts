import { oneOf, seededRandom } from '../storm/random.ts';

/** A random year of tenants and their deployments. Times are seconds since 1970. */

export interface Shape {
  tier: string;
  nodes: number;
  storageType: 'local_ssd' | 'network_balanced';
  /** of each node, in GB */
  storageSize: number;
  telemetryDays: number;
}

export type Action = { at: number } & (
  | { do: 'create'; shape: Shape; isCluster: boolean; limit: number | null }
  | { do: 'upgrade'; tier: string; storageSize: number; seconds: number }
  | { do: 'extend'; nodes: number; seconds: number }
  | { do: 'limit'; limit: number | null }
  | { do: 'stop' }
  | { do: 'start' }
  | { do: 'delete' }
);

export interface PlannedDeployment {
  key: number;
  tenant: number;
  region: number;
  actions: Action[];
}

/** A database goes back to a copy. */
export interface Restore {
  copyAt: number;
  at: number;
}
/** The region counts on when main-api has answered. */
export type RegionRestore = Restore & { region: number; answerAt: number };
/** No supervisor of the region runs; brokers go on as they are. */
export interface Away {
  region: number;
  from: number;
  to: number;
}

/** Each price of the catalogue times so many percent. */
export type PricePercents = Record<'hourly' | 'storage' | 'network' | 'telemetry' | 'retention', number>;
/** A list is published, or assigned again, for all tenants or one. */
export interface PriceChange {
  at: number;
  validFrom: number;
  tenant: number | null;
  /** its number: 1 is the catalogue; null: for this tenant the list of all again */
  list: number | null;
}
export interface Credit {
  at: number;
  tenant: number;
  cents: number;
  expiresAt: number | null;
}
/** For whole months; `percent` in hundredths. */
export interface Discount {
  at: number;
  tenant: number;
  percent: number;
  from: number;
  to: number | null;
}

export interface Plan extends Money {
  seed: number;
  begin: number;
  end: number;
  tenants: number;
  regions: { cloud: 'cloud_a' | 'cloud_b'; region: string }[];
  deployments: PlannedDeployment[];
  regionRestores: RegionRestore[];
  mainRestores: Restore[];
  away: Away[];
}

/** What is agreed of prices; none of it while main-api's database is one that goes back to a copy. */
export interface Money {
  /** from list 2 on */
  lists: PricePercents[];
  priceChanges: PriceChange[];
  credits: Credit[];
  discounts: Discount[];
}

export interface PlanSize {
  tenants: number;
  deployments: number;
  months: number;
  restores: number;
}

/** seconds from a change of what is wanted until the brokers have followed */
export const followSeconds = 7;
export const createSeconds = 20;
/** seconds between two looks at spend limits */
export const lookSeconds = 5;

const day = 86_400;
/** nobody changes anything so long before and after a fault: what is under way then has reached main-api */
const quietSeconds = 700;
const year = 2028;
const monthStart = (month: number) => Date.UTC(year, month) / 1000;

const tiers = ['free', 'small', 'medium', 'large', 'xlarge', '2xlarge'];

export function randomPlan(seed: number, size: PlanSize): Plan {
  const random = seededRandom(seed);
  const between = (from: number, to: number) => from + Math.floor(random() * (to - from));
  const [begin, end] = [monthStart(0), monthStart(size.months)];
  const regions: Plan['regions'] = [
    { cloud: 'cloud_a', region: 'us-east-1' },
    { cloud: 'cloud_b', region: 'europe-west1' },
  ];

  /** Copies and restores that are apart from each other. */
  const restores = (count: number) =>
    Array.from({ length: count }, (_, index): Restore => {
      const span = (end - begin - 8 * day) / count;
      const from = begin + 4 * day + Math.floor(index * span);
      // each second one goes back over the end of a month, where there is one
      const at = between(from + Math.floor(span / 2), from + Math.floor(span) - 3 * day);
      const next = monthStart(new Date(at * 1000).getUTCMonth()) + between(3_600, 9 * 3_600);
      const isNear = index % 2 === 0 && next > from + day && next < from + span - day;
      const restored = isNear ? next : at;
      return { copyAt: restored - between(3 * 3_600, 20 * 3_600), at: restored };
    });
  const mainRestores = restores(size.restores);
  const regionRestores = regions.flatMap((_, region) =>
    restores(size.restores).map((restore) => ({
      ...{ ...restore, region, at: restore.at + 3_000 * (1 + region) },
      answerAt: restore.at + 3_000 * (1 + region) + between(0, 600),
    })),
  );
  const away = Array.from({ length: Math.ceil(size.months / 2) }, (_, index): Away => {
    const over = monthStart(2 * index + 1);
    const from = 5 * Math.floor((over - between(3_600, 2 * day)) / 5);
    return {
      ...{ region: index % 2, from },
      to: Math.min(5 * Math.floor((over + between(600, 2 * day)) / 5), end - day),
    };
  }).filter(
    ({ region, from, to }) =>
      from < to &&
      ![...mainRestores, ...regionRestores.filter((restore) => restore.region === region)].some(
        (restore) => restore.copyAt < to + 7_200 && restore.at + 7_200 > from,
      ),
  );

  const quiet = regions.map((_, region) => [
    ...[...mainRestores, ...regionRestores.filter((restore) => restore.region === region)].flatMap(
      ({ copyAt, at }) => [copyAt, at].map((time) => [time - quietSeconds, time + 2 * quietSeconds] as const),
    ),
    ...away.filter((one) => one.region === region).map(({ from, to }) => [from - quietSeconds, to] as const),
  ]);
  /** The next time from this one on at which something may be changed in a region. */
  function allowed(region: number, at: number): number {
    const hit = quiet[region]!.find(([from, to]) => at >= from && at <= to);
    return hit ? allowed(region, hit[1] + between(1, 600)) : at;
  }

  const limitOf = () => (random() < 0.25 ? null : between(50, 12_000) / 100);

  function actionsOf(region: number): Action[] {
    let at = allowed(region, between(begin, begin + Math.floor((end - begin) * 0.8)));
    const isCluster = random() < 0.4;
    const shape: Shape = {
      tier: oneOf(isCluster || random() < 0.9 ? tiers.slice(1) : tiers, random)!,
      nodes: isCluster ? between(1, 4) : 1,
      storageType: random() < 0.5 ? 'local_ssd' : 'network_balanced',
      storageSize: 10,
      telemetryDays: between(1, 30),
    };
    if (shape.tier !== 'free') shape.storageSize = between(20, 200);
    const actions: Action[] = [{ at, do: 'create', shape, isCluster, limit: limitOf() }];
    let { storageSize, nodes } = shape;
    for (let left = between(2, 14); left > 0; left--) {
      const soon = random() < 0.2;
      at = allowed(region, at + (soon ? between(400, 2_000) : between(3_600, 30 * day)));
      if (at > end - 1_200) break;
      const kind = random();
      if (kind < 0.25) {
        storageSize += random() < 0.5 ? 0 : between(1, 100);
        const tier = oneOf(tiers.slice(1), random)!;
        actions.push({ at, do: 'upgrade', tier, storageSize, seconds: between(30, 300) });
      } else if (kind < 0.35 && isCluster && nodes < 6) {
        actions.push({ at, do: 'extend', nodes: ++nodes, seconds: between(30, 300) });
      } else if (kind < 0.6) actions.push({ at, do: 'limit', limit: limitOf() });
      else if (kind < 0.78) actions.push({ at, do: 'stop' });
      else if (kind < 0.96) actions.push({ at, do: 'start' });
      else {
        actions.push({ at, do: 'delete' });
        break;
      }
    }
    return actions;
  }

  const deployments = Array.from({ length: size.deployments }, (_, key): PlannedDeployment => {
    const region = between(0, regions.length);
    return { key, tenant: key % size.tenants, region, actions: actionsOf(region) };
  });
  const { tenants } = size;
  const money = randomMoney(seededRandom(seed + 2), { ...size, begin, end, mainRestores });
  return {
    ...{ seed, begin, end, tenants, regions, deployments },
    ...{ regionRestores, mainRestores, away, ...money },
  };
}

/** Lists for all and for some, in mid-month and at its first second; discounts and credits for about every other tenant. */
function randomMoney(
  random: () => number,
  { begin, end, tenants, months, mainRestores }: PlanSize & Pick<Plan, 'begin' | 'end' | 'mainRestores'>,
): Money {
  const between = (from: number, to: number) => from + Math.floor(random() * (to - from));
  /** A time that no restore makes undone. */
  function lasting(): number {
    const at = between(begin + day, end - 20 * day);
    return mainRestores.some((restore) => at > restore.copyAt - 3_600 && at < restore.at + 3_600)
      ? lasting()
      : at;
  }
  const lists = Array.from({ length: months }, (): PricePercents => {
    const percent = () => between(50, 180);
    return {
      ...{ hourly: percent(), storage: percent(), network: percent() },
      ...{ telemetry: percent(), retention: percent() },
    };
  });
  const change = (tenant: number | null, list: PriceChange['list']): PriceChange => {
    const at = lasting();
    const isByMonth = random() < 0.3;
    const validFrom = isByMonth ? monthStart(monthOf(at) + 1) : at + between(600, 12 * day);
    return { at, validFrom, tenant, list };
  };
  const anyList = () => between(1, months + 2);
  const changes = [
    ...Array.from({ length: months }, () => change(null, anyList())),
    ...Array.from({ length: tenants }, (_, tenant) => tenant).flatMap((tenant) =>
      random() < 0.3 ? [change(tenant, anyList()), change(tenant, random() < 0.5 ? null : anyList())] : [],
    ),
  ];
  const someTenants = Array.from({ length: tenants }, (_, tenant) => tenant).filter(() => random() < 0.5);
  const discounts = someTenants.map((tenant): Discount => {
    const at = lasting();
    const from = monthOf(at) + between(1, 3);
    const to = random() < 0.5 ? null : monthStart(from + between(1, 4));
    return { at, tenant, percent: between(1, 10_001), from: monthStart(from), to };
  });
  const credits = Array.from({ length: 2 * tenants }, (): Credit => {
    const at = lasting();
    const expiresAt = random() < 0.4 ? null : at + between(0, 100 * day);
    return { at, tenant: between(0, tenants), cents: between(1, 20_000), expiresAt };
  });
  return { lists, priceChanges: changes.toSorted((one, other) => one.at - other.at), credits, discounts };
}

/** Counted from the first one of the plan. */
const monthOf = (at: number) => {
  const time = new Date(at * 1000);
  return (time.getUTCFullYear() - year) * 12 + time.getUTCMonth();
};

/** When a region is there: at this time, or after it. */
export const presentAt = ({ away }: Pick<Plan, 'away'>, region: number, time: number): number =>
  away.find((one) => one.region === region && time >= one.from && time < one.to)?.to ?? time;

/** A time from this one on at which no region is away, or waits for main-api. */
export function quietFrom(plan: Pick<Plan, 'away' | 'regionRestores'>, time: number): number {
  const { away, regionRestores } = plan;
  const busy = [...away, ...regionRestores.map(({ at, answerAt }) => ({ from: at, to: answerAt }))];
  const hit = busy.find(({ from, to }) => time >= from && time <= to + 3_600);
  return hit ? quietFrom(plan, hit.to + 3_607) : time;
}
