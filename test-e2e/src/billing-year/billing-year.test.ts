import { testDatabase, type TestDatabase } from '@sluice/testing';
import { billingYear } from './billing-year.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());

test.each([1, 2])(
  'three months with faults cost what a naive program says, seed %i',
  async (seed) => {
    const size = { tenants: 2, deployments: 6, months: 3, restores: 1, kills: 0.02 };
    const { compared, counts } = await billingYear({ ...size, seed, server: database.url });
    expect(compared.flatMap(({ differences }) => differences)).toEqual([]);
    expect(compared).toHaveLength(3);
    expect(counts.restores).toBe(3);
    expect(compared.reduce((sum, { amounts }) => sum + amounts, 0)).toBeGreaterThan(20);
  },
  240_000,
);
