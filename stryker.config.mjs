/**
 * Mutation testing: Stryker changes one thing at a time in the sources of an area, runs the area's tests, and reports
 * the changes that no test has noticed (docs/mutation-testing.md). `npm run mutation -- <area>` starts it.
 */

const contracts = 'packages/contracts/src';
/** where tests of these packages run against a small service */
const runtimeTests = 'packages/runtime/test';

/** Each area: the sources that are changed and the tests that are to notice. */
const areas = {
  contracts: {
    folder: 'packages/contracts',
    mutate: [`${contracts}/*.ts`],
    tests: [`${contracts}/**/*.test.ts`],
    servers: false,
  },
  messaging: {
    folder: 'packages',
    mutate: [
      'packages/messaging/src/{outbox,outbox.store,relay,stream-relay,streams,consumer,errors,inbox}.ts',
    ],
    tests: ['packages/messaging/src/*.test.ts', `${runtimeTests}/messaging/*.test.ts`],
    servers: true,
  },
  grants: {
    folder: 'packages',
    mutate: ['packages/grants/src/*.ts'],
    tests: [`${runtimeTests}/grants/*.test.ts`],
    servers: true,
  },
  idempotency: {
    folder: 'packages',
    mutate: ['packages/http/src/idempotency.ts'],
    tests: [`${runtimeTests}/http/guards.test.ts`],
    servers: true,
  },
  authorization: {
    folder: 'packages',
    mutate: ['packages/http/src/{key-authorizer,key-usage}.ts'],
    tests: [`${runtimeTests}/http/{guards,key-authorizer,key-usage}.test.ts`],
    servers: true,
  },
};

const name = process.env.MUTATION_AREA ?? 'contracts';
const area = areas[name];
if (!area) throw new Error(`Name an area: ${Object.keys(areas).join(', ')}`);

export default {
  mutate: [...area.mutate, '!**/*.test.ts', '!**/index.ts'],
  plugins: ['@stryker-mutator/jest-runner'],
  testRunner: 'jest',
  testRunnerNodeArgs: ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning'],
  coverageAnalysis: 'perTest',
  jest: {
    projectType: 'custom',
    configFile: 'jest.instrumented.config.mjs',
    enableFindRelatedTests: false,
    config: {
      roots: [`<rootDir>/${area.folder}`],
      testMatch: area.tests.map((pattern) => `<rootDir>/${pattern}`),
      ...(!area.servers && { globalSetup: undefined, globalTeardown: undefined }),
    },
  },
  // the sources run as they are: types are stripped, not checked
  disableTypeChecks: false,
  concurrency: Number(process.env.MUTATION_WORKERS ?? 1),
  ignorePatterns: ['/services', '/bench', '/docs', '/test-e2e', '/.sluice', '/.cache', '/k8s'],
  tempDirName: '.cache/stryker',
  reporters: ['progress-append-only', 'clear-text', 'html', 'json'],
  clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
  htmlReporter: { fileName: `.cache/mutation/${name}.html` },
  jsonReporter: { fileName: `.cache/mutation/${name}.json` },
  timeoutMS: 30_000,
  // what is only read while a file is loaded: texts and tables
  ignoreStatic: true,
  allowEmpty: false,
};
