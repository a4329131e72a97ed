import type { Page } from 'playwright-core';

/** Answers that the benchmark gives in place of the APIs, for as many rows as no installation has after a minute. */

const entries = 100_000;
const nodes = 100;
const points = 1_000;

/** An audit log of 100,000 entries. */
export const answerAudit = (page: Page): Promise<unknown> =>
  page.route(/\/api\/audit\/audit\/tenants\/\d+\?/, async (route) => {
    const query = new URL(route.request().url()).searchParams;
    const number = Number(query.get('page') ?? 1);
    const results = Number(query.get('results') ?? 10);
    // looks for what is new have a beginning
    const isLook = query.has('from') || query.has('after');
    const first = (number - 1) * results;
    const items = isLook ? [] : Array.from({ length: results }, (_, index) => entry(first + index));
    const total = isLook ? 0 : entries;
    await route.fulfill({
      json: { items, page: number, total_results: total, total_pages: Math.ceil(total / results) },
    });
  });

const begun = Date.now();

const entry = (index: number) => ({
  ...{ type: 'deployment_updated', name: 'Deployment updated' },
  ...{ author: { id: 1, name: 'Colleague' }, user: null, api_key: null },
  division: { id: 1, name: 'default' },
  environment: { id: 1, name: 'sandbox' },
  deployment: { id: 1 + (index % 1_000), name: `orders-${1 + (index % 1_000)}` },
  data: { changes: { description: `change ${index}` }, former: { description: null } },
  correlation_id: `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`,
  timestamp: new Date(begun - index * 1_000).toISOString(),
});

/** One metric of 100 nodes at 1,000 times: a chart of 100,000 points. */
export const answerSeries = (page: Page): Promise<unknown> =>
  page.route(/\/metrics\/series\?/, async (route) => {
    const query = new URL(route.request().url()).searchParams;
    const aggregate = query.get('aggregate');
    const to = Date.parse(query.get('to') ?? '');
    const step = 3_600_000 / points;
    await route.fulfill({
      json: {
        ...{ step_seconds: Math.round(step / 1_000), aggregate },
        times: Array.from({ length: points }, (_, at) => new Date(to - (points - at) * step).toISOString()),
        columns:
          aggregate === 'avg'
            ? Array.from({ length: nodes }, (_, node) => ({
                ...{ metric: 'broker.connections', node_id: node + 1, connector_instance_id: null },
                values: Array.from(
                  { length: points },
                  (_, at) => Math.round(1_000 * Math.sin(at / 40 + node)) + 1_000,
                ),
              }))
            : [],
      },
    });
  });
