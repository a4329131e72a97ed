import { fileURLToPath } from 'node:url';
import tests from './jest.config.mjs';

/**
 * For tools that count or change what the tests run (coverage, mutation testing): every test file in a context of its
 * own, with modules of its own, as jest does it where nothing else is said. It costs three times as much as `npm test`.
 */
export default {
  roots: tests.projects.flatMap(({ roots }) => roots),
  testMatch: ['**/*.test.ts'],
  testEnvironment: 'node',
  extensionsToTreatAsEsm: ['.ts'],
  transform: {
    '\\.ts$': [
      fileURLToPath(import.meta.resolve('@swc/jest')),
      { jsc: { target: 'es2024', parser: { syntax: 'typescript' } }, module: { type: 'es6' } },
    ],
  },
  globalSetup: '<rootDir>/packages/testing/src/global-setup.ts',
  globalTeardown: '<rootDir>/packages/testing/src/global-teardown.ts',
  testTimeout: tests.testTimeout,
};
