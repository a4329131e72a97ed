/** What every driver of a kind has to pass: README.md. */
export * from './fate.ts';
export * from './links.ts';
