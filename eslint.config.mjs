import js from '@eslint/js';
import tseslint from 'typescript-eslint';
import noFloatMoney from './infra/no-float-money.mjs';

export default tseslint.config(
  { ignores: ['**/node_modules', '**/generated', '**/dist', '**/.sluice', '.cache'] },
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
    files: [
      'services/main-api/src/features/billing/*.ts',
      'services/main-api/src/catalogue/{prices,deployment-prices,price-book,price-list}.ts',
    ],
    ignores: ['**/*.test.ts'],
    plugins: { sluice: { rules: { 'no-float-money': noFloatMoney } } },
    rules: { 'sluice/no-float-money': 'error' },
  },
  {
    // Commander hands arguments and options to actions as `any`
    files: ['packages/cli/src/commands/*.ts'],
    rules: { '@typescript-eslint/no-unsafe-argument': 'off' },
  },
  {
    files: ['**/*.mjs'],
    languageOptions: { globals: { process: 'readonly', console: 'readonly', URL: 'readonly' } },
  },
);
