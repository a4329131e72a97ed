import type { DeploymentId } from '@sluice/contracts';
import { sql } from 'kysely';
import type { Database } from './tables.ts';

/** The subnets that deployments are given: `count` of them, each of `size` addresses, the first one `first` (a CIDR block). */
export interface SubnetPool {
  /** the block that they make up together */
  range: string;
  first: string;
  count: number;
  size: number;
}

/** as many subnets as are listed at a time */
const listedAtOnce = 1_024;

/**
 * Takes the lowest free subnet for the deployment, which has to be stored with it in the same transaction; the
 * one that it has, if it has one. It is free again when the deployment is deleted. Waits for no lock: two that take at once
 * take two.
 * @returns undefined when none is left
 */
export async function takeSubnet(
  db: Database,
  id: DeploymentId,
  pool: SubnetPool,
): Promise<string | undefined> {
  do {
    const { rows } = await sql<{ subnet: string }>`
      UPDATE subnets SET deployment_id = ${id}
      WHERE subnet = coalesce(
        (SELECT subnet FROM subnets WHERE deployment_id = ${id}),
        (SELECT subnet FROM subnets
         WHERE deployment_id IS NULL AND subnet <<= ${pool.range}::cidr
         ORDER BY subnet
         LIMIT 1
         FOR UPDATE SKIP LOCKED))
      RETURNING subnet`.execute(db);
    if (rows[0]) return rows[0].subnet;
  } while (await listMore(db, pool));
  return undefined;
}

/** Lists the next subnets of the range. @returns false when all were listed */
async function listMore(db: Database, { range, first, count, size }: SubnetPool): Promise<boolean> {
  const { rows } = await sql<{ listed: number }>`
    INSERT INTO subnet_ranges AS former (range, listed) VALUES (${range}, ${Math.min(listedAtOnce, count)})
    ON CONFLICT (range) DO UPDATE SET listed = least(former.listed + ${listedAtOnce}, ${count}::bigint)
    WHERE former.listed < ${count}
    RETURNING listed`.execute(db);
  const listed = rows[0]?.listed;
  if (listed === undefined) return false;
  await sql`
    INSERT INTO subnets (subnet)
    SELECT made.subnet
    FROM generate_series(${Math.max(0, listed - listedAtOnce)}::bigint, ${listed - 1}::bigint) AS position
    CROSS JOIN LATERAL (
      SELECT network(${first}::inet + position * ${size}::bigint)::cidr AS subnet
    ) AS made
    ON CONFLICT DO NOTHING`.execute(db);
  return true;
}
