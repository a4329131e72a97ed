import { availableParallelism } from 'node:os';

const testing = '<rootDir>/packages/testing/src';

/** Tests run on the sources as they are: types are stripped by Node, nothing is bundled or down-levelled. */
const project = (displayName, folders) => ({
  displayName,
  roots: folders.map((folder) => `<rootDir>/${folder}`),
  testMatch: ['**/*.test.ts'],
  // the built client has the name of its source
  modulePathIgnorePatterns: ['<rootDir>/packages/client/dist'],
  runtime: `${testing}/jest/native-runtime.ts`,
  testEnvironment: `${testing}/jest/native-environment.ts`,
  transform: {},
  globalSetup: `${testing}/global-setup.ts`,
  globalTeardown: `${testing}/global-teardown.ts`,
});

export default {
  projects: [
    // one package or service against real servers
    project('service', ['packages', 'services']),
    // whole stacks, as processes
    project('stack', ['infra', 'test-e2e']),
  ],
  testSequencer: `${testing}/jest/long-first.ts`,
  reporters: ['default', `${testing}/jest/end-stack.ts`],
  // a stack that is elsewhere takes its time: packages/testing/src/eventually.ts
  testTimeout: process.env.SLUICE_STACK_FILE ? 240_000 : 60_000,
  // tests wait for servers and processes a good part of the time
  maxWorkers: availableParallelism() * 2,
};
