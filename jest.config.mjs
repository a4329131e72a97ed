/** Tests run on the sources as they are: types are stripped, nothing is bundled or down-levelled. */
export default {
  testEnvironment: 'node',
  roots: ['packages', 'services', 'infra', 'test-e2e'].map((folder) => `<rootDir>/${folder}`),
  testMatch: ['**/*.test.ts'],
  extensionsToTreatAsEsm: ['.ts'],
  transform: {
    '\\.ts$': [
      '@swc/jest',
      { jsc: { target: 'es2024', parser: { syntax: 'typescript' } }, module: { type: 'es6' } },
    ],
  },
  globalSetup: '<rootDir>/packages/testing/src/global-setup.ts',
  globalTeardown: '<rootDir>/packages/testing/src/global-teardown.ts',
  testTimeout: 30_000,
  // what a failed test has left open must not keep a run from ending
  forceExit: true,
};
