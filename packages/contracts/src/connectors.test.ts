import { connectors, findConnector, instanceKeySchema } from './connectors.ts';

test('the catalogue has 14 sinks and 5 sources, and each of them once', () => {
  const ofType = (wanted: string) => connectors.filter(({ type }) => type === wanted).map(({ key }) => key);
  expect([new Set(ofType('sink')).size, new Set(ofType('source')).size]).toEqual([14, 5]);
  expect(connectors).toHaveLength(19);
  for (const connector of connectors) expect(findConnector(connector.type, connector.key)).toBe(connector);
  expect(findConnector('source', 'clickhouse')).toBeUndefined();
});

test('a key that is made of any connector and the highest id is a key of an instance', () => {
  for (const { key, type } of connectors)
    expect(instanceKeySchema.safeParse(`${key}-${type}-${Number.MAX_SAFE_INTEGER}`).success).toBe(true);
});
