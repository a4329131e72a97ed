import { catalogueFile } from './main-api.ts';
import { compare, type Compared } from './compare.ts';
import { readLists } from './naive-prices.ts';
import { randomPlan, type PlanSize } from './plan.ts';
import type { Counts } from './post.ts';
import { World } from './world.ts';

/** Lets a random year happen. @returns what was compared, and what was done to services and messages */
export async function billingYear(
  { seed, server, kills, ...size }: PlanSize & { seed: number; server: string; kills: number },
  told: (compared: Compared) => void = () => undefined,
): Promise<{ compared: Compared[]; counts: Counts }> {
  const plan = randomPlan(seed, size);
  const lists = await readLists(catalogueFile, plan);
  const world = new World(plan, server, kills);
  const all: Compared[] = [];
  try {
    await world.run(async (at) => {
      const compared = await compare(world, lists, at);
      all.push(compared);
      told(compared);
    });
  } finally {
    await world.end();
  }
  return { compared: all, counts: world.counts };
}
