import { readdirSync } from 'node:fs';
import js from '@eslint/js';
import tseslint from 'typescript-eslint';

const services = readdirSync(new URL('./services', import.meta.url));
const packages = readdirSync(new URL('./packages', import.meta.url));

const pattern = (names, message) => ({
  // by package name, and by a relative path that leaves the own folder
  regex: `(^@sluice/|\\.\\./)(${names.join('|')})(/|$)`,
  message,
});
const layer = (suffixes, message) => ({ regex: `\\.(${suffixes.join('|')})\\.ts$`, message });

/** Dependencies point one way: operations → service → store, services → packages, never sideways or back. */
function directions(files, ...patterns) {
  return { files, rules: { 'no-restricted-imports': ['error', { patterns }] } };
}
const noServices = (own) =>
  pattern(
    services.filter((name) => name !== own),
    'A service imports no other service: what it needs of one travels in an event or a command.',
  );

export default tseslint.config(
  { ignores: ['**/node_modules', '**/generated', '**/.sluice', '.cache'] },
  js.configs.recommended,
  {
    files: ['**/*.ts'],
    extends: [tseslint.configs.recommendedTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true },
      ],
      '@typescript-eslint/require-await': 'off',
      '@typescript-eslint/restrict-template-expressions': [
        'error',
        { allowNumber: true, allowBoolean: true },
      ],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_' }],
      eqeqeq: ['error', 'always'],
    },
  },
  {
    files: ['**/*.test.ts'],
    rules: { 'no-restricted-globals': ['error', { name: 'it', message: 'A test is a `test` everywhere.' }] },
  },
  {
    files: ['**/*.mjs'],
    languageOptions: { globals: { process: 'readonly', console: 'readonly', URL: 'readonly' } },
  },
  ...packages.map((name) =>
    directions(
      [`packages/${name}/**/*.ts`],
      pattern(services, 'A package depends on packages only, never on a service.'),
    ),
  ),
  ...packages
    .filter((name) => name.startsWith('driver-'))
    .map((name) => ({
      ...directions(
        [`packages/${name}/src/**/*.ts`],
        pattern(services, 'A package depends on packages only, never on a service.'),
        pattern(
          packages.filter((other) => ![name, 'contracts', 'controller', 'drivers', 'system'].includes(other)),
          'A driver imports the contracts of drivers and generic packages alone.',
        ),
      ),
      ignores: ['**/*.test.ts'],
    })),
  ...services.flatMap((name) => [
    directions([`services/${name}/**/*.ts`], noServices(name)),
    directions(
      [`services/${name}/src/**/*.store.ts`, `services/${name}/src/stores/**/*.ts`],
      noServices(name),
      layer(['service', 'operations'], 'A store holds SQL: it knows neither rules nor operations.'),
      { regex: '/features/', message: 'Features ask stores, never the other way round.' },
    ),
    directions(
      [`services/${name}/src/**/*.service.ts`],
      noServices(name),
      layer(['operations'], 'Rules do not know the operations that call them.'),
    ),
  ]),
);
