export * from './stored.ts';
export * from './counts.ts';
export * from './json.ts';
