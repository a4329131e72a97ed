import { findConnector } from '@sluice/contracts';
import { readConfigValue } from '@sluice/contracts/config-values';
import { findPlugin, plugins } from './index.ts';

describe.each(plugins.map((plugin) => [`${plugin.type} ${plugin.key}`, plugin] as const))(
  '%s',
  (_, plugin) => {
    test('is one of the catalogue, once', () => {
      expect(findConnector(plugin.type, plugin.key)).toBeDefined();
      expect(findPlugin(plugin.type, plugin.key)).toBe(plugin);
    });

    test('has a schema that people can read, whose defaults satisfy it', () => {
      const keys = plugin.schema.map(({ key }) => key);
      expect(new Set(keys).size).toBe(keys.length);
      for (const entry of plugin.schema) {
        expect(entry.key).toMatch(/^[a-z][a-z0-9_]*$/);
        expect(entry.name).toMatch(/^[A-Z]/);
        expect(entry.description.length).toBeGreaterThan(5);
        expect(entry.secret).toBe(entry.kind === 'secret');
        if (entry.default_value !== null)
          expect({ key: entry.key, ...readConfigValue(entry, entry.default_value) }).not.toHaveProperty(
            'issue',
          );
      }
    });

    test('says where its secrets are sent', () => {
      const declared = plugin.schema.filter(({ destination }) => destination).map(({ key }) => key);
      if (plugin.schema.some(({ secret }) => secret)) expect(declared).not.toEqual([]);
      // by their names these decide it
      const decisive =
        /url|uri|host|port|endpoint|address|server|broker|srv|region|tls|proxy|replica|access_key_id/;
      for (const { key, secret } of plugin.schema)
        if (decisive.test(key) && !secret) expect(declared).toContain(key);
    });

    test('has a bound for everything that is written', () => {
      for (const { key, kind, rules } of plugin.schema) {
        const isBounded = kind === 'bool' || rules.some(({ rule }) => rule === 'max' || rule === 'one_of');
        expect({ key, isBounded }).toEqual({ key, isBounded: true });
      }
    });
  },
);
