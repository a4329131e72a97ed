import type pg from 'pg';
import { Gauge, Histogram, type Registry } from 'prom-client';

/** What is measured of a pool at the places where it is used. */
export interface PoolMeasures {
  /** To be called when a connection is asked for. @returns what to call when it is there, or refused */
  waiting(): () => void;
}

/** Measures a pool under its name: how long its connections are waited for, how many are used, how many wait. */
export function measurePool(pool: pg.Pool, name: string, metrics: Registry): PoolMeasures {
  const { wait, pools } = poolMetrics(metrics);
  pools.set(name, pool);
  return { waiting: () => wait.startTimer({ pool: name }) };
}

interface PoolMetrics {
  wait: Histogram<'pool'>;
  pools: Map<string, pg.Pool>;
}

/** A service has several pools; they share the metrics and differ by their label. */
const known = new WeakMap<Registry, PoolMetrics>();

function poolMetrics(metrics: Registry): PoolMetrics {
  const existing = known.get(metrics);
  if (existing) return existing;
  const pools = new Map<string, pg.Pool>();
  const wait = new Histogram({
    name: 'sluice_database_pool_wait_seconds',
    help: 'Time for which a connection of a pool was waited for',
    labelNames: ['pool'],
    buckets: [0.001, 0.005, 0.02, 0.1, 0.5, 2, 5],
    registers: [metrics],
  });
  const gauge = (title: string, help: string, value: (pool: pg.Pool) => number) =>
    new Gauge({
      name: title,
      help,
      labelNames: ['pool'],
      registers: [metrics],
      collect() {
        for (const [name, pool] of pools) this.set({ pool: name }, value(pool));
      },
    });
  gauge(
    'sluice_database_pool_used',
    'Connections of a pool that are in use',
    (pool) => pool.totalCount - pool.idleCount,
  );
  gauge('sluice_database_pool_size', 'Connections that a pool has at most', (pool) => pool.options.max);
  gauge(
    'sluice_database_pool_waiting',
    'How many wait for a connection of a pool',
    (pool) => pool.waitingCount,
  );
  const made = { wait, pools };
  known.set(metrics, made);
  return made;
}
