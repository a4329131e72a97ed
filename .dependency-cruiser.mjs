import { globSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

/** What may import what. `npm run structure` checks it, and that folders form no circle: infra/src/structure.ts. */

/** The packages, lowest first: each imports those of the layers below it, and those of its own that form no circle. */
const layers = [
  ['contracts', 'system', 'client', 'terminal', 'streams', 'web-files'],
  [
    'apply',
    'billing',
    'controller',
    'connectors',
    'diagnostics',
    'embedded',
    'local-sign-in',
    'payment-emulator',
    'payments',
    'ui',
  ],
  ['service', 'stream-ui', 'console-core'],
  ['messaging', 'catalogue', 'sign-in', 'console-deployment'],
  ['grants'],
  ['http'],
  ['runtime', 'drivers', 'main-store'],
  ['driver-[^/]+', 'grant-publication'],
  ['region-store'],
  ['admin', 'cli', 'console', 'testing'],
];

const tests = String.raw`\.test\.ts$|^(packages|services)/[^/]+/test/`;
const onlyTests = 'packages/testing|infra|test-e2e|bench';

const isLayered = (name) => layers.flat().some((pattern) => new RegExp(`^${pattern}$`).test(name));
const manifests = globSync('packages/*/package.json', { cwd: fileURLToPath(new URL('.', import.meta.url)) });
const unknown = manifests.map((path) => basename(dirname(path))).filter((name) => !isLayered(name));
if (unknown.length > 0)
  throw new Error(`In .dependency-cruiser.mjs, name the layer of ${unknown.join(', ')}`);

const forbid = (name, comment, from, to) => ({ name, comment, severity: 'error', from, to });
const packages = (names) => `^packages/(${names.join('|')})/`;

export default {
  forbidden: [
    forbid(
      'no-circle',
      'Files do not import each other in a round, types included.',
      { pathNot: tests },
      { circular: true },
    ),
    forbid('known', 'What is imported is there, and exported by its package.', {}, { couldNotResolve: true }),
    forbid(
      'by-name',
      'A package is imported by its name, which gives what it exports.',
      { path: '^(?:packages|services)/([^/]+)/|^(infra|test-e2e|bench)/' },
      {
        path: '^packages/',
        pathNot: '^packages/$1/',
        dependencyTypes: ['local'],
      },
    ),
    ...layers
      .slice(0, -1)
      .map((names, at) =>
        forbid(
          `above-${names[0]}`,
          'A package imports packages of lower layers.',
          { path: packages(names), pathNot: tests },
          { path: packages(layers.slice(at + 1).flat()) },
        ),
      ),
    forbid(
      'package-to-program',
      'A package depends on packages only.',
      { path: '^packages/' },
      { path: '^(services|infra|test-e2e|bench)/' },
    ),
    forbid(
      'service-to-service',
      'A service imports no other service: what it needs of one travels in an event or a command.',
      { path: '^services/([^/]+)/' },
      { path: '^services/', pathNot: '^services/$1/' },
    ),
    forbid(
      'only-for-tests',
      'What helps tests is for tests.',
      { path: '^(packages|services)/', pathNot: `${tests}|^packages/testing/` },
      { path: `^(${onlyTests})/` },
    ),
    forbid(
      'store-to-rules',
      'A store holds SQL: it knows neither rules nor operations.',
      { path: String.raw`^services/[^/]+/src/(stores/|.*\.store\.ts$)|^packages/.*\.store\.ts$` },
      { path: String.raw`\.(service|operations)\.ts$` },
    ),
    forbid(
      'store-to-feature',
      'Features ask stores, never the other way round.',
      { path: '^services/[^/]+/src/stores/' },
      { path: '^services/[^/]+/src/features/' },
    ),
    forbid(
      'rules-to-operations',
      'Rules do not know the operations that call them.',
      { path: String.raw`\.service\.ts$` },
      { path: String.raw`\.operations\.ts$` },
    ),
    forbid(
      'operations-to-store',
      'Operations translate: what they store goes through the rules.',
      { path: String.raw`\.operations\.ts$` },
      { path: String.raw`\.store\.ts$`, dependencyTypesNot: ['type-only'] },
    ),
    forbid(
      'operations-of-another',
      'The operations of a feature are its own: others use its rules.',
      { path: '^services/([^/]+)/src/features/([^/]+)/', pathNot: tests },
      { path: String.raw`/features/.*\.operations\.ts$`, pathNot: '^services/$1/src/features/$2/' },
    ),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: ['(^|/)(generated|fixtures|dist)/'] },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
    },
  },
};
