export * from './stored.ts';
export * from './counts.ts';
