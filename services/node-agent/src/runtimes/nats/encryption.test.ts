import { startEnvironment } from './encryption.ts';

const key = (version: number) => ({ version, key: String(version).repeat(64).slice(0, 64) });
const keys = { version: 3, keys: [key(3), key(1)] };

describe('a broker', () => {
  test('has the newest key, and the one of the data that it finds', () => {
    const { SLUICE_STORAGE_KEY: current, SLUICE_FORMER_STORAGE_KEY: former } = startEnvironment(keys, 1);
    expect([current, former]).toEqual([`k${key(3).key}`, `k${key(1).key}`]);
  });

  test('has one key where there is no data, or none that is encrypted', () => {
    const { SLUICE_STORAGE_KEY: current, SLUICE_FORMER_STORAGE_KEY: former } = startEnvironment(keys, null);
    expect([current, former]).toEqual([`k${key(3).key}`, `k${key(3).key}`]);
    expect(startEnvironment(null, null)).toEqual({});
  });

  test('is not started on data whose key was not sent', () => {
    expect(() => startEnvironment(keys, 2)).toThrow('version 2 of the key for the data was not sent');
    expect(() => startEnvironment(null, 2)).toThrow('version 2 of a key that was not sent');
  });
});
