import tests from './jest.instrumented.config.mjs';

/**
 * `npm run coverage`: which lines the tests of packages and services run. What runs in processes of its own (the programs
 * themselves, the local stack) is not counted, so infra and test-e2e are left out.
 */
export default {
  ...tests,
  roots: ['packages', 'services'].map((folder) => `<rootDir>/${folder}`),
  collectCoverage: true,
  coverageProvider: 'v8',
  coverageDirectory: 'coverage',
  coverageReporters: ['text-summary', 'html'],
  collectCoverageFrom: [
    '{packages,services}/*/src/**/*.ts',
    '!**/*.test.ts',
    '!**/generated/**',
    '!**/src/main.ts',
    '!packages/testing/**',
  ],
  // of all tests together: with a path, `npm run coverage -- services/audit` ends with exit code 1 for the rest
  coverageThreshold: {
    global: { statements: 80, branches: 75, functions: 80, lines: 80 },
    './packages/contracts/src/': { statements: 98, branches: 98, functions: 95, lines: 98 },
  },
};
